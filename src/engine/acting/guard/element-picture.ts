import { crop } from '../../../image/crop.ts';
import { frame } from '../../../image/frame.ts';
import { encodePng } from '../../../image/png.ts';
import { shrink } from '../../../image/shrink.ts';
import { intersect, type Bounds } from '../../../model/tree/bounds.ts';
import type { DesktopPort } from '../../../ports/desktop/desktop.ts';
import { blankedCapture } from '../../redaction/blanked-capture.ts';
import { hasWindowKey } from '../../refs/window-identity.ts';

/** It is taken while a person waits for the question. */
const PICTURE_MS = 4000;
/** How much around the element is shown, in pixels: enough to recognize the dialog it is in. */
const AROUND = { x: 220, y: 110 };
const LARGEST = { width: 620, height: 250 };

/**
 * An element with what is around it, marked by a frame, as PNG. There is none if it has no place on the screen, or if its window could not be searched for
 * password fields.
 */
export async function pictureOfElement(
  desktop: DesktopPort,
  { window: key, bounds }: { readonly window: string; readonly bounds: Bounds | undefined },
): Promise<Uint8Array | undefined> {
  if (!desktop.capabilities.capture || bounds === undefined) return undefined;
  try {
    const options = { deadlineMs: PICTURE_MS };
    const window = (await desktop.listWindows(options)).find((one) => hasWindowKey(one, key));
    if (window === undefined || window.minimized || window.isTreeOnly === true) return undefined;
    const image = await blankedCapture(desktop, { kind: 'window', windowId: window.id }, options);
    const place = intersect(around(bounds), window.bounds ?? around(bounds));
    if (image.unread.length > 0 || place === undefined) return undefined;
    const shown = crop(frame(image, bounds), place);
    const factor = Math.min(1, LARGEST.width / shown.width, LARGEST.height / shown.height);
    return encodePng(factor < 1 ? shrink(shown, factor) : shown);
  } catch {
    // The question can be asked without it.
    return undefined;
  }
}

function around({ x, y, width, height }: Bounds): Bounds {
  return { x: x - AROUND.x, y: y - AROUND.y, width: width + 2 * AROUND.x, height: height + 2 * AROUND.y };
}

import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import type { CallOptions, CapturedImage } from '../../../../../ports/desktop.ts';
import type { X11Connection } from '../connection.ts';

/**
 * Draws a window's open menus, combo-box lists and tooltips onto its image: they are separate X windows, but for a person,
 * and in the accessibility tree, part of the window.
 */
export async function overlayPopups(
  x11: X11Connection,
  windowId: number,
  image: CapturedImage,
  options: CallOptions,
): Promise<CapturedImage> {
  const [window, popups] = await Promise.all([x11.windowById(windowId, options), x11.listPopups(options)]);
  const area = boundsOf(image);
  const own = popups.filter(
    (popup) =>
      intersect(popup.bounds, area) !== undefined &&
      (popup.transientFor === windowId || (popup.pid !== undefined && popup.pid === window?.pid)),
  );
  if (own.length === 0) return image;
  const bgrx = image.bgrx.slice();
  for (const popup of own) {
    // It may have closed meanwhile.
    const layer = await x11.captureWindow(popup.id, options).catch(() => undefined);
    if (layer) paint(bgrx, area, layer);
  }
  return { ...image, bgrx };
}

function paint(bgrx: Uint8Array, area: Bounds, layer: CapturedImage): void {
  const shared = intersect(area, boundsOf(layer));
  if (!shared) return;
  for (let y = shared.y; y < shared.y + shared.height; y++) {
    const from = ((y - layer.origin.y) * layer.width + (shared.x - layer.origin.x)) * 4;
    const to = ((y - area.y) * area.width + (shared.x - area.x)) * 4;
    bgrx.set(layer.bgrx.subarray(from, from + shared.width * 4), to);
  }
}

function boundsOf(image: CapturedImage): Bounds {
  return { ...image.origin, width: image.width, height: image.height };
}

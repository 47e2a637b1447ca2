import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import { noMonitor, outside } from '../capture-errors.ts';
import { cropped } from '../cropping.ts';
import { layoutOf, type Outputs } from '../outputs.ts';
import type { ScreenshotPortal } from './screenshot-portal.ts';

/** Captures the screens through the desktop portal, which knows no windows. */
export class PortalCapture {
  readonly #portal: ScreenshotPortal;
  readonly #outputs: Outputs;
  readonly #noWindows: () => DeskterityError;

  /** @param noWindows why no window can be captured */
  constructor(portal: ScreenshotPortal, outputs: Outputs, noWindows: () => DeskterityError) {
    this.#portal = portal;
    this.#outputs = outputs;
    this.#noWindows = noWindows;
  }

  /** @throws DeskterityError INVALID_ARGUMENT, and as {@link ScreenshotPortal.take} and `noWindows` say */
  async take(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    if (target.kind === 'window') throw this.#noWindows();
    const outputs = await this.#outputs.list();
    const screen = layoutOf(outputs);
    const part = partOf(target, screen, outputs);
    const picture = await this.#portal.take(options);
    const scale = picture.width / screen.width;
    return cropped({ ...picture, origin: { x: screen.x, y: screen.y }, scale }, part);
  }
}

function partOf(
  target: Exclude<CaptureTarget, { readonly kind: 'window' }>,
  screen: Bounds,
  outputs: readonly { readonly bounds: Bounds }[],
): Bounds {
  if (target.kind === 'region') {
    const visible = intersect(target.bounds, screen);
    if (visible === undefined) throw outside(screen);
    return visible;
  }
  if (target.monitor === undefined) return screen;
  const output = outputs[target.monitor];
  if (output === undefined) throw noMonitor(target.monitor, outputs.length);
  return output.bounds;
}

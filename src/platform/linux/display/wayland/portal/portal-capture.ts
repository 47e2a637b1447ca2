import type { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import { cropped } from '../cropping.ts';
import { layoutOf, type Outputs } from '../outputs.ts';
import { requestedArea } from '../requested-area.ts';
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
    const part = requestedArea(target, outputs);
    const picture = await this.#portal.take(options);
    const scale = picture.width / screen.width;
    return cropped({ ...picture, origin: { x: screen.x, y: screen.y }, scale }, part);
  }
}

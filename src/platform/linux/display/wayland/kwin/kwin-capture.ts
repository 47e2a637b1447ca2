import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import { notShown, outsideScreens } from '../capture-errors.ts';
import { onScreens, type Outputs } from '../outputs.ts';
import { requestedArea } from '../requested-area.ts';
import { windowNotFound } from '../window-errors.ts';
import { contentOf, rounded, type KwinWindow } from './kwin-window.ts';
import type { KwinWindows } from './kwin-windows.ts';
import { windowId } from './script-host.ts';
import type { Screenshots } from './screenshots.ts';

/** Captures the screens and windows, without the pointer. */
export class KwinCapture {
  readonly #screenshots: Screenshots;
  readonly #outputs: Outputs;
  readonly #windows: KwinWindows;

  constructor(screenshots: Screenshots, outputs: Outputs, windows: KwinWindows) {
    this.#screenshots = screenshots;
    this.#outputs = outputs;
    this.#windows = windows;
  }

  /** @throws DeskterityError INVALID_ARGUMENT, WINDOW_NOT_FOUND, NOT_ACTIONABLE, ACTION_NOT_SUPPORTED */
  async take(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    if (target.kind === 'window') return this.#window(target.windowId, target.asShown === true, options);
    return this.#area(requestedArea(target, await this.#outputs.list()), options);
  }

  async #window(id: string, asShown: boolean, options: CallOptions): Promise<CapturedImage> {
    const { windows: all } = await this.#windows.read(options);
    const at = all.findIndex((window) => windowId(window.id) === id);
    const window = all[at];
    if (window === undefined) throw windowNotFound(id);
    if (!window.isShown) throw notShown(id, window.minimized);
    const visible = onScreens(contentOf(window), await this.#outputs.list());
    if (visible === undefined) throw outsideScreens(id);
    const covered = coversOf(all, at, visible);
    // With its menus, which KWin leaves out of a picture of the window itself.
    if (covered.length === 0) return this.#area(visible, options);
    if (asShown) return { ...(await this.#area(visible, options)), covered };
    return this.#screenshots.take(
      {
        kind: 'window',
        internalId: window.id,
        bounds: contentOf(window),
        buffer: rounded(window.buffer),
      },
      options,
    );
  }

  #area(bounds: Bounds, options: CallOptions): Promise<CapturedImage> {
    return this.#screenshots.take({ kind: 'area', bounds }, options);
  }
}

/** What lies over a window; its own menus are part of it. */
function coversOf(all: readonly KwinWindow[], at: number, area: Bounds): readonly Bounds[] {
  const id = all[at]?.id;
  return all
    .slice(at + 1)
    .filter((other) => other.isShown && !(other.isPopup && other.parent === id))
    .map(({ frame }) => intersect(rounded(frame), area))
    .filter((part) => part !== undefined);
}

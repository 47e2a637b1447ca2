import { DeskterityError } from '../../../../../../model/effects/errors.ts';
import { intersect, type Bounds } from '../../../../../../model/tree/bounds.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../../ports/desktop/capture.ts';
import { readPng } from '../../../png-picture.ts';
import { notShown, outsideScreens } from '../../capture-errors.ts';
import { boxShown, cropped } from '../../cropping.ts';
import { onScreens, type Outputs } from '../../outputs.ts';
import { requestedArea } from '../../requested-area.ts';
import { windowNotFound } from '../../window-errors.ts';
import type { ExtensionWindows } from './extension-windows.ts';
import type { ExtensionCall, ShellExtension } from './shell-extension.ts';

/** Captures the screens and windows through our extension, without the pointer. */
export class ExtensionCapture {
  readonly #extension: ShellExtension;
  readonly #outputs: Outputs;
  readonly #windows: ExtensionWindows;

  constructor(extension: ShellExtension, outputs: Outputs, windows: ExtensionWindows) {
    this.#extension = extension;
    this.#outputs = outputs;
    this.#windows = windows;
  }

  /** @throws DeskterityError INVALID_ARGUMENT, WINDOW_NOT_FOUND, NOT_ACTIONABLE, ACTION_FAILED */
  async take(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    if (target.kind === 'window') return this.#window(target.windowId, target.asShown === true, options);
    return this.#area(requestedArea(target, await this.#outputs.list()), options);
  }

  async #window(id: string, asShown: boolean, options: CallOptions): Promise<CapturedImage> {
    const window = await this.#windows.find(id, options);
    if (window === undefined) throw windowNotFound(id);
    if (!window.isShown) throw notShown(id, window.minimized);
    const visible = onScreens(window.content, await this.#outputs.list());
    if (visible === undefined) throw outsideScreens(id);
    const covers = await this.#windows.coversOf(id, options);
    const covered = covers.map((frame) => intersect(frame, visible)).filter((part) => part !== undefined);
    // With its menus, which are windows of their own.
    if (covered.length === 0) return this.#area(visible, options);
    if (asShown) return { ...(await this.#area(visible, options)), covered };
    const picture = await this.#picture(['CaptureWindow', 's', [window.id]], [window.client], options);
    return cropped(picture, window.content);
  }

  async #area(bounds: Bounds, options: CallOptions): Promise<CapturedImage> {
    const { x, y, width, height } = bounds;
    return this.#picture(['CaptureArea', 'iiii', [x, y, width, height]], [bounds], options);
  }

  async #picture(
    call: ExtensionCall,
    boxes: readonly Bounds[],
    options: CallOptions,
  ): Promise<CapturedImage> {
    const file = await this.#extension.call(call, 'taking a picture', options);
    const picture = file instanceof Uint8Array ? await readPng(file) : undefined;
    const box = picture && boxShown(picture, boxes);
    // Otherwise nobody could tell what is where in it.
    if (picture === undefined || box === undefined) throw strangePicture();
    return { ...picture, origin: { x: box.x, y: box.y }, scale: picture.width / box.width };
  }
}

function strangePicture(): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'GNOME Shell gave a picture that Deskterity cannot read.', {
    suggestion: 'Repeat the command: the window may have changed meanwhile.',
    retryable: true,
  });
}

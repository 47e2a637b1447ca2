import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import { unsupported } from '../../../failures.ts';
import { layoutOf, type Outputs } from '../outputs.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { Screencopy } from './screencopy.ts';
import { windowIdOf, type SwayWindow } from './sway-tree.ts';
import { windowNotFound, type SwayWindows } from './sway-windows.ts';

/** Captures the screens and windows. A picture of a window is the part of the screens where it is: the compositor gives no other. */
export class Capture {
  readonly #outputs: Outputs;
  readonly #windows: SwayWindows | undefined;
  readonly #screencopy: Screencopy | undefined;

  constructor(wire: WaylandWire, outputs: Outputs, windows: SwayWindows | undefined) {
    this.#outputs = outputs;
    this.#windows = windows;
    this.#screencopy = Screencopy.open(wire);
  }

  /** @throws DeskterityError INVALID_ARGUMENT, WINDOW_NOT_FOUND, NOT_ACTIONABLE, ACTION_NOT_SUPPORTED */
  async take(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    if (target.kind === 'window') return this.#window(target.windowId, target.asShown === true, options);
    const outputs = await this.#outputs.list();
    const screen = layoutOf(outputs);
    if (target.kind === 'region') {
      const visible = intersect(target.bounds, screen);
      if (visible === undefined) throw outside(screen);
      return this.#take(visible);
    }
    if (target.monitor === undefined) return this.#take(screen);
    const output = outputs[target.monitor];
    if (output === undefined) throw noMonitor(target.monitor, outputs.length);
    return this.#take(output.bounds);
  }

  async #window(id: string, asShown: boolean, options: CallOptions): Promise<CapturedImage> {
    const all = (await this.#windows?.read(options)) ?? [];
    const at = all.findIndex((window) => windowIdOf(window) === id);
    const window = all[at];
    if (window === undefined) throw windowNotFound(id);
    if (!window.visible) throw notShown(window);
    const visible = intersect(window.bounds, layoutOf(await this.#outputs.list()));
    if (visible === undefined)
      throw notActionable(
        `Window ${id} is outside the screens and cannot be captured.`,
        'Move the window onto the screen, then repeat the command.',
      );
    const covered = coversOf(all, at, visible);
    if (covered.length > 0 && !asShown)
      throw notActionable(
        `Window ${id} is covered by another window, and Wayland shows nothing of what is covered.`,
        `Bring it to the front first: ${mentionCommand('focus', { window: id })}.`,
      );
    return { ...(await this.#take(visible)), ...(asShown ? { covered } : {}) };
  }

  async #take(area: Bounds): Promise<CapturedImage> {
    if (this.#screencopy === undefined)
      throw unsupported(
        'This compositor gives no pictures of its screens: it lacks the screencopy protocol of wlroots.',
        `Read the screen with ${mentionCommand('snapshot')} instead.`,
      );
    return this.#screencopy.take(area, await this.#outputs.list());
  }
}

/** What lies over a window. */
function coversOf(all: readonly SwayWindow[], at: number, area: Bounds): readonly Bounds[] {
  return all
    .slice(at + 1)
    .filter(({ visible }) => visible)
    .map(({ frame }) => intersect(frame, area))
    .filter((part) => part !== undefined);
}

function notActionable(message: string, suggestion: string): DeskterityError {
  return new DeskterityError('NOT_ACTIONABLE', message, { suggestion });
}

function notShown(window: SwayWindow): DeskterityError {
  return window.hidden
    ? notActionable(
        `Window ${windowIdOf(window)} is minimized, and minimized windows cannot be captured.`,
        'Restore it first.',
      )
    : notActionable(
        `Window ${windowIdOf(window)} is on a workspace that is not shown.`,
        `Focus it first: ${mentionCommand('focus', { window: windowIdOf(window) })}.`,
      );
}

function outside({ width, height }: Bounds): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', 'The region is outside the screen.', {
    suggestion: `Choose a region inside the screen, which is ${width}x${height} pixels.`,
  });
}

function noMonitor(index: number, count: number): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `There is no monitor ${index}.`, {
    suggestion:
      count === 1 ? 'The only monitor is 0.' : `There are ${count}; choose one from 0 to ${count - 1}.`,
  });
}

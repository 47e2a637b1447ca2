import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { CapturedImage, CaptureTarget } from '../../../../../ports/desktop/capture.ts';
import type { Point } from '../../../../../ports/input.ts';
import type { PictureWatch } from '../../../../../ports/picture-watch.ts';
import { unsupported } from '../../../failures.ts';
import { onScreens, type Outputs } from '../outputs.ts';
import { outsideScreens } from '../capture-errors.ts';
import { requestedArea } from '../requested-area.ts';
import { windowNotFound } from '../window-errors.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';
import { Screencopy } from './screencopy.ts';
import { windowIdOf, type SwayWindow } from './sway-tree.ts';
import type { SwayWindows } from './sway-windows.ts';

/** How far from its point any usual pointer is drawn. */
const POINTER_PX = 32;
/** Whoever watches looks at them soon; the latest matter most. */
const MOST_AREAS = 1000;

/** Captures the screens and windows. A picture of a window is the part of the screens where it is: the compositor gives no other. */
export class Capture {
  readonly #wire: WaylandWire;
  readonly #outputs: Outputs;
  readonly #pointer: () => Point | undefined;
  readonly #windows: SwayWindows | undefined;
  readonly #screencopy: Screencopy | undefined;

  /** @param pointer where it is drawn, if that is known */
  constructor(
    wire: WaylandWire,
    outputs: Outputs,
    windows: SwayWindows | undefined,
    pointer: () => Point | undefined,
  ) {
    this.#pointer = pointer;
    this.#wire = wire;
    this.#outputs = outputs;
    this.#windows = windows;
    this.#screencopy = Screencopy.open(wire);
  }

  /** @throws DeskterityError INVALID_ARGUMENT, WINDOW_NOT_FOUND, NOT_ACTIONABLE, ACTION_NOT_SUPPORTED */
  async take(target: CaptureTarget, options: CallOptions): Promise<CapturedImage> {
    if (target.kind === 'window') return this.#window(target.windowId, target.asShown === true, options);
    return this.#take(requestedArea(target, await this.#outputs.list()));
  }

  /** See `DesktopPort.watchPicture`. */
  async watch(listener: () => void): Promise<PictureWatch> {
    const screencopy = this.#required();
    let areas: readonly Bounds[] = [];
    let isTold = false;
    const end = await screencopy.watch(await this.#outputs.list(), (painted) => {
      areas = [...areas, ...painted].slice(-MOST_AREAS);
      if (isTold) return;
      isTold = true;
      listener();
    });
    return {
      takeAreas: async (options) => {
        // What was painted before this call is told before the compositor answers.
        await this.#wire.roundtrip('watching the screen', options);
        const taken = areas;
        areas = [];
        isTold = false;
        return taken;
      },
      end,
    };
  }

  async #window(id: string, asShown: boolean, options: CallOptions): Promise<CapturedImage> {
    const all = (await this.#windows?.read(options)) ?? [];
    const at = all.findIndex((window) => windowIdOf(window) === id);
    const window = all[at];
    if (window === undefined) throw windowNotFound(id);
    if (!window.visible) throw notShown(window);
    const visible = onScreens(window.bounds, await this.#outputs.list());
    if (visible === undefined) throw outsideScreens(id);
    const covered = coversOf(all, at, visible);
    if (covered.length > 0 && !asShown)
      throw notActionable(
        `Window ${id} is covered by another window, and a Wayland compositor gives no picture of a covered window.`,
        `Bring it to the front first: ${mentionCommand('focus-window', { window: id })}.`,
      );
    if (!asShown) return this.#take(visible);
    // It may be taken while the pointer moves.
    const before = pointerIn(visible, this.#pointer());
    const image = await this.#take(visible);
    return { ...image, covered: [...covered, ...before, ...pointerIn(visible, this.#pointer())] };
  }

  async #take(area: Bounds): Promise<CapturedImage> {
    return this.#required().take(area, await this.#outputs.list());
  }

  #required(): Screencopy {
    if (this.#screencopy !== undefined) return this.#screencopy;
    throw unsupported(
      'This compositor gives no pictures of its screens: it lacks the screencopy protocol of wlroots.',
      `Read the screen with ${mentionCommand('snapshot')} instead.`,
    );
  }
}

/** Without hardware for it, compositors draw the pointer into the picture. */
function pointerIn(area: Bounds, pointer: Point | undefined): readonly Bounds[] {
  if (pointer === undefined) return [];
  const drawn = {
    x: pointer.x - POINTER_PX,
    y: pointer.y - POINTER_PX,
    width: 2 * POINTER_PX,
    height: 2 * POINTER_PX,
  };
  const part = intersect(drawn, area);
  return part === undefined ? [] : [part];
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
        `Focus it first: ${mentionCommand('focus-window', { window: windowIdOf(window) })}.`,
      );
}

import { mentionCommand } from '../../../../../model/text/mention.ts';
import { unsupported } from '../../../failures.ts';
import type { CallOptions, WindowRequest } from '../../../../../ports/desktop.ts';
import type { Point } from '../../../../../ports/input.ts';
import { startingVariable } from '../../../process/facts.ts';
import type {
  DisplayPlace,
  DisplayPointContent,
  DisplayPopup,
  DisplayWindow,
  DisplayWindowEvent,
  DisplayWindows,
} from '../../display.ts';
import type { X11Connection } from '../connection.ts';
import type { ServerClock } from '../server-clock.ts';
import { isUserWindow, type WindowPlace, type X11Window } from './window.ts';

const WINDOW_ID = /^x11:0x([0-9a-f]{1,8})$/;
const TOOLTIP = '_NET_WM_WINDOW_TYPE_TOOLTIP';

/** The public id of a window. */
export function windowIdOf(window: number): string {
  return `x11:0x${window.toString(16)}`;
}

/** @throws DeskterityError ACTION_NOT_SUPPORTED for an id that is not an X11 id */
export function windowOf(id: string): number {
  const match = WINDOW_ID.exec(id);
  if (match) return Number.parseInt(match[1] ?? '', 16);
  throw unsupported(
    `${id.slice(0, 80)} is not a window of the X server.`,
    `Choose a window with an x11: id from ${mentionCommand('list-windows')}, or take a screenshot of the whole screen with ${mentionCommand('screenshot', { screen: true })}.`,
  );
}

/** The windows of an X display by public ids. */
export class X11Windows implements DisplayWindows {
  readonly #x11: X11Connection;
  readonly #clock: ServerClock;

  constructor(x11: X11Connection, clock: ServerClock) {
    this.#x11 = x11;
    this.#clock = clock;
  }

  async list(options: CallOptions): Promise<readonly DisplayWindow[]> {
    return (await this.#x11.listWindows(options)).map(toDisplayWindow);
  }

  async popups(options: CallOptions): Promise<readonly DisplayPopup[]> {
    const popups = await this.#x11.listPopups(options);
    return popups.map(({ id, pid, windowType, transientFor, bounds }) => ({
      id: windowIdOf(id),
      pid,
      isTooltip: windowType === TOOLTIP,
      transientFor: transientFor === undefined ? undefined : windowIdOf(transientFor),
      bounds,
    }));
  }

  async place(id: string, options: CallOptions): Promise<DisplayPlace | undefined> {
    const place = await this.#x11.windowPlace(windowOf(id), options);
    return place && toPlace(place);
  }

  async contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent> {
    const { window, pid, popup } = await this.#x11.contentAt(point, options);
    return { windowId: window === undefined ? undefined : windowIdOf(window), pid, popup };
  }

  async control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }> {
    return this.#x11.controlWindow(windowOf(id), request, options);
  }

  async userTimeMs(id: string, options: CallOptions): Promise<number | undefined> {
    const time = await this.#x11.userTime(windowOf(id), options);
    return time === undefined ? undefined : this.#clock.milliseconds(time);
  }

  watch(listener: (event: DisplayWindowEvent) => void, options: CallOptions): Promise<() => void> {
    return this.#x11.watchWindows(
      ({ kind, id }) => listener({ kind, id: id === undefined ? undefined : windowIdOf(id) }),
      options,
    );
  }

  isElsewhere(pid: number): boolean {
    const theirs = startingVariable(pid, 'DISPLAY');
    return (
      theirs !== undefined && theirs !== '' && displayNumber(theirs) !== displayNumber(this.#x11.display)
    );
  }
}

function displayNumber(display: string): string | undefined {
  return /:(\d+)(?:\.\d+)?$/.exec(display)?.[1];
}

function toPlace({ bounds, gtkFrameExtents }: WindowPlace): DisplayPlace {
  return { bounds, shadow: gtkFrameExtents };
}

function toDisplayWindow(window: X11Window): DisplayWindow {
  const { id, title, pid, active, hasInput, minimized, transientFor, stacking } = window;
  const has = (...names: string[]): boolean =>
    names.every((name) => window.states.includes(`_NET_WM_STATE_${name}`));
  return {
    ...toPlace(window),
    id: windowIdOf(id),
    title,
    pid,
    className: window.className,
    isUserWindow: isUserWindow(window.windowType),
    active,
    hasInput,
    minimized,
    maximized: has('MAXIMIZED_HORZ', 'MAXIMIZED_VERT'),
    fullscreen: has('FULLSCREEN'),
    modal: has('MODAL'),
    transientFor: transientFor === undefined ? undefined : windowIdOf(transientFor),
    stacking: stacking < 0 ? undefined : stacking,
  };
}

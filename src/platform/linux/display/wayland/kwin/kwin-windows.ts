import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { WindowRequest } from '../../../../../ports/desktop/windows.ts';
import type { Point } from '../../../../../ports/input.ts';
import type {
  DisplayPlace,
  DisplayPointContent,
  DisplayPopup,
  DisplayWindow,
  DisplayWindowEvent,
  DisplayWindows,
} from '../../display.ts';
import { isOnOtherDisplay } from '../elsewhere.ts';
import { framedRequest, untilAdopted, type FramedRequest } from '../framed-window.ts';
import { notOnDisplay, windowNotFound, windowRefused } from '../window-errors.ts';
import { asDeskterityError } from '../wire/wayland-errors.ts';
import {
  contentOf,
  framed,
  inOrder,
  KwinList,
  toDisplayPopup,
  toDisplayWindow,
  windowAt,
  type KwinWindow,
} from './kwin-window.ts';
import { windowId, type ScriptHost } from './script-host.ts';

const WINDOW_ID = /^kwin:[0-9a-f-]{36}$/;

/** The windows of KWin, through a script. */
export class KwinWindows implements DisplayWindows {
  /** Wayland tells no client where its windows are. */
  readonly clientsKnowPlaces = false;
  readonly #script: ScriptHost;
  readonly #display: string;

  constructor(script: ScriptHost, display: string) {
    this.#script = script;
    this.#display = display;
  }

  async list(options: CallOptions): Promise<readonly DisplayWindow[]> {
    const { windows } = await this.read(options);
    return windows.filter(({ isPopup }) => !isPopup).map(toDisplayWindow);
  }

  async popups(options: CallOptions): Promise<readonly DisplayPopup[]> {
    const { windows } = await this.read(options);
    return windows.filter(({ isPopup }) => isPopup).map(toDisplayPopup);
  }

  async place(id: string, options: CallOptions): Promise<DisplayPlace | undefined> {
    const window = await this.find(id, options);
    return window && { bounds: contentOf(window) };
  }

  async contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent> {
    const found = windowAt((await this.read(options)).windows, point);
    if (found === undefined || !found.isContent) return {};
    const { window } = found;
    const pid = window.pid > 0 ? window.pid : undefined;
    if (window.isPopup) return { pid, popup: { bounds: contentOf(window), isTooltip: window.isTooltip } };
    return window.isUser ? { windowId: windowId(window.id), pid } : {};
  }

  async control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }> {
    const window = await this.find(id, options);
    if (window === undefined) throw WINDOW_ID.test(id) ? windowNotFound(id) : notOnDisplay();
    const asked = requestFor(window, request);
    if (asked === undefined) return { via: 'none' };
    const answer = await this.#script.ask(
      { id: window.id, ...asked },
      `asking KWin to ${request.kind} a window`,
      options,
    );
    if (answer.isMissing === true) throw windowNotFound(id);
    if (answer.complaint !== undefined) throw windowRefused('KWin', request.kind, answer.complaint);
    const look = async () => {
      const now = (await this.read(options)).windows.find((each) => each.id === window.id);
      return now && framed(now);
    };
    await untilAdopted(framed(window), asked, look, options);
    return { via: `kwin:${request.kind}` };
  }

  /** KWin does not tell scripts when an application last saw input. */
  async userTimeMs(): Promise<number | undefined> {
    return undefined;
  }

  async watch(listener: (event: DisplayWindowEvent) => void): Promise<() => void> {
    return this.#script.onEvent(listener);
  }

  isElsewhere(pid: number): boolean {
    return isOnOtherDisplay(pid, this.#display);
  }

  /** All windows and popups, lowest first, and where the pointer is. */
  async read(
    options: CallOptions,
  ): Promise<{ readonly windows: readonly KwinWindow[]; readonly pointer: Point }> {
    const doing = 'listing windows';
    const list = KwinList.safeParse(await this.#script.ask({ kind: 'list' }, doing, options));
    if (!list.success) throw asDeskterityError(list.error, doing);
    const { x, y } = list.data.pointer;
    return { windows: inOrder(list.data.windows), pointer: { x: Math.round(x), y: Math.round(y) } };
  }

  async find(id: string, options: CallOptions): Promise<KwinWindow | undefined> {
    if (!WINDOW_ID.test(id)) return undefined;
    return (await this.read(options)).windows.find((window) => windowId(window.id) === id);
  }
}

/** What our script does for a request; `undefined` if nothing is to be done. @throws DeskterityError ACTION_NOT_SUPPORTED for what the window does not allow */
export function requestFor(window: KwinWindow, request: WindowRequest): FramedRequest | undefined {
  return framedRequest('KWin', framed(window), request);
}

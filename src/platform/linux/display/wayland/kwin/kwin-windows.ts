import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { WindowRequest } from '../../../../../ports/desktop/windows.ts';
import type { Point } from '../../../../../ports/input.ts';
import { unsupported } from '../../../failures.ts';
import type {
  DisplayPlace,
  DisplayPointContent,
  DisplayPopup,
  DisplayWindow,
  DisplayWindowEvent,
  DisplayWindows,
} from '../../display.ts';
import { isOnOtherDisplay } from '../elsewhere.ts';
import { notOnDisplay, windowNotFound, windowRefused } from '../window-errors.ts';
import { asDeskterityError } from '../wire/wayland-errors.ts';
import {
  contentOf,
  frameFor,
  inOrder,
  KwinList,
  rounded,
  toDisplayPopup,
  toDisplayWindow,
  windowAt,
  type KwinWindow,
} from './kwin-window.ts';
import { windowId, type ScriptHost, type ScriptRequest } from './script-host.ts';

/** For a client to draw itself in another size. */
const ADOPT_MS = 500;
const LOOK_MS = 10;

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
    if (asked.kind !== 'focus' && asked.kind !== 'close') await this.#adopted(window, asked, options);
    return { via: `kwin:${request.kind}` };
  }

  /**
   * Waits until the client has drawn itself anew: a move that comes before that is undone when it has. One that does not follow is not waited for long, and
   * is judged by what is read later.
   */
  async #adopted(before: KwinWindow, asked: ScriptRequest, options: CallOptions): Promise<void> {
    const end = performance.now() + Math.min(ADOPT_MS, options.deadlineMs / 2);
    while (performance.now() < end) {
      const now = (await this.read(options)).windows.find(({ id }) => id === before.id);
      if (now === undefined || hasAdopted(now, before, asked)) return;
      await sleep(LOOK_MS);
    }
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

/** Whether a window is as it was asked to be. */
function hasAdopted(now: KwinWindow, before: KwinWindow, asked: ScriptRequest): boolean {
  if (asked.kind === 'place') return isDeepStrictEqual(rounded(now.frame), asked['frame']);
  if (asked.kind === 'maximize') return now.maximized;
  if (asked.kind === 'minimize') return now.minimized;
  return !now.minimized && !now.fullscreen && !(before.maximized && now.maximized);
}

/** What our script does for a request; `undefined` if nothing is to be done. @throws DeskterityError ACTION_NOT_SUPPORTED for what the window does not allow */
export function requestFor(window: KwinWindow, request: WindowRequest): ScriptRequest | undefined {
  switch (request.kind) {
    case 'close':
      require(window.canClose, 'close', 'it does not allow it');
      return { kind: 'close' };
    case 'minimize':
      if (window.minimized) return undefined;
      require(window.canMinimize, 'minimize', 'it does not allow it');
      return { kind: 'minimize' };
    case 'maximize':
      require(window.canMaximize, 'maximize', 'it does not allow it');
      return { kind: 'maximize' };
    case 'focus':
    case 'restore':
      return { kind: request.kind };
    default: {
      const doing = request.kind;
      require(!window.fullscreen, doing, 'it fills the screen');
      require(!window.maximized, doing, 'it is maximized');
      require(doing === 'move' ? window.canMove : window.canResize, doing, 'it does not allow it');
      return { kind: 'place', frame: frameFor(window, request) };
    }
  }
}

function require(isAllowed: boolean, doing: string, reason: string): void {
  if (isAllowed) return;
  throw unsupported(
    `KWin cannot ${doing} this window: ${reason}.`,
    reason === 'it does not allow it'
      ? `Run ${mentionCommand('list-windows')}, and act on another window.`
      : `Run ${mentionCommand('restore')} first.`,
  );
}

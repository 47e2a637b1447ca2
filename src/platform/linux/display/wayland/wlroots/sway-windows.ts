import { z } from 'zod';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
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
import { SwayIpc } from './sway-ipc.ts';
import {
  framePosition,
  frameSize,
  numberIn,
  SwayNode,
  toDisplayWindow,
  windowAt,
  windowIdOf,
  windowsOf,
  type SwayWindow,
} from './sway-tree.ts';

const WindowEvent = z.object({ change: z.string(), container: z.object({ id: z.int() }) });
const WorkspaceEvent = z.object({ change: z.literal('focus') });

/** Changes of sway that our listeners do not need, such as marks, are left out. */
const EVENTS: Readonly<Record<string, DisplayWindowEvent['kind']>> = {
  new: 'window-opened',
  close: 'window-closed',
  focus: 'active-changed',
  title: 'window-changed',
  move: 'window-changed',
  floating: 'window-changed',
  fullscreen_mode: 'window-changed',
};

/** The windows of sway. */
export class SwayWindows implements DisplayWindows {
  /** Wayland tells no client where its windows are. */
  readonly clientsKnowPlaces = false;
  readonly #ipc: SwayIpc;
  readonly #place: { readonly display: string; readonly path: string };
  readonly #watches = new Set<SwayIpc>();

  constructor(ipc: SwayIpc, place: { readonly display: string; readonly path: string }) {
    this.#ipc = ipc;
    this.#place = place;
  }

  async list(options: CallOptions): Promise<readonly DisplayWindow[]> {
    return (await this.read(options)).map(toDisplayWindow);
  }

  /** Sway does not list them; accessibility does. */
  async popups(): Promise<readonly DisplayPopup[]> {
    return [];
  }

  async place(id: string, options: CallOptions): Promise<DisplayPlace | undefined> {
    return (await this.find(id, options)) ?? undefined;
  }

  async contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent> {
    const found = await this.at(point, options);
    if (found === undefined || !found.isContent) return {};
    requireReachable(found.window, point);
    return { windowId: windowIdOf(found.window), pid: found.window.pid };
  }

  async control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }> {
    const window = await this.find(id, options);
    if (window === undefined) throw numberIn(id) === undefined ? notOnDisplay() : windowNotFound(id);
    const commands = commandsFor(window, request);
    for (const command of commands) {
      const complaint = await this.#ipc.run(
        `[con_id=${window.id}] ${command}`,
        `asking sway to ${request.kind} a window`,
        options,
      );
      if (complaint !== undefined) throw windowRefused('Sway', request.kind, complaint);
    }
    if (commands.length === 0) return { via: 'none' };
    return { via: `sway:${commands.map((command) => command.split(' ', 1)[0]).join('+')}` };
  }

  /** Sway does not know when an application last saw input. */
  async userTimeMs(): Promise<number | undefined> {
    return undefined;
  }

  async watch(listener: (event: DisplayWindowEvent) => void, options: CallOptions): Promise<() => void> {
    const ipc = await SwayIpc.connect(this.#place, options, (data) => {
      const event = toEvent(data);
      if (event !== undefined) listener(event);
    });
    this.#watches.add(ipc);
    const end = (): void => {
      this.#watches.delete(ipc);
      ipc.close();
    };
    try {
      await ipc.ask('subscribe', '["window","workspace"]', 'watching windows', options);
      return end;
    } catch (error) {
      end();
      throw error;
    }
  }

  isElsewhere(pid: number): boolean {
    return isOnOtherDisplay(pid, this.#place.display);
  }

  /** All windows, lowest first. */
  async read(options: CallOptions): Promise<readonly SwayWindow[]> {
    return windowsOf(await this.#tree(options));
  }

  /** See {@link windowAt}. */
  async at(point: Point, options: CallOptions): Promise<ReturnType<typeof windowAt>> {
    return windowAt(await this.#tree(options), point);
  }

  async find(id: string, options: CallOptions): Promise<SwayWindow | undefined> {
    const number = numberIn(id);
    if (number === undefined) return undefined;
    return (await this.read(options)).find((window) => window.id === number);
  }

  close(): void {
    for (const ipc of this.#watches) ipc.close();
    this.#watches.clear();
  }

  async #tree(options: CallOptions): Promise<SwayNode> {
    const doing = 'listing windows';
    const tree = SwayNode.safeParse(await this.#ipc.ask('tree', '', doing, options));
    if (!tree.success) throw asDeskterityError(tree.error, doing);
    return tree.data;
  }
}

/** Sway's commands for a request, in order. @throws DeskterityError ACTION_NOT_SUPPORTED for what sway does not do to this window */
export function commandsFor(window: SwayWindow, request: WindowRequest): readonly string[] {
  const show = window.hidden ? ['scratchpad show'] : [];
  switch (request.kind) {
    case 'focus':
      return [...show, 'focus'];
    case 'close':
      return ['kill'];
    case 'restore':
      return [...show, ...(window.fullscreen ? ['fullscreen disable'] : [])];
    case 'maximize':
      throw unsupported(
        'Sway does not maximize windows.',
        `Give it the size that you want: ${mentionCommand('move-window')} and ${mentionCommand('resize-window')}.`,
      );
    case 'minimize':
      if (window.hidden) return [];
      requireFloating(window, 'minimize');
      return ['move scratchpad'];
    case 'move': {
      requireFloating(window, 'move');
      const { x, y } = framePosition(window, request);
      return [`move absolute position ${x} px ${y} px`];
    }
    default: {
      requireFloating(window, 'resize');
      const { width, height } = frameSize(window, request);
      const { x, y } = window.frame;
      // Sway keeps the middle where it is.
      return [`resize set width ${width} px height ${height} px`, `move absolute position ${x} px ${y} px`];
    }
  }
}

/**
 * The screen of Xwayland begins at 0,0: it takes what is left of it or above for the nearest point inside, where another element may be.
 * @throws DeskterityError NOT_ACTIONABLE
 */
function requireReachable({ isX11, ...window }: SwayWindow, { x, y }: Point): void {
  if (!isX11 || (x >= 0 && y >= 0)) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `Window ${windowIdOf(window)} uses X11, and Xwayland has no place ${x},${y}: the pointer would reach another place in the window.`,
    {
      suggestion: `Move the window right of and below 0,0: ${mentionCommand('move-window')}. Acts through accessibility work where it is.`,
      delivered: false,
    },
  );
}

function requireFloating({ floating, fullscreen }: SwayWindow, doing: string): void {
  if (fullscreen)
    throw unsupported(
      `Sway cannot ${doing} this window: it fills the screen.`,
      `Run ${mentionCommand('restore')} first.`,
    );
  if (floating) return;
  throw unsupported(
    `Sway cannot ${doing} this window: it is tiled, so that its place follows from the layout.`,
    'Let it float first: swaymsg floating enable, or its shortcut in your configuration.',
  );
}

function toEvent(data: unknown): DisplayWindowEvent | undefined {
  const window = WindowEvent.safeParse(data);
  if (window.success) {
    const kind = EVENTS[window.data.change];
    return kind && { kind, id: windowIdOf(window.data.container) };
  }
  // The workspace that is shown now may have no window.
  return WorkspaceEvent.safeParse(data).success ? { kind: 'active-changed', id: undefined } : undefined;
}

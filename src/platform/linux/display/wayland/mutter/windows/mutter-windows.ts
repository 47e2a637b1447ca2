import type { FocusedWindow } from '../../input/devices.ts';
import type { CallOptions } from '../../../../../../ports/call-options.ts';
import type { WindowRequest } from '../../../../../../ports/desktop/windows.ts';
import type { Point } from '../../../../../../ports/input.ts';
import { readContentBox, readTopLevelExtents } from '../../../../atspi/bus/top-levels.ts';
import { hasState, STATE } from '../../../../atspi/tree/states.ts';
import {
  treeWindowId,
  type DisplayPlace,
  type DisplayPointContent,
  type DisplayPopup,
  type DisplayWindow,
  type DisplayWindowEvent,
  type Extents,
} from '../../../display.ts';
import { isOnOtherDisplay } from '../../elsewhere.ts';
import { windowNotFound } from '../../window-errors.ts';
import { isInOverview } from '../shell-facts.ts';
import { nobodyKnown, notTold, refusedRequest } from '../window-requests.ts';
import { contentIn, placedIn, type ContentBox } from './content-box.ts';
import { readFrames, type Frame } from './frames.ts';
import {
  isWindowId,
  ownerAt as ownerIn,
  toDisplayWindow,
  windowIdOf,
  type MutterView,
  type MutterWindow,
} from './mutter-window.ts';
import type { ShellAccess } from './shell-access.ts';
import type { ShellWindows } from './shell-windows.ts';
import { matchWindows, type Fit } from './window-match.ts';

/** AT-SPI events of windows, in our words. */
const EVENTS: Readonly<Record<string, DisplayWindowEvent['kind']>> = {
  Create: 'window-opened',
  Destroy: 'window-closed',
  Close: 'window-closed',
  Activate: 'active-changed',
  Minimize: 'window-changed',
  Maximize: 'window-changed',
  Restore: 'window-changed',
  Move: 'window-changed',
  Resize: 'window-changed',
};
/** The overview shows windows elsewhere than they are. */
const EVERYTHING = { x: -1_000_000, y: -1_000_000, width: 2_000_000, height: 2_000_000 };
const WINDOW_EVENTS = 'org.a11y.atspi.Event.Window';
/** Windows of one application that are kept; more are read again. */
const MOST_KEPT = 500;

/**
 * The windows of Mutter, without any extension of the shell: the shell's own accessibility tree tells where windows are, applications tell theirs, and sizes
 * and the focus tell which is which. A window that could be one of several has no place.
 */
export class MutterWindows implements ShellWindows {
  /** Wayland tells no client where its windows are. */
  readonly clientsKnowPlaces = false;
  readonly #access: ShellAccess;
  readonly #display: string;
  /** How wide the shadow of a window of GTK 3 was, by its id and size. */
  readonly #shadows = new Map<string, Extents>();
  #latest: ReadonlyMap<string, { readonly window: MutterWindow; readonly frame: Frame }> = new Map();

  constructor(access: ShellAccess, display: string) {
    this.#access = access;
    this.#display = display;
  }

  async list(options: CallOptions): Promise<readonly DisplayWindow[]> {
    return (await this.read(options)).windows.map(toDisplayWindow);
  }

  /** The shell does not tell what is a menu; accessibility does. */
  async popups(): Promise<readonly DisplayPopup[]> {
    return [];
  }

  async place(id: string, options: CallOptions): Promise<DisplayPlace | undefined> {
    const known = this.#latest.get(id);
    const now = known && (await this.#placeNow(known, options));
    if (now !== undefined) return now;
    return (await this.read(options)).windows.find((window) => window.id === id);
  }

  /** @throws DeskterityError NOT_ACTIONABLE where a denied application could be */
  async contentAt(point: Point, options: CallOptions): Promise<DisplayPointContent> {
    const owner = ownerIn(await this.read(options), point);
    if (owner.kind === 'unknown') throw nobodyKnown();
    if (owner.kind === 'shell') return { pid: this.#access.shellPid };
    return owner.kind === 'window' ? { windowId: owner.window.id, pid: owner.window.pid } : {};
  }

  async focused(options: CallOptions): Promise<FocusedWindow | undefined> {
    const { focused, windows } = await this.read(options);
    return focused === undefined
      ? undefined
      : { id: focused, pid: windows.find(({ id }) => id === focused)?.pid };
  }

  async ownerAt(point: Point, options: CallOptions): Promise<string> {
    const owner = ownerIn(await this.read(options), point);
    if (owner.kind === 'unknown') throw nobodyKnown();
    if (owner.kind !== 'window') return owner.kind;
    const { id, actor } = owner.window;
    return `${id} at ${actor.bounds.x},${actor.bounds.y}`;
  }

  async control(id: string, request: WindowRequest, options: CallOptions): Promise<{ readonly via: string }> {
    if (!isWindowId(id)) throw notTold();
    const window = (await this.read(options)).windows.find((each) => each.id === id);
    if (window === undefined) throw windowNotFound(id);
    if (request.kind === 'focus' && window.active) return { via: 'none' };
    throw refusedRequest(request);
  }

  /** Mutter does not tell when an application last saw input. */
  async userTimeMs(): Promise<number | undefined> {
    return undefined;
  }

  async watch(listener: (event: DisplayWindowEvent) => void, options: CallOptions): Promise<() => void> {
    const { connection } = this.#access.bus;
    const forget = await connection.addMatch({ type: 'signal', interface: WINDOW_EVENTS }, options);
    const ignore = connection.onSignal(({ interface: from, member, sender, path }) => {
      const kind = from === WINDOW_EVENTS ? EVENTS[member] : undefined;
      if (kind !== undefined && sender !== undefined) listener({ kind, id: windowIdOf(sender, path) });
    });
    return () => {
      ignore();
      void forget().catch(() => undefined);
    };
  }

  isElsewhere(pid: number): boolean {
    return isOnOtherDisplay(pid, this.#display);
  }

  /** @throws DeskterityError */
  async read(options: CallOptions): Promise<MutterView> {
    const [shell, isCovered, frames] = await Promise.all([
      this.#access.shell.read(options),
      isInOverview(this.#access.bus.session, options),
      readFrames(
        this.#access.applications,
        { shellPid: this.#access.shellPid, display: this.#display },
        options,
      ),
    ]);
    const matched = matchWindows({
      frames,
      actors: shell.actors,
      fit: (frame, actor) => fitOf(boxOf(frame, actor.bounds)),
      isActive: (frame) => frame.isActive,
    });
    const pairs = await Promise.all(
      shell.actors.map(async (actor) => {
        const frame = matched.get(actor);
        const box = frame && boxOf(frame, actor.bounds);
        if (frame === undefined || box === undefined) return undefined;
        const { topLevel, id, isActive } = frame;
        const shadow = frame.drawing === 'gtk3' ? await this.#shadowOf(frame, options) : undefined;
        const window: MutterWindow = {
          id,
          title: topLevel.title,
          pid: topLevel.application.pid,
          active: isActive,
          modal: hasState(topLevel.states, STATE.MODAL),
          actor,
          bounds: box.bounds,
          shadow,
        };
        return { window, frame };
      }),
    );
    const found = pairs.filter((pair) => pair !== undefined);
    this.#latest = new Map(found.map((pair) => [pair.window.id, pair]));
    const [focused, ...others] = frames.filter(({ isActive }) => isActive);
    return {
      ...shell,
      ...(isCovered ? { covers: [EVERYTHING] } : {}),
      windows: found.map(({ window }) => window),
      focused: others.length > 0 ? undefined : this.#idOf(focused),
    };
  }

  #idOf(frame: Frame | undefined): string | undefined {
    if (frame === undefined || this.#latest.has(frame.id)) return frame?.id;
    return treeWindowId(frame.topLevel.application.bus, frame.topLevel.path);
  }

  /** The place of a window that was matched, as long as nothing of it changed but its place. */
  async #placeNow(
    { window, frame }: { readonly window: MutterWindow; readonly frame: Frame },
    options: CallOptions,
  ): Promise<DisplayPlace | undefined> {
    const { application, path } = frame.topLevel;
    const [buffer, bounds] = await Promise.all([
      this.#access.shell.boundsOf(window.actor.path, options).catch(() => undefined),
      readTopLevelExtents(application, path, options),
    ]);
    const { width, height } = window.actor.bounds;
    if (buffer === undefined || bounds === undefined) return undefined;
    if (buffer.width !== width || buffer.height !== height) return undefined;
    const box = boxOf({ ...frame, bounds }, buffer);
    return box && { bounds: box.bounds, shadow: window.shadow };
  }

  /** GTK 3 counts its shadow as part of the window, and puts its content inside it. */
  async #shadowOf(frame: Frame, options: CallOptions): Promise<Extents | undefined> {
    const { application, path } = frame.topLevel;
    const { width, height } = frame.bounds;
    const key = `${frame.id} ${width}x${height}`;
    const known = this.#shadows.get(key);
    if (known !== undefined) return known;
    const content = await readContentBox(application, path, options);
    if (content === undefined) return undefined;
    const shadow = {
      left: content.x,
      top: content.y,
      right: Math.max(0, width - content.x - content.width),
      bottom: Math.max(0, height - content.y - content.height),
    };
    if (this.#shadows.size >= MOST_KEPT) this.#shadows.clear();
    this.#shadows.set(key, shadow);
    return shadow;
  }
}

/** Clients of Xwayland know their place; others report the corner of the screen. */
function boxOf(frame: Frame, buffer: Frame['bounds']): ContentBox | undefined {
  const knowsPlace = frame.bounds.x !== 0 || frame.bounds.y !== 0;
  return (knowsPlace ? placedIn(frame, buffer) : undefined) ?? contentIn(frame, buffer);
}

function fitOf(box: ContentBox | undefined): Fit {
  if (box === undefined) return 'none';
  return box.isExact ? 'exact' : 'loose';
}

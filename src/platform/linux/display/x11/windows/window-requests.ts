import { mentionCommand } from '../../../../../model/text/mention.ts';
import { unsupported } from '../../../failures.ts';
import type { WindowRequest } from '../../../../../ports/desktop/windows.ts';
import type { AtomName } from '../atoms.ts';
import { numbersOf, readProperty } from '../properties.ts';
import { isManagerAlive, readRootState } from '../root-state.ts';
import type { X11Wire } from '../wire.ts';
import type { Extents } from '../../display.ts';
import { OWN_GRAVITY, readPlacement, requestedPosition, staysWhenResized } from './gravity.ts';
import { readWindow, type X11Window } from './window.ts';
import { windowNotFound } from '../x11-errors.ts';

/** Event mask of messages to the window manager. */
const TO_MANAGER = 0x18_0000; // SubstructureRedirect | SubstructureNotify, as EWMH requires
const TO_OWNER = 0;
/** EWMH source indication 2: requested by a tool on the user's behalf. */
const SOURCE_PAGER = 2;
const HAS_POSITION = 0x300;
const HAS_SIZE = 0xc00;
const SOURCE_SHIFT = 12;
const ICONIC_STATE = 3;
const REMOVE = 0;
const ADD = 1;

type ManagerRequest = Exclude<WindowRequest, { readonly kind: 'close' }>;

interface Message {
  readonly type: AtomName;
  readonly data: readonly number[];
}

/** What the window manager must support (`_NET_SUPPORTED`) and allow for the window (`_NET_WM_ALLOWED_ACTIONS`). */
interface Requirements {
  readonly supported: readonly AtomName[];
  readonly allowed?: readonly AtomName[];
}

const REQUIRED: Readonly<Record<ManagerRequest['kind'], Requirements>> = {
  focus: { supported: ['_NET_ACTIVE_WINDOW'] },
  move: { supported: ['_NET_MOVERESIZE_WINDOW'], allowed: ['_NET_WM_ACTION_MOVE'] },
  resize: { supported: ['_NET_MOVERESIZE_WINDOW'], allowed: ['_NET_WM_ACTION_RESIZE'] },
  minimize: { supported: ['_NET_WM_STATE_HIDDEN'], allowed: ['_NET_WM_ACTION_MINIMIZE'] },
  maximize: {
    supported: ['_NET_WM_STATE', '_NET_WM_STATE_MAXIMIZED_HORZ', '_NET_WM_STATE_MAXIMIZED_VERT'],
    allowed: ['_NET_WM_ACTION_MAXIMIZE_HORZ', '_NET_WM_ACTION_MAXIMIZE_VERT'],
  },
  restore: { supported: ['_NET_WM_STATE', '_NET_ACTIVE_WINDOW'] },
};

/**
 * Sends a request to the window manager, or asks the application to close. Resolves with the method used when the request
 * has reached the server.
 *
 * @throws DeskterityError WINDOW_NOT_FOUND; ACTION_NOT_SUPPORTED if the window manager declares that it does not support it
 */
export async function controlWindow(
  wire: X11Wire,
  id: number,
  request: WindowRequest,
): Promise<{ readonly via: string }> {
  if (request.kind === 'close') return closeWindow(wire, id);
  const window = await manageable(wire, id, request.kind);
  const messages =
    request.kind === 'move' || request.kind === 'resize'
      ? [await placing(wire, id, request, window)]
      : messagesFor(wire, request, window);
  for (const { type, data } of messages)
    await wire.call('SendClientMessage', wire.root, id, wire.atom(type), 32, data, TO_MANAGER);
  if (messages.length === 0) return { via: 'none' };
  return { via: `x11:${[...new Set(messages.map(({ type }) => type))].join('+')}` };
}

/** The current window, if the window manager supports this request for it. */
async function manageable(wire: X11Wire, id: number, kind: ManagerRequest['kind']): Promise<X11Window> {
  const [window, supported, actions, { manager, clients }] = await Promise.all([
    readWindow(wire, id),
    readProperty(wire, wire.root, '_NET_SUPPORTED'),
    readProperty(wire, id, '_NET_WM_ALLOWED_ACTIONS'),
    readRootState(wire),
  ]);
  if (window === undefined) throw windowNotFound(id);
  if (!(await isManagerAlive(wire, manager)))
    throw unsupported(
      'No window manager is running on this display.',
      `Start one, or use a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
    );
  if (clients?.includes(id) !== true)
    throw unsupported(
      'The window manager does not manage this window.',
      `Choose another one from ${mentionCommand('list-windows')}.`,
    );
  const firstMissing = (known: readonly number[], names: readonly AtomName[]): AtomName | undefined =>
    names.find((name) => !known.includes(wire.atom(name)));
  const required = REQUIRED[kind];
  // One that was replaced may have removed what its successor declares, as Openbox does: then what it does shows.
  const unknown =
    supported === undefined ? undefined : firstMissing(numbersOf(supported), required.supported);
  if (unknown !== undefined)
    throw unsupported(
      `The window manager cannot ${kind} windows: it does not support ${unknown}.`,
      `Use a window manager that does, such as the one of a private desktop: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
    );
  const denied = actions === undefined ? undefined : firstMissing(numbersOf(actions), required.allowed ?? []);
  if (denied !== undefined)
    throw unsupported(
      `The window manager cannot ${kind} this window: it does not offer ${denied} for it.`,
      suggestionFor(window),
    );
  return window;
}

function suggestionFor({ fullscreen, isPartlyMaximized }: X11Window): string {
  return fullscreen || isPartlyMaximized
    ? `It fills the screen: run ${mentionCommand('restore')} first.`
    : 'Leave it unchanged: its application does not allow this, for example because its size is fixed.';
}

type PlacingRequest = Extract<WindowRequest, { readonly kind: 'move' | 'resize' }>;

/** The request for a position or a size; the other one stays. */
async function placing(
  wire: X11Wire,
  id: number,
  request: PlacingRequest,
  { bounds, shadow }: X11Window,
): Promise<Message> {
  const placement = await readPlacement(wire, id);
  const { left, right, top, bottom } = shadow ?? NO_EXTENTS;
  if (request.kind === 'move') {
    const { x, y } = requestedPosition({ x: request.x - left, y: request.y - top }, placement);
    return moveResize(HAS_POSITION, [x, y, 0, 0]);
  }
  const { x, y } = requestedPosition(bounds, placement);
  const keeping = staysWhenResized(placement) ? 0 : HAS_POSITION;
  return moveResize(keeping | HAS_SIZE, [x, y, request.width + left + right, request.height + top + bottom]);
}

function messagesFor(
  wire: X11Wire,
  request: Exclude<ManagerRequest, PlacingRequest>,
  window: X11Window,
): Message[] {
  const activate: Message = { type: '_NET_ACTIVE_WINDOW', data: [SOURCE_PAGER, 0, 0] };
  const unminimize = window.minimized ? [activate] : [];
  switch (request.kind) {
    case 'focus':
      return [activate];
    case 'minimize':
      return [{ type: 'WM_CHANGE_STATE', data: [ICONIC_STATE] }];
    case 'maximize':
      return [maximization(wire, ADD), ...unminimize];
    default:
      return [...endFilling(wire, window), ...unminimize];
  }
}

/** Removes only states that are set: not every window manager supports full screen. */
function endFilling(wire: X11Wire, { fullscreen, isPartlyMaximized }: X11Window): Message[] {
  return [
    ...(fullscreen ? [stateChange(REMOVE, wire.atom('_NET_WM_STATE_FULLSCREEN'), 0)] : []),
    ...(isPartlyMaximized ? [maximization(wire, REMOVE)] : []),
  ];
}

const NO_EXTENTS: Extents = { left: 0, right: 0, top: 0, bottom: 0 };

function maximization(wire: X11Wire, action: number): Message {
  return stateChange(
    action,
    wire.atom('_NET_WM_STATE_MAXIMIZED_HORZ'),
    wire.atom('_NET_WM_STATE_MAXIMIZED_VERT'),
  );
}

function stateChange(action: number, first: number, second: number): Message {
  return { type: '_NET_WM_STATE', data: [action, first, second, SOURCE_PAGER] };
}

function moveResize(has: number, [x, y, width, height]: readonly [number, number, number, number]): Message {
  const flags = OWN_GRAVITY | has | (SOURCE_PAGER << SOURCE_SHIFT);
  return { type: '_NET_MOVERESIZE_WINDOW', data: [flags, x, y, width, height] };
}

/**
 * Requests that a window close, as its close button does; the application may ask for confirmation or refuse. Resolves
 * with the method used when the request has reached the server.
 *
 * @throws DeskterityError WINDOW_NOT_FOUND
 */
async function closeWindow(wire: X11Wire, id: number): Promise<{ readonly via: string }> {
  const [attributes, supported, protocols, { manager, clients }] = await Promise.all([
    wire.tryCall('GetWindowAttributes', id),
    readProperty(wire, wire.root, '_NET_SUPPORTED'),
    readProperty(wire, id, 'WM_PROTOCOLS'),
    readRootState(wire),
  ]);
  if (attributes === undefined) throw windowNotFound(id);
  const isManaged = clients?.includes(id) === true && (await isManagerAlive(wire, manager));
  if (isManaged && numbersOf(supported).includes(wire.atom('_NET_CLOSE_WINDOW'))) {
    const type = wire.atom('_NET_CLOSE_WINDOW');
    await wire.call('SendClientMessage', wire.root, id, type, 32, [0, SOURCE_PAGER], TO_MANAGER);
    return { via: 'x11:_NET_CLOSE_WINDOW' };
  }
  const deleteWindow = wire.atom('WM_DELETE_WINDOW');
  if (numbersOf(protocols).includes(deleteWindow)) {
    await wire.call('SendClientMessage', id, id, wire.atom('WM_PROTOCOLS'), 32, [deleteWindow, 0], TO_OWNER);
    return { via: 'x11:WM_DELETE_WINDOW' };
  }
  throw unsupported(
    `X window 0x${id.toString(16)} does not support closing.`,
    `Close its application with: ${mentionCommand('close-app', { app: 'APP', force: true })}`,
  );
}

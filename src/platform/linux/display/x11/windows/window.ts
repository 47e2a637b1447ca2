import type { Bounds } from '../../../../../model/tree/bounds.ts';
import { numbersOf, readProperty, readPropertyOf, textOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import type { PropertyReply } from '../x11-library.ts';
import type { Extents } from '../../display.ts';

export interface X11Window {
  readonly id: number;
  readonly title: string;
  readonly pid: number | undefined;
  /** The class name in WM_CLASS. */
  readonly className: string | undefined;
  /** First of _NET_WM_WINDOW_TYPE, such as `_NET_WM_WINDOW_TYPE_DIALOG`. */
  readonly windowType: string | undefined;
  /** Atom names of _NET_WM_STATE, such as `_NET_WM_STATE_MAXIMIZED_VERT`. */
  readonly states: readonly string[];
  readonly minimized: boolean;
  /** Client area on the screen, in device pixels, including a shadow drawn by the toolkit ({@link gtkFrameExtents}). */
  readonly bounds: Bounds;
  /** The shadow around the visible frame that a GTK client draws itself. */
  readonly gtkFrameExtents: Extents | undefined;
  /** Position in the stack, 0 lowest; -1 for a window not listed by the window manager. */
  readonly stacking: number;
  readonly transientFor: number | undefined;
  readonly active: boolean;
  /** Whether it, or a window inside it, receives keys. */
  readonly hasInput: boolean;
}

/** Windows that users do not work with. */
const NON_USER_TYPES = ['_NET_WM_WINDOW_TYPE_DESKTOP', '_NET_WM_WINDOW_TYPE_DOCK'] as const;

const ICONIC_STATE = 3;
/** EWMH defines 13 states; a window with a million is hostile. */
const MAX_STATES = 64;

/** Everything about one window in one round trip (two for an atom not seen before); `undefined` if it is gone. */
export async function readWindow(
  wire: X11Wire,
  id: number,
  place: Pick<X11Window, 'stacking' | 'active' | 'hasInput'>,
): Promise<X11Window | undefined> {
  const property = (name: Parameters<typeof readProperty>[2]): Promise<PropertyReply | undefined> =>
    readProperty(wire, id, name);
  const [bounds, ...properties] = await Promise.all([
    readBounds(wire, id),
    property('_NET_WM_NAME'),
    property('WM_NAME'),
    property('_NET_WM_PID'),
    property('WM_CLASS'),
    property('_NET_WM_WINDOW_TYPE'),
    property('_NET_WM_STATE'),
    property('WM_STATE'),
    property('_GTK_FRAME_EXTENTS'),
    property('WM_TRANSIENT_FOR'),
  ]);
  if (bounds === undefined) return undefined;
  const [netName, name, pid, wmClass, type, state, wmState, gtkFrame, transient] = properties;
  const [windowType, ...states] = await Promise.all(
    [numbersOf(type)[0] ?? 0, ...numbersOf(state).slice(0, MAX_STATES)].map(async (atom) =>
      atom === 0 ? undefined : wire.atomName(atom),
    ),
  );
  const stateNames = states.filter((state) => state !== undefined);
  const transientFor = numbersOf(transient)[0];
  return {
    id,
    title: textOf(wire, netName) ?? textOf(wire, name) ?? '',
    pid: numbersOf(pid)[0],
    className: wmClass && wmClass.data.toString('latin1').split('\0')[1],
    windowType,
    states: stateNames,
    minimized: numbersOf(wmState)[0] === ICONIC_STATE || stateNames.includes('_NET_WM_STATE_HIDDEN'),
    bounds,
    gtkFrameExtents: parseExtents(gtkFrame),
    stacking: place.stacking,
    transientFor: transientFor === 0 ? undefined : transientFor,
    active: place.active,
    hasInput: place.hasInput,
  };
}

/** @param type its {@link X11Window.windowType} */
export function isUserWindow(type: string | undefined): boolean {
  return !NON_USER_TYPES.some((name) => name === type);
}

/** What changes when a window is moved or resized. */
export type WindowPlace = Pick<X11Window, 'bounds' | 'gtkFrameExtents'>;

/** One round trip; `undefined` if the window is gone. */
export async function readPlace(wire: X11Wire, id: number): Promise<WindowPlace | undefined> {
  const [bounds, gtkFrame] = await Promise.all([
    readBounds(wire, id),
    readProperty(wire, id, '_GTK_FRAME_EXTENTS'),
  ]);
  return bounds && { bounds, gtkFrameExtents: parseExtents(gtkFrame) };
}

/** A window's client area on the screen; `undefined` if the window is gone. */
export async function readBounds(wire: X11Wire, id: number): Promise<Bounds | undefined> {
  const [geometry, position] = await Promise.all([
    wire.tryCall('GetGeometry', id),
    wire.tryCall('TranslateCoordinates', id, wire.root, 0, 0),
  ]);
  if (geometry === undefined || position === undefined) return undefined;
  return { x: position.destX, y: position.destY, width: geometry.width, height: geometry.height };
}

/** The current screen: its size may have changed since connecting. */
export async function readScreen(wire: X11Wire): Promise<Bounds> {
  const geometry = await wire.tryCall('GetGeometry', wire.root);
  const { pixel_width: width, pixel_height: height } = wire.screen;
  return { x: 0, y: 0, width: geometry?.width ?? width, height: geometry?.height ?? height };
}

function parseExtents(property: PropertyReply | undefined): Extents | undefined {
  const [left, right, top, bottom] = numbersOf(property);
  if (left === undefined || right === undefined || top === undefined || bottom === undefined)
    return undefined;
  return { left, right, top, bottom };
}

/** Set on windows that should not receive the focus when they open; unrelated to input. */
const NO_USER_TIME = 0;

/**
 * EWMH `_NET_WM_USER_TIME` of a window, or of its `_NET_WM_USER_TIME_WINDOW`. GTK sets it to the time of the last key or
 * button it received, Qt to that of the last event of any kind.
 */
export async function readUserTime(wire: X11Wire, window: number): Promise<number | undefined> {
  const [time, keeper] = await Promise.all([
    wire.internAtom('_NET_WM_USER_TIME'),
    wire.internAtom('_NET_WM_USER_TIME_WINDOW'),
  ]);
  const [own, elsewhere] = await Promise.all([
    firstNumber(wire, window, time),
    firstNumber(wire, window, keeper),
  ]);
  const found = own ?? (elsewhere === undefined ? undefined : await firstNumber(wire, elsewhere, time));
  return found === NO_USER_TIME ? undefined : found;
}

async function firstNumber(wire: X11Wire, window: number, atom: number): Promise<number | undefined> {
  return numbersOf(await readPropertyOf(wire, window, atom))[0];
}

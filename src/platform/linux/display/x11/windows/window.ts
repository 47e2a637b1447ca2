import type { Bounds } from '../../../../../model/tree/bounds.ts';
import type { DisplayPlace, DisplayWindow, Extents } from '../../display.ts';
import type { AtomName } from '../atoms.ts';
import { numbersOf, readNumber, readProperty, textOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import { VIEWABLE } from '../x11-library.ts';
import type { PropertyReply } from '../x11-requests.ts';
import type { MappedWindow } from './hidden.ts';
import { readOwner } from './owner-pid.ts';
import { windowIdOf } from './window-id.ts';

/** What a window itself reports. */
export interface X11Window
  extends Omit<DisplayWindow, 'active' | 'hasInput' | 'stacking' | 'isHidden'>, MappedWindow {
  /** In at least one direction. */
  readonly isPartlyMaximized: boolean;
}

const ICONIC_STATE = 3;

/** One round trip; `undefined` if the window is gone. */
export async function readWindow(wire: X11Wire, id: number): Promise<X11Window | undefined> {
  const property = (name: AtomName): Promise<PropertyReply | undefined> => readProperty(wire, id, name);
  const [bounds, attributes, desktop, owner, ...properties] = await Promise.all([
    readBounds(wire, id),
    wire.tryCall('GetWindowAttributes', id),
    readNumber(wire, id, '_NET_WM_DESKTOP'),
    readOwner(wire, id),
    property('_NET_WM_NAME'),
    property('WM_NAME'),
    property('WM_CLASS'),
    property('_NET_WM_WINDOW_TYPE'),
    property('_NET_WM_STATE'),
    property('WM_STATE'),
    property('_GTK_FRAME_EXTENTS'),
    property('WM_TRANSIENT_FOR'),
  ]);
  if (bounds === undefined) return undefined;
  const [netName, name, wmClass, type, state, wmState, gtkFrame, transient] = properties;
  const states = new Set(numbersOf(state));
  const classNames = wmClass?.data.toString('latin1').split('\0') ?? [];
  const has = (name: AtomName): boolean => states.has(wire.atom(name));
  const isWide = has('_NET_WM_STATE_MAXIMIZED_HORZ');
  const isTall = has('_NET_WM_STATE_MAXIMIZED_VERT');
  return {
    id: windowIdOf(id),
    title: textOf(wire, netName) ?? textOf(wire, name) ?? '',
    ...owner,
    className: classNames[1],
    instanceName: classNames[0],
    isUserWindow: isUserType(wire, type),
    minimized: numbersOf(wmState)[0] === ICONIC_STATE || has('_NET_WM_STATE_HIDDEN'),
    isViewable: attributes?.mapState === VIEWABLE,
    isShaded: has('_NET_WM_STATE_SHADED'),
    desktop,
    maximized: isWide && isTall,
    isPartlyMaximized: isWide || isTall,
    fullscreen: has('_NET_WM_STATE_FULLSCREEN'),
    modal: has('_NET_WM_STATE_MODAL'),
    transientFor: windowIdIn(transient),
    bounds,
    shadow: parseExtents(gtkFrame),
  };
}

/** Whether users work with a window of this _NET_WM_WINDOW_TYPE, of which the first entry counts. */
export function isUserType(wire: X11Wire, type: PropertyReply | undefined): boolean {
  const [first] = numbersOf(type);
  return (
    first !== wire.atom('_NET_WM_WINDOW_TYPE_DESKTOP') && first !== wire.atom('_NET_WM_WINDOW_TYPE_DOCK')
  );
}

/** The public id of the window that a property names. */
export function windowIdIn(property: PropertyReply | undefined): string | undefined {
  const [window] = numbersOf(property);
  return window ? windowIdOf(window) : undefined;
}

/** One round trip; `undefined` if the window is gone. */
export async function readPlace(wire: X11Wire, id: number): Promise<DisplayPlace | undefined> {
  const [bounds, gtkFrame] = await Promise.all([
    readBounds(wire, id),
    readProperty(wire, id, '_GTK_FRAME_EXTENTS'),
  ]);
  return bounds && { bounds, shadow: parseExtents(gtkFrame) };
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
  const [own, keeper] = await Promise.all([
    readNumber(wire, window, '_NET_WM_USER_TIME'),
    readNumber(wire, window, '_NET_WM_USER_TIME_WINDOW'),
  ]);
  const found =
    own ?? (keeper === undefined ? undefined : await readNumber(wire, keeper, '_NET_WM_USER_TIME'));
  return found === NO_USER_TIME ? undefined : found;
}

import { numbersOf, readProperty, textOf } from './properties.ts';
import type { X11Wire } from './wire.ts';

/** EWMH properties of the root window. They outlive the window manager that set them, see {@link isManagerAlive}. */
export interface RootState {
  readonly manager: number | undefined;
  /** Client windows, lowest first. */
  readonly clients: readonly number[] | undefined;
  readonly active: number | undefined;
}

/** One round trip. */
export async function readRootState(wire: X11Wire): Promise<RootState> {
  const [check, stacking, list, active] = await Promise.all([
    readProperty(wire, wire.root, '_NET_SUPPORTING_WM_CHECK'),
    readProperty(wire, wire.root, '_NET_CLIENT_LIST_STACKING'),
    readProperty(wire, wire.root, '_NET_CLIENT_LIST'),
    readProperty(wire, wire.root, '_NET_ACTIVE_WINDOW'),
  ]);
  const activeId = numbersOf(active)[0];
  return {
    manager: numbersOf(check)[0],
    clients:
      stacking === undefined && list === undefined
        ? undefined
        : lowestFirst(numbersOf(stacking), numbersOf(list)),
    active: activeId === 0 ? undefined : activeId,
  };
}

/** xfwm4 reports the stack only when it changes the stack: a window that is new since then is missing in it, and lies on top. */
function lowestFirst(stacking: readonly number[], list: readonly number[]): number[] {
  const known = new Set(stacking);
  return [...stacking, ...list.filter((window) => !known.has(window))];
}

/** A window manager is alive while the window it names on the root exists and names itself. */
export async function isManagerAlive(wire: X11Wire, manager: number | undefined): Promise<boolean> {
  if (manager === undefined) return false;
  return numbersOf(await readProperty(wire, manager, '_NET_SUPPORTING_WM_CHECK'))[0] === manager;
}

/** Name of the running window manager; `undefined` without one. */
export async function windowManagerName(wire: X11Wire): Promise<string | undefined> {
  return managerNameOf(wire, (await readRootState(wire)).manager);
}

/** The same, where {@link RootState.manager} is known. */
export async function managerNameOf(wire: X11Wire, manager: number | undefined): Promise<string | undefined> {
  if (manager === undefined) return undefined;
  const [isAlive, name] = await Promise.all([
    isManagerAlive(wire, manager),
    readProperty(wire, manager, '_NET_WM_NAME'),
  ]);
  return isAlive ? (textOf(wire, name) ?? 'unnamed') : undefined;
}

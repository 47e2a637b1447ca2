import { intersect } from '../../../../../model/tree/bounds.ts';
import type { DisplayPopup, DisplayWindow } from '../../display.ts';
import { readNumber, readProperty } from '../properties.ts';
import { managerNameOf, readRootState } from '../root-state.ts';
import type { X11Wire } from '../wire.ts';
import { INPUT_OUTPUT, VIEWABLE } from '../x11-library.ts';
import { topLevelsOf } from './covers.ts';
import { isHidden, type MappedWindow } from './hidden.ts';
import { readOwner } from './owner-pid.ts';
import { climb, readParents } from './parents.ts';
import { windowIdOf } from './window-id.ts';
import { readBounds, readScreen, readWindow, windowIdIn } from './window.ts';

/** The focused window and its ancestors, as deep as toolkits nest their focus window inside a frame. One round trip while it is the one of the last call. */
export async function inputLineage(wire: X11Wire): Promise<readonly number[]> {
  const [reply, parents] = await Promise.all([
    wire.tryCall('GetInputFocus'),
    readParents(wire, lastInputLineage.get(wire) ?? []),
  ]);
  const focus = reply?.focus;
  if (focus === undefined || focus <= POINTER_ROOT) return [];
  const { windows } = await climb(wire, focus, parents, MAX_NESTING);
  lastInputLineage.set(wire, windows);
  return windows;
}

const lastInputLineage = new WeakMap<X11Wire, readonly number[]>();
/** 0 means no window, 1 the window under the pointer. */
const POINTER_ROOT = 1;
const MAX_NESTING = 6;

/** All application windows, lowest first. A window that vanishes meanwhile is omitted. */
export async function listWindows(wire: X11Wire): Promise<DisplayWindow[]> {
  const [{ manager, clients, active }, focus] = await Promise.all([readRootState(wire), inputLineage(wire)]);
  const [managerName, current, windows] = await Promise.all([
    managerNameOf(wire, manager),
    readNumber(wire, wire.root, '_NET_CURRENT_DESKTOP'),
    readWindows(wire, clients ?? [], { active, focus }),
  ]);
  if (managerName !== undefined && clients !== undefined)
    return windows.map((window) => ({
      ...window,
      isHidden: isHidden(window, { current, manager: managerName }),
    }));
  return readWindows(wire, await listTopLevels(wire, false), { active: undefined, focus });
}

async function readWindows(
  wire: X11Wire,
  ids: readonly number[],
  { active, focus }: { readonly active: number | undefined; readonly focus: readonly number[] },
): Promise<(DisplayWindow & MappedWindow)[]> {
  const windows = await Promise.all(
    ids.map(async (id, stacking) => {
      const window = await readWindow(wire, id);
      return window && { ...window, stacking, active: id === active, hasInput: focus.includes(id) };
    }),
  );
  return windows.filter((window) => window !== undefined);
}

const MENU_TYPES = ['_NET_WM_WINDOW_TYPE_POPUP_MENU', '_NET_WM_WINDOW_TYPE_DROPDOWN_MENU'] as const;

/** Lists of Qt 6 have the type of a window, and everything that GTK 4 opens has that of a menu that was torn off. */
const LIST_TYPES = [
  '_NET_WM_WINDOW_TYPE_COMBO',
  '_NET_WM_WINDOW_TYPE_NORMAL',
  '_NET_WM_WINDOW_TYPE_MENU',
] as const;

/** Mapped windows placed without the window manager, lowest first; helper windows of window managers are off-screen. */
export async function listPopups(wire: X11Wire): Promise<DisplayPopup[]> {
  const [children, { clients = [] }, screen] = await Promise.all([
    childrenOfRoot(wire),
    readRootState(wire),
    readScreen(wire),
  ]);
  const [topLevels, frames] = await Promise.all([
    topLevelsAmong(wire, children, true),
    topLevelsOf(wire, clients),
  ]);
  // The frames of i3 have no window manager, either.
  const ids = topLevels.filter((id) => !frames.includes(id) || clients.includes(id));
  const popups = await Promise.all(
    ids.map(async (id) => {
      const [bounds, owner, type, transient] = await Promise.all([
        readBounds(wire, id),
        readOwner(wire, id),
        readNumber(wire, id, '_NET_WM_WINDOW_TYPE'),
        readProperty(wire, id, 'WM_TRANSIENT_FOR'),
      ]);
      const isTooltip = type === wire.atom('_NET_WM_WINDOW_TYPE_TOOLTIP');
      const isMenu = MENU_TYPES.some((menu) => type === wire.atom(menu));
      const isList = LIST_TYPES.some((list) => type === wire.atom(list));
      const transientFor = windowIdIn(transient);
      return bounds && { id: windowIdOf(id), ...owner, isTooltip, isMenu, isList, transientFor, bounds };
    }),
  );
  return popups
    .filter((popup) => popup !== undefined)
    .filter((popup) => intersect(popup.bounds, screen) !== undefined);
}

/** Visible children of the root with the given override-redirect flag; helper windows of window managers have no pixels. */
export async function listTopLevels(wire: X11Wire, overrideRedirect: boolean): Promise<number[]> {
  return topLevelsAmong(wire, await childrenOfRoot(wire), overrideRedirect);
}

async function childrenOfRoot(wire: X11Wire): Promise<readonly number[]> {
  const tree = await wire.tryCall('QueryTree', wire.root);
  return tree?.children ?? [];
}

async function topLevelsAmong(
  wire: X11Wire,
  children: readonly number[],
  overrideRedirect: boolean,
): Promise<number[]> {
  const attributes = await Promise.all(children.map((id) => wire.tryCall('GetWindowAttributes', id)));
  return children.filter((_id, index) => {
    const window = attributes[index];
    return (
      window !== undefined &&
      window.mapState === VIEWABLE &&
      window.klass === INPUT_OUTPUT &&
      (window.overrideRedirect !== 0) === overrideRedirect
    );
  });
}

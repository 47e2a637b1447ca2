import { intersect, type Bounds } from '../../../../../model/tree/bounds.ts';
import { numbersOf, readProperty } from '../properties.ts';
import { isManagerAlive, readRootState } from '../root-state.ts';
import type { X11Wire } from '../wire.ts';
import { readBounds, readScreen, readWindow, type X11Window } from './window.ts';

/** A window that its client placed without the window manager: a menu, a combo-box list, a tooltip. */
export interface X11Popup {
  readonly id: number;
  readonly pid: number | undefined;
  readonly windowType: string | undefined;
  readonly transientFor: number | undefined;
  readonly bounds: Bounds;
}

/** The focused window and its ancestors, as deep as toolkits nest their focus window inside a frame. */
async function inputLineage(wire: X11Wire): Promise<number[]> {
  const lineage: number[] = [];
  let id = (await wire.tryCall('GetInputFocus'))?.focus;
  while (id !== undefined && id > POINTER_ROOT && id !== wire.root && lineage.length < MAX_NESTING) {
    lineage.push(id);
    id = (await wire.tryCall('QueryTree', id))?.parent;
  }
  return lineage;
}

/** 0 means no window, 1 the window under the pointer. */
const POINTER_ROOT = 1;
const MAX_NESTING = 6;
const VIEWABLE = 2;
const INPUT_OUTPUT = 1;

/** All application windows, lowest first. A window that vanishes meanwhile is omitted. */
export async function listWindows(wire: X11Wire): Promise<X11Window[]> {
  const [{ manager, clients, active }, focus] = await Promise.all([readRootState(wire), inputLineage(wire)]);
  const [isAlive, windows] = await Promise.all([
    isManagerAlive(wire, manager),
    readWindows(wire, clients ?? [], { active, focus }),
  ]);
  if (isAlive && clients !== undefined) return windows;
  return readWindows(wire, await listTopLevels(wire, false), { active: undefined, focus });
}

/** One window by its id, with its position in the stack; `undefined` if it is gone. */
export async function windowById(wire: X11Wire, id: number): Promise<X11Window | undefined> {
  const [{ manager, clients, active }, focus] = await Promise.all([readRootState(wire), inputLineage(wire)]);
  const [isAlive, window] = await Promise.all([
    isManagerAlive(wire, manager),
    readWindow(wire, id, {
      stacking: clients?.indexOf(id) ?? -1,
      active: id === active,
      hasInput: focus.includes(id),
    }),
  ]);
  return isAlive || window === undefined ? window : { ...window, stacking: -1, active: false };
}

async function readWindows(
  wire: X11Wire,
  ids: readonly number[],
  { active, focus }: { readonly active: number | undefined; readonly focus: readonly number[] },
): Promise<X11Window[]> {
  const windows = await Promise.all(
    ids.map((id, stacking) =>
      readWindow(wire, id, { stacking, active: id === active, hasInput: focus.includes(id) }),
    ),
  );
  return windows.filter((window) => window !== undefined);
}

/** Mapped windows placed without the window manager, lowest first; helper windows of window managers are off-screen. */
export async function listPopups(wire: X11Wire): Promise<X11Popup[]> {
  const ids = await listTopLevels(wire, true);
  const popups = await Promise.all(
    ids.map(async (id): Promise<X11Popup | undefined> => {
      const [bounds, pid, type, transient] = await Promise.all([
        readBounds(wire, id),
        readProperty(wire, id, '_NET_WM_PID'),
        readProperty(wire, id, '_NET_WM_WINDOW_TYPE'),
        readProperty(wire, id, 'WM_TRANSIENT_FOR'),
      ]);
      if (bounds === undefined) return undefined;
      const typeAtom = numbersOf(type)[0];
      const windowType = typeAtom === undefined ? undefined : await wire.atomName(typeAtom);
      return {
        id,
        pid: numbersOf(pid)[0],
        windowType,
        transientFor: numbersOf(transient)[0],
        bounds,
      };
    }),
  );
  const screen = await readScreen(wire);
  return popups
    .filter((popup) => popup !== undefined)
    .filter((popup) => intersect(popup.bounds, screen) !== undefined);
}

/** Visible children of the root with the given override-redirect flag; helper windows of window managers have no pixels. */
async function listTopLevels(wire: X11Wire, overrideRedirect: boolean): Promise<number[]> {
  const tree = await wire.tryCall('QueryTree', wire.root);
  const children = tree?.children ?? [];
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

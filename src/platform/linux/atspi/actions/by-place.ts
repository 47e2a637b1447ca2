import { roleSet } from '../../../../model/tree/role.ts';
import { ROOT_PATH } from '../tree/names.ts';
import { mapRole, NATIVE } from '../tree/roles.ts';
import { hasState, STATE } from '../tree/states.ts';
import type { StandIn } from './stand-ins.ts';
import { pathsAbove, type Surroundings } from './surroundings.ts';
import { isInFreeMenu } from './swing-menu.ts';

/** Deeper than anything in a popup. */
const MOST_ABOVE = 40;
/** An item, its menu, and what that is in. */
const MOST_AROUND_ITEM = 3;
/** Before the first element of a page that takes the focus. */
const MOST_BEFORE_FOCUS = 200;
/** The pane of a window, its layers, what is in them, and a menu there. */
const LAYERS = 4;

/** The conditions of a row that concern the place of an element. */
type Places = Pick<StandIn, 'notIn' | 'notInPopup' | 'notBesideMenu' | 'notInFreeMenu' | 'notInOpenMenu'>;

/** Whether a row has such conditions. */
export function dependsOnPlace({ notIn, ...others }: Places): boolean {
  const { notInPopup, notBesideMenu, notInFreeMenu, notInOpenMenu } = others;
  return (
    notIn !== undefined ||
    [notInPopup, notBesideMenu, notInFreeMenu, notInOpenMenu].some((condition) => condition === true)
  );
}

/** Whether the place of an element makes the action of a row something else than a click. */
export async function differsByPlace(around: Surroundings, row: Places, path: string): Promise<boolean> {
  const { notIn, notInPopup, notBesideMenu, notInFreeMenu, notInOpenMenu } = row;
  if (notIn !== undefined)
    for (const above of await pathsAbove(around, path, MOST_AROUND_ITEM)) {
      const [role, states] = await Promise.all([around.role(above), around.states(above)]);
      if (mapRole(role, states) === notIn) return true;
    }
  if (notInPopup === true && (await isInPopup(around, path))) return true;
  if (notInFreeMenu === true && (await isInFreeMenu(around, path))) return true;
  if (notInOpenMenu === true && (await isInOpenMenu(around, path))) return true;
  return notBesideMenu === true && (await isBesideMenu(around, path));
}

/** Whether it is in a popup, which the toolkit tells from a window by its role. Where none is open, that takes two questions. */
async function isInPopup(around: Surroundings, path: string): Promise<boolean> {
  const tops = await around.children(ROOT_PATH);
  const roles = await Promise.all(tops.map(around.role));
  const popups = new Set(tops.filter((_, at) => roles[at] === NATIVE.WINDOW));
  if (popups.size === 0) return false;
  return (await pathsAbove(around, path, MOST_ABOVE)).some((above) => popups.has(above));
}

/** Whether it is an item that shows in a menu; the titles of a menu bar show at all times. */
async function isInOpenMenu(around: Surroundings, path: string): Promise<boolean> {
  if (!hasState(await around.states(path), STATE.SHOWING)) return false;
  const parent = await around.parent(path);
  const [role, states] = await Promise.all([around.role(parent), around.states(parent)]);
  return mapRole(role, states) === 'menu';
}

/** Whether a menu is open in the layers of its window, which a click beside it closes. */
async function isBesideMenu(around: Surroundings, path: string): Promise<boolean> {
  const above = await pathsAbove(around, path, MOST_ABOVE);
  const window = above.at(-1);
  let layer = window === undefined ? [] : await around.children(window);
  for (let depth = 0; depth < LAYERS; depth++) {
    const roles = await Promise.all(layer.map(around.role));
    for (const [at, menu] of layer.entries()) {
      if (roles[at] !== NATIVE.POPUP_MENU || above.includes(menu)) continue;
      if (hasState(await around.states(menu), STATE.SHOWING)) return true;
    }
    const inner = layer.filter((_, at) => LAYERED.has(roles[at] ?? NATIVE.UNKNOWN));
    layer = (await Promise.all(inner.map(around.children))).flat();
  }
  return false;
}

const LAYERED: ReadonlySet<number> = new Set([NATIVE.ROOT_PANE, NATIVE.LAYERED_PANE, NATIVE.PANEL]);

const TABLES = roleSet('table', 'treegrid', 'tree', 'grid');
const FRAMES: ReadonlySet<number> = new Set([NATIVE.PANEL, NATIVE.SCROLL_PANE, NATIVE.VIEWPORT]);

/**
 * Whether a click on a tab selects a row, too: GTK 3 then gives the focus to the first element of the page that takes it, and a table that gets it
 * selects its first row.
 */
export async function selectsInPage(around: Surroundings, tab: string): Promise<boolean> {
  let left = MOST_BEFORE_FOCUS;
  /** Whether the first element that takes the focus is a table; `undefined` if none in here takes it. */
  const visit = async (path: string): Promise<boolean | undefined> => {
    if (left <= 0) return false;
    left -= 1;
    const [native, states] = await Promise.all([around.role(path), around.states(path)]);
    if (!hasState(states, STATE.VISIBLE) || !hasState(states, STATE.SENSITIVE)) return undefined;
    if (TABLES.has(mapRole(native, states))) return true;
    if (hasState(states, STATE.FOCUSABLE) && !FRAMES.has(native)) return false;
    return visitAll(await around.children(path));
  };
  const visitAll = async (paths: readonly string[]): Promise<boolean | undefined> => {
    for (const path of paths) {
      const found = await visit(path);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return (await visitAll(await around.children(tab))) ?? false;
}

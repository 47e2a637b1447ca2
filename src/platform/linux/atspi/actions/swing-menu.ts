import { roleSet, type Role } from '../../../../model/tree/role.ts';
import { mapRole } from '../tree/roles.ts';
import { hasState, STATE } from '../tree/states.ts';
import { pathsAbove, type Surroundings } from './surroundings.ts';

/** Deeper than any menu. */
const MOST_ABOVE = 12;
const ITEMS = roleSet('menuitem', 'menuitemcheckbox', 'menuitemradio');

/**
 * Where the item of a Swing menu is. A click closes the menus and then runs the item; an accessibility action only runs it, and its menus stay open
 * over what it brings about. Clearing the selection of the menu bar closes them at once. Nothing does that for a menu without a bar.
 */
async function placeOf(
  around: Surroundings,
  path: string,
): Promise<'closed' | 'free' | { readonly bar: string }> {
  const [role, states] = await Promise.all([around.role(path), around.states(path)]);
  if (!ITEMS.has(mapRole(role, states)) || !hasState(states, STATE.SHOWING)) return 'closed';
  for (const above of await pathsAbove(around, path, MOST_ABOVE))
    if ((await roleAt(around, above)) === 'menubar') return { bar: above };
  return 'free';
}

/** The menu bar that closes the open menus around an item. */
export async function barToClear(around: Surroundings, path: string): Promise<string | undefined> {
  const place = await placeOf(around, path);
  return typeof place === 'object' ? place.bar : undefined;
}

/** Whether it is an item of an open menu that no bar can close. */
export async function isInFreeMenu(around: Surroundings, path: string): Promise<boolean> {
  return (await placeOf(around, path)) === 'free';
}

async function roleAt(around: Surroundings, path: string): Promise<Role> {
  const [role, states] = await Promise.all([around.role(path), around.states(path)]);
  return mapRole(role, states);
}

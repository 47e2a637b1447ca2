import type { NodeHandle } from '../../../../model/tree/node.ts';
import { roleSet } from '../../../../model/tree/role.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Channel } from '../bus/application.ts';
import { INTERFACE, NULL_PATH } from '../tree/names.ts';
import { mapRole } from '../tree/roles.ts';
import { hasState, STATE } from '../tree/states.ts';
import { readActionNames } from '../tree/details.ts';

/** Deeper than any menu. */
const MAX_DEPTH = 12;

interface OpenMenu {
  /** What opened the first of its menus: an item of the menu bar. */
  readonly opener: string;
  readonly item: string;
}

/**
 * The open menu that an element is an item of; `undefined` if it is none, or if its menu is closed. An accessibility action leaves the menus of Qt
 * open, unlike a click.
 */
export async function openMenuOf(
  { connection, templates }: Channel,
  node: NodeHandle,
  options: CallOptions,
): Promise<OpenMenu | undefined> {
  const read = async (path: string) => {
    const [role, states, parent] = await Promise.all([
      connection.invoke(templates.role, path, options),
      connection.invoke(templates.state, path, options),
      connection.invoke(templates.parent, path, options),
    ]);
    return { role: mapRole(role, states), isShown: hasState(states, STATE.SHOWING), parent: parent.path };
  };
  const item = await read(node.path);
  if (!MENU_ITEMS.has(item.role) || !item.isShown) return undefined;
  let opener: string | undefined;
  let path = item.parent;
  for (let depth = 0; depth < MAX_DEPTH && path !== NULL_PATH; depth++) {
    const { role, parent } = await read(path);
    if (role === 'menubar') return opener === undefined ? undefined : { opener, item: node.path };
    if (MENU_ITEMS.has(role)) opener = path;
    else if (role !== 'menu') return undefined;
    path = parent;
  }
  return undefined;
}

const MENU_ITEMS = roleSet('menuitem', 'menuitemcheckbox', 'menuitemradio');

/** Closes the menu if it is still open. ShowMenu opens a closed menu and closes an open one. */
export async function closeMenu(
  channel: Channel,
  { opener, item }: OpenMenu,
  options: CallOptions,
): Promise<boolean> {
  const { connection, templates, destination } = channel;
  const states = await connection.invoke(templates.state, item, options);
  if (!hasState(states, STATE.SHOWING)) return false;
  const index = (await readActionNames(channel, opener, options)).indexOf('ShowMenu');
  if (index < 0) return false;
  const method = { interface: INTERFACE.ACTION, member: 'DoAction', signature: 'i', args: [index] };
  await connection.call({ ...method, destination, path: opener }, options);
  return true;
}

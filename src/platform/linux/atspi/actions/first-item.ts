import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Channel } from '../bus/application.ts';
import { mapRole } from '../tree/roles.ts';
import { hasState, STATE } from '../tree/states.ts';

/** Only the first item that can be selected matters; few menus begin with more than this many that cannot. */
const MOST_ITEMS = 8;

/**
 * Whether opening this menu through accessibility opens a submenu as well. GTK 3 then selects the first item that can be used, as the keyboard
 * does, and an item with a submenu shows that as soon as it is selected; a click selects none.
 */
export async function opensSubmenuToo(
  { connection, templates }: Channel,
  menu: NodeHandle,
  options: CallOptions,
): Promise<boolean> {
  const items = await connection.invoke(templates.children, menu.path, options);
  const read = await Promise.all(
    items.slice(0, MOST_ITEMS).map(async ({ path }) => {
      const [nativeRole, states] = await Promise.all([
        connection.invoke(templates.role, path, options),
        connection.invoke(templates.state, path, options),
      ]);
      const isUsable = hasState(states, STATE.VISIBLE) && hasState(states, STATE.SENSITIVE);
      return { role: mapRole(nativeRole, states), isUsable };
    }),
  );
  return read.find(({ role, isUsable }) => isUsable && role !== 'separator')?.role === 'menu';
}

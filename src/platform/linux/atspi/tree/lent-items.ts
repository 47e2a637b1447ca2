import type { CallOptions } from '../../../../ports/call-options.ts';
import type { Channel } from '../bus/application.ts';
import type { RawNode } from './raw-node.ts';
import { hasState, STATE, withShowing } from './states.ts';

/**
 * In Qt, an action that is in several menus is one object, which reports as its parent, state and place those of the menu that was asked first: in an
 * open context menu, the items that a menu of the menu bar has, too, report to be hidden. They show if the other menu gives them a size, which it
 * does not to hidden actions; where they are is unknown.
 */
export async function showLentItems(
  { connection, templates }: Channel,
  menu: RawNode,
  options: CallOptions,
): Promise<void> {
  const silent = menu.children.filter((item) => !item.dropped && !hasState(item.states, STATE.SHOWING));
  await Promise.all(
    silent.map(async (item) => {
      const parent = await connection.invoke(templates.parent, item.path, options).catch(() => undefined);
      const { extents } = item;
      const isSized = extents !== undefined && extents.width > 0 && extents.height > 0;
      if (parent !== undefined && parent.path !== menu.path && isSized) {
        item.states = withShowing(item.states);
        item.extents = undefined;
      } else item.dropped ||= item.isLent;
    }),
  );
}

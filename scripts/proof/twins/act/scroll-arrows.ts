import type { Box, SeenNode } from '../look/tree.ts';

/** The height of the arrows with which GTK 3 scrolls a menu that is higher than its popup; they lie over its items. */
const ARROW_PX = 25;
const MENUS = new Set(['menu', 'popup menu']);

/**
 * Whether a place in a popup is under such an arrow: as soon as the pointer comes there, the menu scrolls away under it, and a click that was
 * aimed before hits another item or none. A person looks again; a mouse that only knows where the item was does not.
 */
export function isUnderArrow(above: readonly SeenNode[], [, top, , height]: Box, y: number): boolean {
  const menu = above.findLast(({ role }) => MENUS.has(role));
  const items = (menu?.children ?? []).flatMap(({ box }) => (box === null ? [] : [box]));
  const isAbove = items.some(([, itemTop]) => itemTop < top);
  const isBelow = items.some(([, itemTop, , itemHeight]) => itemTop + itemHeight > top + height);
  return (isAbove && y < top + ARROW_PX) || (isBelow && y >= top + height - ARROW_PX);
}

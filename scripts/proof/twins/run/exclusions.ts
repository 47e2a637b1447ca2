import type { Act } from '../act/act.ts';
import type { Answer } from '../act/actor.ts';
import { findWidget, sameKey, usableWidgets } from '../act/widgets.ts';
import { isBrowserOpen } from '../look/browsers.ts';
import type { View } from '../look/compare.ts';
import type { Seen } from '../look/tree.ts';
import type { Before } from './before.ts';
import { ENTERED } from './entered.ts';

/**
 * Whether an item of a list was not clicked twice because its list closes with the first click: so it did for the mouse, whose second click went to
 * what was under the list.
 */
export function isRefusedRightly(twin: View, { kind, target }: Act, { effect, words }: Answer): boolean {
  if (kind !== 'double-click' || target.layer !== 'popup' || effect !== 'failed') return false;
  const isOfList = words.startsWith('ACTION_NOT_SUPPORTED') && words.includes(CLOSES_FIRST);
  return (
    isOfList &&
    !usableWidgets(twin.seen).some(({ key, layer }) => layer === 'popup' && sameKey(key, target.key))
  );
}

/** Whether a click was refused because it would only close an open menu; the mouse's click did just that, and did not press what was under it. */
export function isLeftToMenu({ effect, words }: Answer): boolean {
  return effect === 'failed' && words.startsWith('NOT_ACTIONABLE') && words.includes(TAKEN_BY_MENU);
}

const TAKEN_BY_MENU = 'a menu of its application is open, which takes the next click';
const CLOSES_FIRST = 'its list closes with the first click';

/**
 * Whether only our field holds the value, and the answer says that the application has not taken it: typed by hand, every key does something
 * else there, such as the blank that ends a command.
 */
export function isOnlyOurs(
  { ours, twin }: Before,
  { kind, target, value }: Act,
  { isPending }: Answer,
): boolean {
  const [mine, theirs] = [ours, twin].map(({ seen }) => findWidget(seen, target.key)?.node.text);
  return (
    ENTERED.has(kind) &&
    isPending === true &&
    value !== undefined &&
    mine?.includes(value) === true &&
    theirs?.includes(value) === false
  );
}

/** Whether an item that a mouse clicked in a menu still shows there: an item that runs something closes its menu. */
export function isSubmenu(after: Seen, { more }: Act): boolean {
  const item = more.at(-1);
  return item !== undefined && findWidget(after, item) !== undefined;
}

/** Whether the target is expanded. */
export function isExpanded({ seen }: View, { target }: Act): boolean {
  return findWidget(seen, target.key)?.node.states.includes('expanded') === true;
}

/** Whether the act opened a browser on the side of the twin. A browser that opens only on our side is no effect of the mouse, and is judged. */
export function opensBrowser(before: View, after: View): boolean {
  return isBrowserOpen(after.seen) && !isBrowserOpen(before.seen);
}

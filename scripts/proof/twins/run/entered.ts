import type { Act } from '../act/act.ts';
import { findWidget } from '../act/widgets.ts';
import type { View } from '../look/compare.ts';
import type { Before } from './before.ts';

/** Acts by which a text or a number is entered. */
export const ENTERED = new Set<Act['kind']>(['set-value', 'type']);

/** Whether a field shows something else than before; one that is gone took it, too. */
export function isEntered(before: View, after: View, { target }: Act): boolean {
  const [was, is] = [before, after].map(({ seen }) => findWidget(seen, target.key)?.node);
  return was?.text !== is?.text || was?.value !== is?.value;
}

/** Whether a field shows the same text on both sides. */
export function isSameText({ ours, twin }: Before, { target }: Act): boolean {
  const [mine, theirs] = [ours, twin].map(({ seen }) => findWidget(seen, target.key)?.node.text);
  return mine !== undefined && mine === theirs;
}

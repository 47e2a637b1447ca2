import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import { named, type ResolvedTarget } from '../refs/target.ts';
import type { Spot } from './hit-test.ts';
import type { WindowParts } from './input-lease.ts';

/**
 * The list that drops down from a combo box closes with the first click, so the second click of a double click reaches what is under the list.
 * @throws DeskterityError ACTION_NOT_SUPPORTED for an item of such a list
 */
export async function requireStaying(
  { desktop }: Pick<WindowParts, 'desktop'>,
  { node, point }: Spot,
  { ref, record }: ResolvedTarget,
  options: CallOptions,
): Promise<void> {
  if (!record.trail.some(({ role }) => role === 'combobox')) return;
  const { isPopup } = await desktop.contentAt(point, { ...options, app: node.handle.app });
  if (!isPopup) return;
  throw new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    `${named(ref, node)} was not acted on: its list closes with the first click, and the next one would reach what is under it.`,
    { suggestion: `Choose it with ${mentionCommand('click', { ref })}.`, delivered: false },
  );
}

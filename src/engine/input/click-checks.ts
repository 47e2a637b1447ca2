import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { State } from '../../model/tree/state.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import { isOutsidePopover, listTakingClick } from '../acting/open-list.ts';
import { isPartOfMenu } from '../evidence/menu-closing.ts';
import type { Reading } from '../evidence/window-diff.ts';
import { named, withName, type ResolvedTarget } from '../refs/target.ts';
import { coveredError, type Spot } from './hit-test.ts';
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

const OPENED: readonly State[] = ['expanded', 'pressed'];

/**
 * Checks that a click by hand would not only close an open popover, which an accessibility action leaves open.
 * @throws DeskterityError NOT_ACTIONABLE
 */
export async function requireNoPopover(
  { desktop }: Pick<WindowParts, 'desktop'>,
  target: ResolvedTarget,
  tree: Reading | undefined,
  options: CallOptions,
): Promise<void> {
  const isOpener = OPENED.some((state) => target.node.states.includes(state));
  if (isOpener || tree === undefined || !isOutsidePopover(target, tree)) return;
  throw await coveredError(desktop, { ref: target.ref, hit: { kind: 'menu' } }, options);
}

/**
 * Checks that a click would not only close an open menu, or the open list of a combo box, wherever it goes. The display must have a popup of the
 * application elsewhere; that a list takes the click, and not only shows, is known from its combo box. A click on what opened them closes them by
 * intention.
 * @throws DeskterityError NOT_ACTIONABLE naming what is open
 */
export async function requireFree(
  { desktop }: Pick<WindowParts, 'desktop'>,
  { node, point }: Spot,
  target: ResolvedTarget,
  tree: Reading | undefined,
  options: CallOptions,
): Promise<void> {
  // The titles of a menu bar switch from one open menu to the other.
  if (isPartOfMenu(node.role) || OPENED.some((state) => node.states.includes(state))) return;
  const { ref } = target;
  const isBehind = async (what: { readonly menus?: boolean; readonly lists?: boolean }): Promise<boolean> => {
    const content = await desktop
      .contentAt(point, { ...options, ...what, app: node.handle.app })
      .catch(() => undefined);
    return content?.isBehindMenu === true;
  };
  if (await isBehind({ menus: true }))
    throw await coveredError(desktop, { ref, hit: { kind: 'menu' } }, options);
  await requireNoPopover({ desktop }, target, tree, options);
  const box = tree && listTakingClick(target, tree);
  if (box === undefined || !(await isBehind({ lists: true }))) return;
  throw new DeskterityError(
    'NOT_ACTIONABLE',
    `${ref} was not acted on: the list of a ${withName(box)} is open, and the next click would only close that.`,
    {
      suggestion: `Choose one of its items, or close it with ${mentionCommand('press', { keys: 'Escape' })}.`,
      delivered: false,
      retryable: true,
    },
  );
}

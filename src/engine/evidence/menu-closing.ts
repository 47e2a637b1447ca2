import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';
import { isInView } from '../tree/element-states.ts';
import { pathTo } from '../tree/path-to.ts';
import type { Observation } from './evidence.ts';
import type { ObservedChange } from './window-diff.ts';

const ITEMS = roleSet('menuitem', 'menuitemcheckbox', 'menuitemradio');

/** Whether it is a menu or part of one. */
export function isPartOfMenu(role: Role): boolean {
  return ITEMS.has(role) || role === 'menu' || role === 'menubar';
}

/** What a closing menu or list loses, and what opened it. */
export const LOST_BY_CLOSING: ReadonlySet<string> = new Set([
  'none',
  'collapsed',
  'expanded',
  'focused',
  'hidden',
  'offscreen',
  'pressed',
  'selected',
]);

export const ONLY_CLOSED = 'only the menu that it is in closed, as it does whatever its items do';

export const ONLY_HIGHLIGHTED =
  'its menu stayed open; hints and submenus that follow the pointer prove nothing';

/**
 * What was seen without what the closing of the target's own menu or list brings: toolkits close it when an item is used, whether or not a
 * handler runs. A bar that is hidden takes its other menus along, which counts. While a menu is open, a status bar may say what the highlighted item
 * is for, and something else once that is closed. So may any text of a window, and the submenu of another item closes:
 * both follow the pointer, so they prove nothing while the menu stays open.
 */
export function besidesClosing(seen: Observation): Observation {
  const { before, trees, targetKey } = seen;
  const path = trees === undefined ? [] : pathTo(trees.before.root, targetKey);
  const isItem = ITEMS.has(before.role) || isSubmenu(before.role, path.at(-2)?.role);
  const popup = path.findIndex(({ role }) => opens(role));
  if (!isItem && (popup === -1 || !isOption(before.role))) return seen;
  // What is in the bar itself opens menus, and is in none.
  if (popup !== -1 && popup === path.length - 1 && path[popup - 1]?.role === 'menubar') return seen;
  const openers = new Set(path.map(({ handle }) => handleKey(handle)));
  // Nothing says which button opened a menu that stands beside the content of its window.
  const isDetached = popup <= 1;
  const inside = popup === -1 ? openers : keysIn(path[popup]);
  const bars = new Set([trees?.before.root, trees?.after.root].flatMap((root) => (root ? barsIn(root) : [])));
  const bar = isItem && isInView(before) ? statusesIn(trees) : new Set<string>();
  const isInMenu = popup !== -1 && popup < path.length - 1;
  const staysOpen =
    isItem &&
    isInMenu &&
    isInView(before) &&
    seen.after !== undefined &&
    isInView(seen.after) &&
    !path.some(({ role }) => role === 'document');
  const isOfClosing = ({ change, key, node, lineage }: ObservedChange): boolean => {
    if ([key, ...lineage].some((one) => bar.has(one))) return true;
    if (staysOpen && change.kind === 'changed' && HINTS.has(node.role) && !inside.has(key)) return true;
    if (change.kind === 'appeared') return false;
    if (change.kind !== 'changed') {
      const isOfBar = bars.has(lineage[0] ?? '') && change.kind !== 'focus' && !openers.has(key);
      return !isOfBar && (inside.has(key) || isPartOfMenu(node.role));
    }
    const mayBeOpener = isDetached && (node.role === 'togglebutton' || node.staysPressed === true);
    if (!inside.has(key) && !openers.has(key) && !isPartOfMenu(node.role) && !mayBeOpener) return false;
    const states = [change.before, change.after].flatMap((side) => side?.split(' ') ?? []);
    // A button that comes down is no opener.
    // Swing reports the title of an open menu as checked; what can be checked is no title.
    const isTitle = bars.has(lineage[0] ?? '') || (openers.has(key) && key !== targetKey);
    const mayBeLost = (state: string): boolean =>
      LOST_BY_CLOSING.has(state) || (isTitle && state === 'checked');
    return states.every(mayBeLost) && !(mayBeOpener && states.at(-1) === 'pressed');
  };
  const changes = seen.changes.filter((observed) => !isOfClosing(observed));
  if (changes.length === seen.changes.length) return seen;
  return { ...seen, changes, ...(staysOpen ? { wasOnlyHighlighted: true } : { hasClosed: true }) };
}

/** What may say what the highlighted item is for. */
const HINTS = roleSet('status', 'text');

/** The title of a menu in another menu. */
function isSubmenu(role: Role, parent: Role | undefined): boolean {
  return role === 'menu' && parent !== undefined && parent !== 'menubar' && isPartOfMenu(parent);
}

/** What opens a list or menu with the items in it. */
function opens(role: Role): boolean {
  return role === 'combobox' || (isPartOfMenu(role) && role !== 'menubar');
}

function isOption(role: Role): boolean {
  return role === 'option' || role === 'listitem' || role === 'cell' || role === 'row';
}

/** {@link handleKey} of each menu bar. */
function barsIn(node: TreeNode): string[] {
  return keysOfRole(node, 'menubar');
}

function statusesIn(trees: Observation['trees']): ReadonlySet<string> {
  const roots = trees === undefined ? [] : [trees.before.root, trees.after.root];
  return new Set(roots.flatMap((root) => keysOfRole(root, 'status')));
}

function keysOfRole(node: TreeNode, role: Role): string[] {
  return node.role === role
    ? [handleKey(node.handle)]
    : node.children.flatMap((child) => keysOfRole(child, role));
}

function keysIn(node: TreeNode | undefined, keys = new Set<string>()): ReadonlySet<string> {
  if (node === undefined) return keys;
  keys.add(handleKey(node.handle));
  for (const child of node.children) keysIn(child, keys);
  return keys;
}

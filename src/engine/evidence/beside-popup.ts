import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { showsItsList } from '../tree/dropped-down.ts';
import { isInView } from '../tree/element-states.ts';
import { pathTo } from '../tree/path-to.ts';
import type { Observation } from './evidence.ts';
import { LOST_BY_CLOSING } from './menu-closing.ts';
import type { ObservedChange } from './window-diff.ts';

const ITEMS = roleSet('menuitem', 'menuitemcheckbox', 'menuitemradio');
/** What a menu, list or popover may hang on. */
const OPENERS = roleSet('button', 'combobox', 'menuitem', 'togglebutton');

/**
 * What a click of the pointer beside an open menu, list or popover showed, without what came of that closing: wherever the click goes, it closes,
 * and in many toolkits the click does nothing else.
 *
 * @param placed the element at the place that was clicked, if the click was aimed at a place
 */
export function besidesDismissed(seen: Observation, placed?: NodeDetails): Observation {
  const { trees, before, targetKey } = seen;
  // A click on what opened it closes it as its own effect.
  if (trees === undefined || isOpen(before)) return seen;
  const path = keysOf(pathTo(trees.before.root, targetKey));
  const closed = trees.before.root.children
    .flatMap((child) => (isOpenSomewhere(child) ? [child] : openPopups(child)))
    .filter(({ handle }) => !path.has(handleKey(handle)) && !isOpenIn(trees.after.root, handleKey(handle)))
    .filter((popup) => !hangsOn(trees.before.root, popup, path))
    .filter((popup) => placed === undefined || !isOpenerOf(trees.before.root, popup, placed));
  if (closed.length === 0) return seen;
  const dismissed = keysOf(closed.flatMap(nodesIn));
  const changes = seen.changes.filter((change) => !isOfClosing(change, dismissed));
  return { ...seen, changes, dismissed };
}

function isOfClosing({ change, key, lineage, node }: ObservedChange, inside: ReadonlySet<string>): boolean {
  // The focus goes back to where it was.
  if (change.kind === 'focus') return true;
  if ([key, ...lineage].some((one) => inside.has(one))) return change.kind !== 'appeared';
  if (change.kind !== 'changed') return false;
  const was = change.before?.split(' ') ?? [];
  const is = change.after?.split(' ') ?? [];
  const differing = [...was.filter((one) => !is.includes(one)), ...is.filter((one) => !was.includes(one))];
  if (differing.every((state) => state === 'focused' || state === 'none')) return true;
  const isReleased = !is.includes('pressed') && !is.includes('expanded');
  return OPENERS.has(node.role) && isReleased && differing.every((state) => LOST_BY_CLOSING.has(state));
}

/** The outermost menus, lists and popovers that are open. */
function openPopups(node: TreeNode): TreeNode[] {
  return isPopupOpen(node) ? [node] : node.children.flatMap(openPopups);
}

function isPopupOpen(node: TreeNode): boolean {
  if (node.role === 'combobox') return isInView(node) && hasDroppedDown(node);
  if (node.role === 'menu') return nodesIn(node).some((one) => ITEMS.has(one.role) && isInView(one));
  return node.states.includes('modal') && isInView(node);
}

/** GTK 4 tells it of the button in a combo box only. */
function hasDroppedDown(node: TreeNode): boolean {
  const { states, children } = node;
  return (
    states.includes('expanded') ||
    showsItsList(node) ||
    children.some(({ role, states: own }) => BUTTONS.has(role) && own.includes('pressed'))
  );
}

const BUTTONS = roleSet('button', 'togglebutton');

/** What is in lists and menus. */
const CHOICES = roleSet('listitem', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option');

/**
 * A menu or list with no place, beside the content of its window: some displays tell nobody where popups are, and those that are closed are not listed.
 */
function isOpenSomewhere(node: TreeNode): boolean {
  const inside = nodesIn(node);
  const isShown = ({ states }: TreeNode): boolean =>
    !states.includes('hidden') && !states.includes('offscreen');
  return (
    inside.every(({ bounds }) => bounds === undefined) &&
    inside.some((one) => CHOICES.has(one.role) && isShown(one))
  );
}

function isOpenIn(root: TreeNode, key: string): boolean {
  const path = pathTo(root, key);
  const node = path.at(-1);
  return node !== undefined && (isPopupOpen(node) || (path.length === 2 && isOpenSomewhere(node)));
}

/** Whether the target is part of what a popup hangs on. */
function hangsOn(root: TreeNode, popup: TreeNode, path: ReadonlySet<string>): boolean {
  return pathTo(root, handleKey(popup.handle)).some(
    ({ role, handle }) => OPENERS.has(role) && path.has(handleKey(handle)),
  );
}

/** Whether it opened the popup, and is in no item of it. */
function isOpenerOf(root: TreeNode, popup: TreeNode, { handle }: NodeDetails): boolean {
  const path = pathTo(root, handleKey(handle));
  const key = handleKey(popup.handle);
  const inside = path.slice(path.findIndex((node) => handleKey(node.handle) === key) + 1);
  const isInItem = inside.length < path.length && inside.some(({ role }) => CHOICES.has(role));
  return !isInItem && hangsOn(root, popup, keysOf(path));
}

function isOpen({ states }: Observation['before']): boolean {
  return states.includes('pressed') || states.includes('expanded');
}

function nodesIn(node: TreeNode): TreeNode[] {
  return [node, ...node.children.flatMap(nodesIn)];
}

function keysOf(nodes: readonly TreeNode[]): ReadonlySet<string> {
  return new Set(nodes.map(({ handle }) => handleKey(handle)));
}

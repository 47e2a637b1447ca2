import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';
import { isItem } from '../tree/identity.ts';
import type { ObservedChange, Reading } from './window-diff.ts';

const LISTS = roleSet('grid', 'list', 'listbox', 'table', 'tree', 'treegrid');

/** Of one reading: the keys of what is in each list, by the key of the list. What is in a list in a list is in the inner one. */
const known = new WeakMap<TreeNode, ReadonlyMap<string, readonly string[]>>();

function listsIn(root: TreeNode): ReadonlyMap<string, readonly string[]> {
  const found = known.get(root);
  if (found !== undefined) return found;
  const lists = new Map<string, string[]>();
  const visit = (node: TreeNode, items: string[] | undefined): void => {
    const key = handleKey(node.handle);
    if (mayShow(node.role)) items?.push(key);
    const inside: string[] | undefined = LISTS.has(node.role) ? [] : items;
    if (inside !== undefined && inside !== items) lists.set(key, inside);
    for (const child of node.children) visit(child, inside);
  };
  visit(root, undefined);
  known.set(root, lists);
  return lists;
}

/** The list that a change is in, if another text is shown there, or an item came or went: a list of processes is refreshed as a whole. */
function refreshedList(
  { change, node, lineage }: ObservedChange,
  reading: Reading | undefined,
): { readonly key: string; readonly items: readonly string[] } | undefined {
  if (reading === undefined || change.kind === 'focus' || !mayShow(node.role)) return undefined;
  if (change.kind === 'changed' && !/^(?:name|value) "/.test(change.before ?? '')) return undefined;
  const lists = listsIn(reading.root);
  for (const key of lineage) {
    const items = lists.get(key);
    if (items !== undefined) return { key, items };
  }
  return undefined;
}

/** What is in the list whose items a change may have been refreshed with. */
export function itemsBeside(observed: ObservedChange, reading: Reading | undefined): readonly string[] {
  return refreshedList(observed, reading)?.items ?? [];
}

/** Of the changes, those in lists that changed by themselves as well, whichever of their items did so. */
export function refreshed(
  changes: readonly ObservedChange[],
  byThemselves: readonly ObservedChange[],
  reading: Reading | undefined,
): readonly ObservedChange[] {
  const restless = new Set(byThemselves.map((observed) => refreshedList(observed, reading)?.key));
  restless.delete(undefined);
  if (restless.size === 0) return [];
  return changes.filter((observed) => restless.has(refreshedList(observed, reading)?.key));
}

function mayShow(role: Role): boolean {
  return isItem(role) || role === 'text';
}

import type { ElementRecord } from '../../model/refs/ref-document.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';

/** What is known of an element that has no ref yet. */
export type ElementDescription = Omit<ElementRecord, 'ref'>;

/** Items of views whose native objects show other items after scrolling or sorting: there another name means another element. */
const ITEM_ROLES = roleSet(
  'listitem',
  'option',
  'row',
  'cell',
  'gridcell',
  'treeitem',
  'columnheader',
  'rowheader',
);

/** Names are untrusted and may be huge; this much is enough to distinguish elements. */
const MAX_NAME = 120;

/** Whether the element is an item or inside one, so that its native object may later show another item. */
export function isReusable(record: Pick<ElementRecord, 'role' | 'trail'>): boolean {
  return isItem(record.role) || record.trail.some((step) => isItem(step.role));
}

/** Whether elements of this role are items of a view that may show other items in the same native objects. */
export function isItem(role: Role): boolean {
  return ITEM_ROLES.has(role);
}

/**
 * Whether one native object, described twice, is still the same element. A button may change its name; an item must keep its name and, if
 * another item has the same one, its neighbours.
 */
export function isSameElement(before: ElementDescription, now: ElementDescription): boolean {
  if (before.role !== now.role) return false;
  if (!isReusable(before) && !isReusable(now)) return true;
  return (
    sameList(itemNames(before), itemNames(now)) &&
    ((!before.has_twin && !now.has_twin) || sameList(before.neighbours, now.neighbours))
  );
}

function itemNames({ role, name, trail }: ElementDescription): string[] {
  return [...trail, { role, name }].filter((step) => ITEM_ROLES.has(step.role)).map((step) => step.name);
}

/** The name that identifies an element. Items without one are named by their content. */
export function labelOf(node: TreeNode): string {
  if (node.name !== '' || !ITEM_ROLES.has(node.role)) return clip(node.name);
  return clip((node.value ?? '') || firstName(node.children));
}

function firstName(nodes: readonly TreeNode[]): string {
  for (const node of nodes) {
    const name = node.name || firstName(node.children);
    if (name !== '') return name;
  }
  return '';
}

export function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}

export function clip(name: string): string {
  return name.length > MAX_NAME ? name.slice(0, MAX_NAME) : name;
}

import type { ElementRecord } from '../../model/refs/ref-document.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { Role } from '../../model/tree/role.ts';

/** What is known of an element when it is seen, before it has a ref. */
export type ElementDescription = Omit<ElementRecord, 'ref'>;

/** Views that show another item in the same native object when they scroll or sort: there other words mean another element. */
const ITEM_ROLES: ReadonlySet<Role> = new Set<Role>([
  'listitem',
  'option',
  'row',
  'cell',
  'gridcell',
  'treeitem',
  'columnheader',
  'rowheader',
]);

/** Names are hostile and may be huge; this much is enough to tell elements apart. */
const MAX_NAME = 120;

/** Whether the element is an item, or stands in one, whose native object may come to show another item. */
export function isReusable(record: Pick<ElementRecord, 'role' | 'trail'>): boolean {
  return isItem(record.role) || record.trail.some((step) => isItem(step.role));
}

/** Whether elements of this role are items of a view that may show others in their place. */
export function isItem(role: Role): boolean {
  return ITEM_ROLES.has(role);
}

/**
 * Whether one native object, described twice, is still the same element. A button may change its name; an item is what it says, and what it
 * stands between where another item says the same.
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

/** The name to know an element by. Items without one are called by what they hold. */
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

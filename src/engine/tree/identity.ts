import type { ElementRecord, TrailStep } from '../../model/refs/ref-document.ts';
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

/** How many neighbours on each side are in a description. */
export const NEIGHBOURS_EACH_SIDE = 3;

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

/**
 * Whether an item that its toolkit makes anew for each reading was only pushed along by what was added or removed before it in its container: it moved
 * by exactly as many places as the container grew, has the same neighbours on one side, and nothing else had, then or now.
 */
export function isPushedAlong(before: ElementDescription, now: ElementDescription): boolean {
  if (before.slot === undefined || now.slot === undefined) return false;
  const grownBy = now.slot.count - before.slot.count;
  if (grownBy === 0 || now.slot.index - before.slot.index !== grownBy) return false;
  const isContentSame =
    before.window === now.window &&
    before.role === now.role &&
    before.name === now.name &&
    before.open_above === now.open_above &&
    sameTrail(before.trail, now.trail);
  if (!isContentSame) return false;
  const [aboveThen, belowThen] = sidesOf(before.neighbours);
  const [above, below] = sidesOf(now.neighbours);
  const isAloneOn = (side: 'above' | 'below'): boolean =>
    before.alone?.includes(side) === true && now.alone?.includes(side) === true;
  return (
    (isAloneOn('above') && sameList(aboveThen, above)) || (isAloneOn('below') && sameList(belowThen, below))
  );
}

/** The neighbours before an element, and those after it. */
export function sidesOf(neighbours: readonly string[]): [readonly string[], readonly string[]] {
  const at = neighbours.indexOf('|');
  return [neighbours.slice(0, at), neighbours.slice(at + 1)];
}

export function sameTrail(a: readonly TrailStep[], b: readonly TrailStep[]): boolean {
  return (
    a.length === b.length &&
    a.every((step, index) => step.role === b[index]?.role && step.name === b[index]?.name)
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

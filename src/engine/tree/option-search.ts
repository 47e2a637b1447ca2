import type { TreeNode } from '../../model/tree/node.ts';
import { roleSet, type Role } from '../../model/tree/role.ts';
import { isInView } from './element-states.ts';
import { rowsOf } from './table-rows.ts';

/** Roles of options. */
const OPTIONS = roleSet('cell', 'gridcell', 'listitem', 'menuitem', 'option', 'row', 'tab', 'treeitem');
/** Roles of the containers of options. */
const CONTAINERS = roleSet('combobox', 'grid', 'list', 'listbox', 'table', 'tablist', 'tree', 'treegrid');
/** Cells are options only if no row contains them. */
const CELLS = roleSet('cell', 'gridcell');

export function isContainer(role: Role): boolean {
  return CONTAINERS.has(role);
}

export function isCell(role: Role): boolean {
  return CELLS.has(role);
}

/** An option in a reading of its container. */
export interface Option {
  readonly node: TreeNode;
  readonly label: string;
  /** The innermost container of the option. */
  readonly container: TreeNode;
}

/** All options below a container, in document order. */
export function optionsIn(root: TreeNode): Option[] {
  const found: Option[] = [];
  const visit = (node: TreeNode, container: TreeNode): void => {
    for (const child of node.children) {
      // The list of a combo box belongs to it; a combo box in a row does not.
      if (child.role === 'combobox') continue;
      if (isContainer(child.role) && root.role !== 'combobox') visit(child, child);
      else if (!OPTIONS.has(child.role)) visit(child, container);
      else {
        found.push({ node: child, label: optionLabel(child), container });
        if (child.role === 'treeitem') visit(child, container);
      }
    }
  };
  visit(root, root);
  return found;
}

/** One option for each row: cells beside each other are of one, for which the first that is shown stands. */
export function rowOptions(options: readonly Option[]): Option[] {
  const taken = new Set<TreeNode>();
  const rowOf = new Map<TreeNode, readonly TreeNode[]>();
  for (const container of new Set(options.map((option) => option.container)))
    for (const row of rowsOf(container)) for (const cell of row) rowOf.set(cell, row);
  const byNode = new Map(options.map((option) => [option.node, option]));
  return options.flatMap((option) => {
    const row = isCell(option.node.role) ? rowOf.get(option.node) : undefined;
    if (row === undefined) return [option];
    if (row.some((cell) => taken.has(cell))) return [];
    taken.add(option.node);
    const shown = row.find((cell) => isInView(cell));
    return [(shown && byNode.get(shown)) ?? option];
  });
}

/** The other options of the same container: cells beside an option in its row belong to it. */
export function rivalsOf(option: Option, all: readonly Option[]): readonly Option[] {
  const isBeside = ({ node }: Option): boolean =>
    isCell(node.role) &&
    (node.bounds === undefined || option.node.bounds === undefined || node.bounds.y === option.node.bounds.y);
  return all.filter((other) => other !== option && other.container === option.container && !isBeside(other));
}

/** The option that an element is or belongs to, with its container, given the element and its ancestors, nearest first. */
export function optionAround<T extends { readonly role: Role }>(
  lineage: readonly T[],
): { readonly option: T; readonly container: T } | undefined {
  const at = lineage.findIndex(({ role }, index) => index > 0 && isContainer(role));
  if (at < 0) return undefined;
  const inside = lineage.slice(0, at);
  const option =
    inside.find(({ role }) => OPTIONS.has(role) && !CELLS.has(role)) ??
    inside.find(({ role }) => OPTIONS.has(role));
  const container = lineage.slice(at, at + 3).find(({ role }) => role === 'combobox') ?? lineage[at];
  return option && container && { option, container };
}

/** The options with a text: equal, else ignoring case, else containing it. */
export function optionsNamed(options: readonly Option[], text: string): Option[] {
  const wanted = plain(text);
  const folded = wanted.toLowerCase();
  return firstMatching(
    options,
    ({ label }) => label === wanted,
    ({ label }) => label.toLowerCase() === folded,
    ({ label }) => folded !== '' && label.toLowerCase().includes(folded),
  );
}

/** The labels that several options have. */
export function sharedLabels(options: readonly Option[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { label } of options) (seen.has(label) ? shared : seen).add(label);
  return shared;
}

/** The items that pass the first of these tests that any item passes. */
export function firstMatching<T>(items: readonly T[], ...tests: readonly ((item: T) => boolean)[]): T[] {
  for (const test of tests) {
    const found = items.filter((item) => test(item));
    if (found.length > 0) return found;
  }
  return [];
}

/** The text of an element, or the first text inside it. */
export function optionLabel(node: TreeNode): string {
  return plain(node.name || (node.value ?? '')) || labelWithin(node);
}

function labelWithin(node: TreeNode): string {
  for (const child of node.children) {
    const label = plain(child.name) || labelWithin(child);
    if (label !== '') return label;
  }
  return '';
}

/** Text for comparison: applications and callers use different white space. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

import type { TreeNode } from '../../model/tree/node.ts';
import { isInteractive, roleSet } from '../../model/tree/role.ts';

/**
 * What has the keyboard focus: the deepest element that says so. Qt says it of the current tab, too, and of the bare box inside a text field.
 */
export function focusIn(root: TreeNode): TreeNode | undefined {
  const found: TreeNode[] = [];
  const visit = (node: TreeNode, control: TreeNode | undefined): void => {
    const has = node.states.includes('focused');
    const within = has && isInteractive(node.role) ? node : control;
    const before = found.length;
    for (const child of node.children) visit(child, within);
    if (has && found.length === before) found.push(isBareBox(node) && control ? control : node);
  };
  visit(root, undefined);
  // LibreOffice says it of a sheet, and Qt of an item, while its text is edited elsewhere in the tree.
  const [best] = found.toSorted((a, b) => vagueness(a) - vagueness(b));
  return best;
}

const CONTAINERS = roleSet('document', 'grid', 'list', 'listbox', 'table', 'tablist', 'tree', 'treegrid');

const ITEMS = roleSet('cell', 'gridcell', 'listitem', 'option', 'row', 'treeitem');

function vagueness({ role }: TreeNode): number {
  if (role === 'tab') return 3;
  if (CONTAINERS.has(role)) return 2;
  return ITEMS.has(role) ? 1 : 0;
}

function isBareBox({ role, name, value = '' }: TreeNode): boolean {
  return (role === 'generic' || role === 'group') && name === '' && value === '';
}

import { roleSet } from '../role.ts';
import { eachUp, isFocused } from './draft.ts';
import type { Draft, Pass } from './draft.ts';

const POPUP_CONTENT = roleSet(
  'list',
  'listbox',
  'listitem',
  'menu',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
);

const OWNERS = roleSet('button', 'combobox', 'menuitem', 'togglebutton', 'treeitem');

/** Qt keeps the items of a closed combo box in the tree with outdated bounds: collapsed elements show no content, only the selection. */
export const dropClosedPopups: Pass = (root, options) => {
  if (options.wholeTree) return;
  eachUp(root, (node) => {
    if (!OWNERS.has(node.role) || !node.states.includes('collapsed')) return;
    const closed = node.children.filter((child) => POPUP_CONTENT.has(child.role) && !holdsFocus(child));
    if (closed.length === 0) return;
    if (node.role === 'combobox' && node.value === '') node.value = chosen(closed) ?? '';
    node.children = node.children.filter((child) => !closed.includes(child));
  });
};

function holdsFocus(node: Draft): boolean {
  return isFocused(node) || node.children.some(holdsFocus);
}

function chosen(nodes: readonly Draft[]): string | undefined {
  for (const node of nodes) {
    if (node.states.includes('selected') && node.name !== '') return node.name;
    const below = chosen(node.children);
    if (below !== undefined) return below;
  }
  return undefined;
}

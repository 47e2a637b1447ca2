import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import { isInteractive, roleSet } from '../../model/tree/role.ts';
import { pathTo } from './path-to.ts';

interface Around {
  /** The nearest control that says it, too. */
  readonly control: TreeNode | undefined;
  readonly isInPage: boolean;
}

/**
 * What has the keyboard focus: the deepest element that says so. Qt says it of the current tab, too, and of the bare box inside a text field.
 */
export function focusIn(root: TreeNode): TreeNode | undefined {
  const found: { readonly node: TreeNode; readonly isInPage: boolean }[] = [];
  const visit = (node: TreeNode, { control, isInPage }: Around): void => {
    const has = node.states.includes('focused');
    const within = {
      control: has && isInteractive(node.role) ? node : control,
      isInPage: isInPage || node.role === 'document',
    };
    const before = found.length;
    for (const child of node.children) visit(child, within);
    if (has && found.length === before)
      found.push({ node: isBareBox(node) && control ? control : node, isInPage: within.isInPage });
  };
  visit(root, { control: undefined, isInPage: false });
  // LibreOffice says it of a sheet, and Qt of an item, while its text is edited elsewhere in the tree; Chromium of a part of its page, while the
  // keys go to its tool bar.
  const [best] = found.toSorted(
    (a, b) => Number(a.isInPage) - Number(b.isInPage) || vagueness(a.node) - vagueness(b.node),
  );
  return best?.node;
}

/** Whether what has the keyboard focus in a window is this element. */
export function isFocusOf(
  window: { readonly root: TreeNode } | undefined,
  { handle }: { readonly handle: NodeHandle },
): boolean {
  const focused = window && focusIn(window.root);
  return focused !== undefined && handleKey(focused.handle) === handleKey(handle);
}

/** What has the keyboard focus in a window, unless that is this element, or something around it or inside it. */
export function takerOfFocus(
  { root }: { readonly root: TreeNode },
  { handle }: { readonly handle: NodeHandle },
): TreeNode | undefined {
  const focused = focusIn(root);
  if (focused === undefined) return undefined;
  const [own, other] = [handleKey(handle), handleKey(focused.handle)];
  const ownPath = pathTo(root, own);
  // Beyond what was read of a large window: what else says that it has the focus may be what went on saying so.
  if (ownPath.length === 0) return undefined;
  const isOn = (path: readonly TreeNode[], key: string): boolean =>
    path.some((node) => handleKey(node.handle) === key);
  return isOn(pathTo(root, other), own) || isOn(ownPath, other) ? undefined : focused;
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

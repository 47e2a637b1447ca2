import { isInteractive, roleSet } from '../role.ts';
import { eachUp, isElided, isFocused, rewrite, type Draft, type Pass } from './draft.ts';

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

const CELLS = roleSet('cell', 'gridcell');

/** GTK 3 puts the picture and the text of a cell into cells of their own: those without any text are no targets beside the one with it. */
export const dropEmptyCells: Pass = (root) => {
  rewrite(root, (node, parent) => {
    if (!CELLS.has(node.role) || isFocused(node) || isElided(node) || node.name !== '' || node.value !== '')
      return [node];
    const [only] = node.children;
    if (only !== undefined)
      return node.children.length === 1 && CELLS.has(only.role) && isSameTarget(node, only) ? [only] : [node];
    return CELLS.has(parent.role) && parent.children.some(({ name }) => name !== '') ? [] : [node];
  });
};

/** Nothing is lost with the outer cell. */
function isSameTarget(outer: Draft, inner: Draft): boolean {
  return outer.states.every((state) => inner.states.includes(state));
}

/** A notebook that shows no tabs still has them, without a name or place: only their pages are there. */
export const dropUnseenTabs: Pass = (root, options) => {
  if (options.wholeTree) return;
  rewrite(root, (node, parent) =>
    node.role === 'tab' &&
    node.name === '' &&
    node.bounds === undefined &&
    parent.bounds !== undefined &&
    !isElided(node) &&
    !isFocused(node)
      ? node.children
      : [node],
  );
};

const DECORATION = roleSet('separator', 'scrollbar');
/** Controls whose arrows, thumbs and inner fields are not separate targets. */
const COMPOSITES = roleSet('meter', 'progressbar', 'slider', 'spinbutton');
/** Roles that are meaningless as an empty, nameless leaf. */
const NOTHING_WHEN_EMPTY = roleSet('image', 'listitem', 'figure', 'video', 'tooltip', 'status');

/** Compact form: drops separators, scroll bars, nameless pictures and the parts of spin buttons. */
export const dropDecoration: Pass = (root, options) => {
  if (!options.compact) return;
  rewrite(root, (node) => {
    if (COMPOSITES.has(node.role)) absorbParts(node);
    if (isFocused(node) || isElided(node)) return [node];
    if (DECORATION.has(node.role)) return [];
    const empty = node.children.length === 0 && node.name === '' && node.value === '';
    return empty && NOTHING_WHEN_EMPTY.has(node.role) && node.states.length === 0 ? [] : [node];
  });
};

/** Keeps the parts if any of them is named differently from the control itself. */
function absorbParts(node: Draft): void {
  const isPart = (part: Draft): boolean =>
    !isElided(part) && (part.name === '' || part.name === node.name || !isInteractive(part.role));
  if (!node.children.every((child) => isPart(child) && child.children.every(isPart))) return;
  if (node.children.some((child) => isFocused(child) || child.children.some(isFocused)) && !isFocused(node))
    node.states.push('focused');
  const inner = node.children.find((child) => child.role === 'textbox' && child.value !== '');
  if (node.value === '' && inner !== undefined) node.value = inner.value;
  node.children = [];
}

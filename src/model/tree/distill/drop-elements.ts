import { intersect, type Bounds } from '../bounds.ts';
import { isInteractive, roleSet } from '../role.ts';
import { eachUp, isElided, isFocused, rewrite, type Draft, type Pass } from './draft.ts';

/** Containers that clip their content. Windows, popups and controls do not: their menus and lists overflow. */
const CLIPPING = roleSet(
  'form',
  'generic',
  'grid',
  'group',
  'landmark',
  'list',
  'listbox',
  'rowgroup',
  'table',
  'tabpanel',
  'tree',
  'treegrid',
);

/** Roles that open above the rest or have popups that do, and web documents, whose engines mark off-screen elements and whose boxes overflow. */
const UNCLIPPED = roleSet(
  'alert',
  'alertdialog',
  'application',
  'button',
  'combobox',
  'dialog',
  'document',
  'menu',
  'menuitem',
  'searchbox',
  'textbox',
  'togglebutton',
  'tooltip',
  'window',
);

/** Items of scrolled containers. */
const ITEMS = roleSet('cell', 'gridcell', 'listitem', 'option', 'row', 'treeitem');

/**
 * Drops invisible elements, which cannot be clicked: hidden, off-screen, without area or scrolled out, unless the whole tree was requested.
 * An off-screen or empty box around something visible stays.
 */
export const dropInvisible: Pass = (root, options) => {
  if (options.wholeTree) dropDead(root);
  else dropUnseen(root, undefined, options.clip ?? true);
};

function dropDead(node: Draft): void {
  node.children = node.children.filter(isAlive);
  for (const child of node.children) dropDead(child);
}

function dropUnseen(node: Draft, outer: Bounds | undefined, clips: boolean): void {
  const clip = clips ? innerClip(node, outer) : undefined;
  const scrolledOut = boxlessAmongBoxed(node.children);
  node.children = node.children.filter((child) => {
    if (!isAlive(child) || child.states.includes('hidden') || scrolledOut?.has(child)) return false;
    dropUnseen(child, clip, clips);
    return child.children.length > 0 || isSeen(child, clip);
  });
}

function isAlive(node: Draft): boolean {
  return !node.states.includes('defunct');
}

function isSeen(node: Draft, clip: Bounds | undefined): boolean {
  if (node.states.includes('offscreen')) return false;
  if (node.bounds === undefined) return true;
  if (node.bounds.width === 0 || node.bounds.height === 0) return false;
  return clip === undefined || intersect(node.bounds, clip) !== undefined;
}

function innerClip(node: Draft, clip: Bounds | undefined): Bounds | undefined {
  if (UNCLIPPED.has(node.role)) return undefined;
  const box = node.bounds;
  if (!CLIPPING.has(node.role) || box === undefined || box.width === 0 || box.height === 0) return clip;
  return clip === undefined ? box : (intersect(box, clip) ?? { ...box, width: 0, height: 0 });
}

/** GTK 3 reports scrolled-out cells as showing but without bounds. */
function boxlessAmongBoxed(children: readonly Draft[]): ReadonlySet<Draft> | undefined {
  const boxed = new Set(children.filter((child) => child.bounds !== undefined).map((child) => child.role));
  const lost = children.filter(
    (child) => child.bounds === undefined && ITEMS.has(child.role) && boxed.has(child.role),
  );
  return lost.length === 0 ? undefined : new Set(lost);
}

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

import { intersect } from '../bounds.ts';
import type { Bounds } from '../bounds.ts';
import { roleSet } from '../role.ts';
import type { Draft, Pass } from './draft.ts';

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

import { handleKey, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { Reading } from '../evidence/window-diff.ts';
import { TreeIndex } from '../tree/tree-index.ts';
import { isUsable, usableBelow, usableIn, type OpenedPart } from './opened.ts';

/** Roles of what opens above the rest of its window. */
const POPUPS = roleSet('alert', 'alertdialog', 'dialog', 'listbox', 'menu');
/** What shows its popup inside itself. */
const OPENERS = roleSet('button', 'combobox', 'menu', 'menuitem', 'togglebutton');
/** Roles of what opens beside the rest of its window, such as a bar to search with. */
const PANELS = roleSet('form', 'group', 'landmark', 'toolbar');
/** Popups that may be filled only after they were shown, too. */
const DIALOGS = roleSet('alertdialog', 'dialog');
/** What toolkits without a better word say for a panel, and for much else. */
const VAGUE_PANELS = roleSet('generic');
const PARTS = new Set([...PANELS, ...VAGUE_PANELS, ...DIALOGS]);
/** More at a time are a page that was exchanged, which the changes tell better. */
const MOST_PANELS = 3;

/** The popups, menus, dialogs and panels in a window that were not there before, the outermost of each. */
export function openedInside(
  before: Reading | undefined,
  after: Reading | undefined,
  window: string,
): readonly OpenedPart[] {
  if (!before || !after) return [];
  const popups = openedPopups(before, after);
  const panels = newParts(before, after).filter(
    (part) =>
      !DIALOGS.has(part.role) && isWorthListing(part) && !popups.some((popup) => contains(part, popup)),
  );
  const found = panels.length > MOST_PANELS ? popups : [...popups, ...panels];
  if (found.length === 0) return [];
  const index = new TreeIndex(after.root);
  return found.map((root) => ({ root, window, index, self: undefined }));
}

/** How much there is to use in panels and dialogs that were not there before; undefined if none appeared. Toolkits fill them after they show them. */
export function usableInParts(before: Reading | undefined, after: Reading | undefined): number | undefined {
  if (!before || !after) return undefined;
  const parts = newParts(before, after).filter(
    (part) => !VAGUE_PANELS.has(part.role) || part.children.length > 0,
  );
  return parts.length === 0 ? undefined : parts.reduce((sum, part) => sum + usableIn(part), 0);
}

function openedPopups(before: Reading, after: Reading): readonly TreeNode[] {
  const known = nodesByKey(before.root);
  const found: TreeNode[] = [];
  const visit = (node: TreeNode): void => {
    const was = known.get(handleKey(node.handle));
    const isNew =
      was === undefined ? POPUPS.has(node.role) : OPENERS.has(node.role) && usableBelow(was) === 0;
    if (isNew && usableBelow(node) > 0) found.push(node);
    else node.children.forEach(visit);
  };
  visit(after.root);
  return found;
}

/** The outermost panels and dialogs, without those that only took the place of their like, as toolbars of LibreOffice do at each act. Of a part of a window it is not known what is new. */
function newParts(before: Reading, after: Reading): readonly TreeNode[] {
  if (!before.complete || !after.complete) return [];
  const known = nodesByKey(before.root, isShown);
  const present = nodesByKey(after.root, isShown);
  const found: TreeNode[] = [];
  const visit = (node: TreeNode): void => {
    const was = known.get(handleKey(node.handle));
    const gone = was?.children.filter(({ handle }) => !present.has(handleKey(handle))) ?? [];
    for (const child of node.children.filter(isShown)) {
      if (known.has(handleKey(child.handle))) {
        visit(child);
        continue;
      }
      const like = gone.findIndex(({ role, name }) => role === child.role && name === child.name);
      if (like >= 0) gone.splice(like, 1);
      else if (PARTS.has(child.role)) found.push(child);
    }
  };
  visit(after.root);
  return found;
}

/** One element with a name is told as well by the changes, which give it a reference. */
function isWorthListing(panel: TreeNode): boolean {
  const usable = usableIn(panel);
  return usable > 1 || (usable === 1 && hasUnnamed(panel));
}

function hasUnnamed(node: TreeNode): boolean {
  return (isUsable(node) && node.name === '' && (node.value ?? '') === '') || node.children.some(hasUnnamed);
}

function contains(node: TreeNode, other: TreeNode): boolean {
  return node === other || node.children.some((child) => contains(child, other));
}

/** Some toolkits list what they do not show. */
function isShown({ states }: TreeNode): boolean {
  return !states.includes('hidden');
}

function nodesByKey(
  root: TreeNode,
  isWanted: (node: TreeNode) => boolean = () => true,
): ReadonlyMap<string, TreeNode> {
  const nodes = new Map<string, TreeNode>();
  const collect = (node: TreeNode): void => {
    if (!isWanted(node)) return;
    nodes.set(handleKey(node.handle), node);
    node.children.forEach(collect);
  };
  collect(root);
  return nodes;
}

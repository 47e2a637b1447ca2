import { isInteractive, roleSet } from '../role.ts';
import { isElided, isFocused, isStaticText, type Draft, type Pass } from './draft.ts';

/** Structure that distinguishes equal controls, with or without a name. Nameless tool bars and tab lists add nothing to their items. */
const STRUCTURE = roleSet(
  'alert',
  'alertdialog',
  'dialog',
  'grid',
  'list',
  'listbox',
  'menu',
  'row',
  'table',
  'tree',
  'treegrid',
  'window',
);
/** Lists are kept only around items; a list of links is not structure. */
const LISTS = roleSet('list', 'listbox');
const ITEMS = roleSet('listitem', 'option');
/** Messages of the application, kept with their text. */
const MESSAGES = roleSet('alert', 'alertdialog', 'status', 'progressbar', 'meter', 'timer');
/** Shows details such as the cursor position, not messages; info bars and live regions have the same role. */
const STATUS_BAR = 'status bar';
/** A dialog with at most this many controls is a question, and its text is kept. */
const MESSAGE_BOX_CONTROLS = 4;

/**
 * `--interactive-only`: keeps interactive elements, the focused element, elements with a value or with something left out below, and the named or
 * structural containers around them. Drops plain text, headings and status bars, except in alerts, live regions and message boxes (dialogs
 * with at most four controls). Text that names a control is already in its name.
 */
export const keepInteractive: Pass = (root, options) => {
  if (!options.interactiveOnly) return;
  root.children = root.children.flatMap((child) => select(child, isMessageBox(root)));
};

function select(node: Draft, isInMessage: boolean): Draft[] {
  const isMessage = isInMessage || isMessageBox(node);
  const children = node.children.flatMap((child) => select(child, isMessage));
  if (isKept(node, isMessage) || (children.length > 0 && isStructure(node, children))) {
    node.children = children;
    return [node];
  }
  return children;
}

function isKept(node: Draft, isInMessage: boolean): boolean {
  if (isInteractive(node.role) || isFocused(node) || isElided(node)) return true;
  if (isMessageRole(node)) return node.name !== '' || node.value !== '' || node.children.length > 0;
  if (isInMessage) return node.name !== '' && (isStaticText(node) || node.children.length === 0);
  return node.value !== '' && node.value !== node.name;
}

function isStructure(node: Draft, children: readonly Draft[]): boolean {
  if (node.name !== '') return !isStaticText(node);
  if (LISTS.has(node.role)) return children.some((child) => ITEMS.has(child.role));
  return STRUCTURE.has(node.role);
}

function isMessageBox(node: Draft): boolean {
  return isMessageRole(node) || (node.role === 'dialog' && countInteractive(node) <= MESSAGE_BOX_CONTROLS);
}

function isMessageRole(node: Draft): boolean {
  return MESSAGES.has(node.role) && node.source.nativeRole !== STATUS_BAR;
}

function countInteractive(node: Draft): number {
  return node.children.reduce(
    (sum, child) => sum + (isInteractive(child.role) ? 1 : 0) + countInteractive(child),
    0,
  );
}

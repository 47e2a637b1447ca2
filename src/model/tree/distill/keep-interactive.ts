import { isInteractive } from '../role.ts';
import type { Role } from '../role.ts';
import { isElided, isFocused, isStaticText } from './draft.ts';
import type { Draft, Pass } from './draft.ts';

/** Structure an agent needs to tell two equal controls apart, with or without a name. A nameless tool bar or tab list says nothing its items do not. */
const STRUCTURE: ReadonlySet<Role> = new Set<Role>([
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
]);
/** A list of links rather than of items holds nothing together. */
const LISTS: ReadonlySet<Role> = new Set<Role>(['list', 'listbox']);
const ITEMS: ReadonlySet<Role> = new Set<Role>(['listitem', 'option']);
/** What the application says of its own accord; kept with its text. */
const SPEAKING: ReadonlySet<Role> = new Set<Role>([
  'alert',
  'alertdialog',
  'status',
  'progressbar',
  'meter',
  'timer',
]);
/** Says where the cursor is, not what happened; unlike info bars and live regions, which have the same role. */
const STATUS_BAR = 'status bar';
/** A dialog with so few controls is a question, and its text is the question. */
const MESSAGE_BOX_CONTROLS = 4;

/**
 * `--interactive-only`: elements with an interactive role, the focused element, drill handles and anything with a value stay, inside the named or
 * structural containers that hold them. Plain text goes, headings and status bars too, except in alerts, live regions and message boxes (dialogs
 * with at most four controls). Text that named a control is already in its name.
 */
export const keepInteractive: Pass = (root, options) => {
  if (!options.interactiveOnly) return;
  root.children = root.children.flatMap((child) => select(child, speaks(root)));
};

function select(node: Draft, spoken: boolean): Draft[] {
  const speaking = spoken || speaks(node);
  const children = node.children.flatMap((child) => select(child, speaking));
  if (staysItself(node, speaking) || (children.length > 0 && holdsTogether(node, children))) {
    node.children = children;
    return [node];
  }
  return children;
}

function staysItself(node: Draft, speaking: boolean): boolean {
  if (isInteractive(node.role) || isFocused(node) || isElided(node)) return true;
  if (isSpeaking(node)) return node.name !== '' || node.value !== '' || node.children.length > 0;
  if (speaking) return node.name !== '' && (isStaticText(node) || node.children.length === 0);
  return node.value !== '' && node.value !== node.name;
}

function holdsTogether(node: Draft, children: readonly Draft[]): boolean {
  if (node.name !== '') return !isStaticText(node);
  if (LISTS.has(node.role)) return children.some((child) => ITEMS.has(child.role));
  return STRUCTURE.has(node.role);
}

function speaks(node: Draft): boolean {
  return isSpeaking(node) || (node.role === 'dialog' && countInteractive(node) <= MESSAGE_BOX_CONTROLS);
}

function isSpeaking(node: Draft): boolean {
  return SPEAKING.has(node.role) && node.source.nativeRole !== STATUS_BAR;
}

function countInteractive(node: Draft): number {
  return node.children.reduce(
    (sum, child) => sum + (isInteractive(child.role) ? 1 : 0) + countInteractive(child),
    0,
  );
}

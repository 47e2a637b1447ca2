import { isInteractive } from '../role.ts';
import type { Role } from '../role.ts';
import { isElided, isFocused, isStaticText } from './draft.ts';
import type { Draft, Pass } from './draft.ts';

/** Structure an agent needs to tell two equal controls apart, with or without a name. */
const STRUCTURE: ReadonlySet<Role> = new Set<Role>([
  'alert',
  'alertdialog',
  'dialog',
  'grid',
  'list',
  'listbox',
  'menu',
  'menubar',
  'radiogroup',
  'row',
  'table',
  'tablist',
  'toolbar',
  'tree',
  'treegrid',
  'window',
]);
/** What the application says of its own accord; kept with its text. */
const SPEAKING: ReadonlySet<Role> = new Set<Role>([
  'alert',
  'alertdialog',
  'status',
  'progressbar',
  'meter',
  'timer',
]);
/** A dialog with so few controls is a question, and its text is the question. */
const MESSAGE_BOX_CONTROLS = 4;

/**
 * `--interactive-only`: elements with an interactive role, the focused element, drill handles and anything with a value stay, inside the named or
 * structural containers that hold them. Plain text goes, headings too, except in alerts, status bars and message boxes (dialogs with at most
 * four controls). Text that named a control is already in its name.
 */
export const keepInteractive: Pass = (root, options) => {
  if (!options.interactiveOnly) return;
  root.children = root.children.flatMap((child) => select(child, speaks(root)));
};

function select(node: Draft, spoken: boolean): Draft[] {
  const speaking = spoken || speaks(node);
  const children = node.children.flatMap((child) => select(child, speaking));
  if (staysItself(node, speaking) || (children.length > 0 && holdsTogether(node))) {
    node.children = children;
    return [node];
  }
  return children;
}

function staysItself(node: Draft, speaking: boolean): boolean {
  if (isInteractive(node.role) || isFocused(node) || isElided(node)) return true;
  if (SPEAKING.has(node.role)) return node.name !== '' || node.value !== '' || node.children.length > 0;
  if (speaking) return node.name !== '' && (isStaticText(node) || node.children.length === 0);
  return node.value !== '' && node.value !== node.name;
}

function holdsTogether(node: Draft): boolean {
  return STRUCTURE.has(node.role) || (node.name !== '' && !isStaticText(node));
}

function speaks(node: Draft): boolean {
  return (
    SPEAKING.has(node.role) || (node.role === 'dialog' && countInteractive(node) <= MESSAGE_BOX_CONTROLS)
  );
}

function countInteractive(node: Draft): number {
  return node.children.reduce(
    (sum, child) => sum + (isInteractive(child.role) ? 1 : 0) + countInteractive(child),
    0,
  );
}

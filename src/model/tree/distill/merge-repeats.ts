import type { Role } from '../role.ts';
import { isInteractive } from '../role.ts';
import { comparable, isElided, isFocused, isStaticText, shownText } from './draft.ts';
import type { Draft, Pass } from './draft.ts';

/** Roles whose name is made of their content, so that any text in them that is part of the name says nothing new. */
const SPOKEN_BY_NAME: ReadonlySet<Role> = new Set<Role>([
  'heading',
  'paragraph',
  'columnheader',
  'rowheader',
  'tooltip',
  'status',
  'alert',
]);

/** Containers that toolkits put between an element and its items, with the element's own name. */
const INNER: ReadonlySet<Role> = new Set<Role>([
  'generic',
  'group',
  'list',
  'listbox',
  'menu',
  'landmark',
  'rowgroup',
]);

/** Say nothing as nameless leaves. */
const SILENT: ReadonlySet<Role> = new Set<Role>(['generic', 'group', 'image', 'text']);

/** Fields that are named after the label in front of them. */
const FIELDS: ReadonlySet<Role> = new Set<Role>([
  'combobox',
  'grid',
  'list',
  'listbox',
  'meter',
  'progressbar',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'table',
  'textbox',
]);

/** GTK 4 buttons contain their own label, web links their text, menu items a menu of the same name, fields follow the label they are named by: each is said once. */
export const mergeRepeats: Pass = (root) => {
  merge(root);
};

function merge(node: Draft): void {
  node.children = node.children.flatMap((child) =>
    isSameNamedWrapper(child, node) ? child.children : [child],
  );
  const speaks = isInteractive(node.role) || SPOKEN_BY_NAME.has(node.role);
  const said = comparable(node.name);
  const held = comparable(node.value);
  node.children = node.children.filter((child, index) => {
    if (isLabelOf(child, node.children[index + 1])) return false;
    return !(said !== '' && repeats(child, said, speaks)) && !(held !== '' && repeats(child, held, speaks));
  });
  for (const child of node.children) merge(child);
}

/** Whether a whole sub-tree only repeats `said`; part of it is enough when the parent's name is made of its content. */
function repeats(node: Draft, said: string, partly: boolean): boolean {
  if (isInteractive(node.role) || isElided(node) || isFocused(node)) return false;
  const own = comparable(shownText(node));
  const ownRepeats = own === '' || own === said || (partly && isPartOf(own, said));
  if (!ownRepeats || (node.value !== '' && comparable(node.value) !== own)) return false;
  if (node.children.length === 0) return own !== '' || SILENT.has(node.role);
  return node.children.every((child) => repeats(child, said, partly));
}

/** A part that starts and ends where words do. */
function isPartOf(part: string, whole: string): boolean {
  const at = whole.indexOf(part);
  return (
    at >= 0 &&
    (at === 0 || whole[at - 1] === ' ') &&
    (at + part.length === whole.length || /[ ,.:;]/.test(whole[at + part.length] ?? ''))
  );
}

function isSameNamedWrapper(node: Draft, parent: Draft): boolean {
  if (
    !INNER.has(node.role) ||
    parent.children.length !== 1 ||
    node.children.length === 0 ||
    isElided(node) ||
    isFocused(node)
  )
    return false;
  return node.name !== '' && node.value === '' && comparable(node.name) === comparable(parent.name);
}

function isLabelOf(label: Draft, field: Draft | undefined): boolean {
  if (field === undefined || !isStaticText(label)) return false;
  if (!FIELDS.has(field.role) && field.nameFrom !== 'neighbour' && field.nameFrom !== 'labelled_by')
    return false;
  const text = comparable(shownText(label));
  return text !== '' && text === comparable(field.name);
}

import { isInteractive, roleSet } from '../role.ts';
import { comparable, isElided, isFocused, isStaticText, shownText, type Draft, type Pass } from './draft.ts';

/** Roles whose name consists of their content, so that a text inside that is part of the name is redundant. */
const NAMED_BY_CONTENT = roleSet(
  'heading',
  'paragraph',
  'columnheader',
  'rowheader',
  'tooltip',
  'status',
  'alert',
);

/** Containers that toolkits put between an element and its items, with the element's own name. */
const INNER = roleSet('generic', 'group', 'list', 'listbox', 'menu', 'landmark', 'rowgroup');

/** Meaningless as nameless leaves. */
const SILENT = roleSet('generic', 'group', 'image', 'text');

/** What the label before it names. */
const LABELLED = roleSet(
  'combobox',
  'form',
  'grid',
  'group',
  'list',
  'listbox',
  'meter',
  'progressbar',
  'radiogroup',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'table',
  'textbox',
);

/** GTK 4 buttons contain their own label, web links their text, menu items a menu of the same name, fields follow the label they are named by: repeated texts are removed. */
export const mergeRepeats: Pass = (root) => {
  merge(root);
};

function merge(node: Draft): void {
  node.children = node.children.flatMap((child) =>
    isSameNamedWrapper(child, node) ? child.children : [child],
  );
  const isNamedByContent = isInteractive(node.role) || NAMED_BY_CONTENT.has(node.role);
  const name = comparable(node.name);
  const value = comparable(node.value);
  node.children = node.children.filter((child, index) => {
    if (isLabelOf(child, node.children[index + 1])) return false;
    return ![name, value].some((text) => text !== '' && repeats(child, text, isNamedByContent));
  });
  for (const child of node.children) merge(child);
}

/** Whether a sub-tree only repeats `text`, or a part of it if `partly`. */
function repeats(node: Draft, text: string, partly: boolean): boolean {
  if (isInteractive(node.role) || isElided(node) || isFocused(node)) return false;
  const own = comparable(shownText(node));
  const ownRepeats = own === '' || own === text || (partly && isPartOf(own, text));
  if (!ownRepeats || (node.value !== '' && comparable(node.value) !== own)) return false;
  if (node.children.length === 0) return own !== '' || SILENT.has(node.role);
  return node.children.every((child) => repeats(child, text, partly));
}

/** Whether `part` occurs in `whole` at word boundaries. */
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
  if (!LABELLED.has(field.role) && field.nameFrom !== 'neighbour' && field.nameFrom !== 'labelled_by')
    return false;
  const text = comparable(shownText(label));
  return text !== '' && text === comparable(field.name);
}

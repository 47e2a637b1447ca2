import type { Bounds } from '../bounds.ts';
import { isInteractive, roleSet, shownRole } from '../role.ts';
import { isTypeName, SHOWS_CONTENT } from '../shown-name.ts';
import { eachUp, isStaticText, ownTexts, shownText, type Draft, type Pass } from './draft.ts';

/** Fields are labelled by the text before them; for other roles a tooltip is more reliable. */
const FIELDS = roleSet('combobox', 'searchbox', 'slider', 'spinbutton', 'switch', 'textbox');
/** Labelled by the text before them only if that ends with a colon: a button after a text usually acts on it. */
const COLON_NAMED = roleSet('button', 'checkbox', 'togglebutton');
/** Whether a text labels them depends on where both are. */
export const LABELLED_BY_TEXT = roleSet(...FIELDS, ...COLON_NAMED);
/** Named by the title of their row if they are its only control. */
const ROW_NAMED = roleSet(...FIELDS, 'checkbox');

/** Named by all they contain, as in ARIA; other roles only by a sole text. */
const NAMED_BY_CONTENT = roleSet(
  'cell',
  'columnheader',
  'gridcell',
  'heading',
  'link',
  'listitem',
  'menuitem',
  'option',
  'paragraph',
  'rowheader',
  'tab',
  'treeitem',
);
/** One line of a list: its texts belong to it even when it also holds controls. */
const ROWS = roleSet('listitem', 'row', 'treeitem');
/** Their text is their value, not their name. */
const NEVER_BY_CONTENT = roleSet('textbox', 'searchbox', 'terminal', 'spinbutton', 'slider', 'combobox');

/** Longer content is a document, not a name. */
const LONGEST_CONTENT_NAME = 300;

/** Names unnamed controls by their content, their tooltip or the label before them; `nameFrom` records which. */
export const computeNames: Pass = (root) => {
  name(root);
};

function name(node: Draft): void {
  const sole = ROWS.has(node.role) ? soleUnnamedControl(node) : undefined;
  const title = sole === undefined ? undefined : node.name || ownTexts(node, true)?.[0];
  for (const child of node.children) name(child);
  if (sole?.name === '' && title !== undefined) {
    sole.name = title;
    sole.nameFrom = 'neighbour';
    if (node.name === '') removeFirstText(node, title);
  }
  if (sole === undefined) fromContent(node);
  let previous: Draft | undefined;
  for (const child of node.children) {
    if (isInteractive(child.role) && child.name === '') fromAround(child, previous);
    previous = child;
  }
}

function fromContent(node: Draft): void {
  const joins = NAMED_BY_CONTENT.has(node.role);
  if (node.name !== '' || !(joins || isInteractive(node.role)) || NEVER_BY_CONTENT.has(node.role)) return;
  const texts = ownTexts(node, ROWS.has(node.role));
  if (texts === undefined || texts.length === 0 || (texts.length > 1 && !joins)) return;
  const joined = texts.join(' ');
  if (joined.length > LONGEST_CONTENT_NAME || !/[\p{L}\p{N}\p{S}]/u.test(joined)) return;
  node.name = joined;
  node.nameFrom = 'content';
}

function fromAround(node: Draft, previous: Draft | undefined): void {
  const label = neighbourLabel(node, previous);
  if (label !== undefined && (FIELDS.has(node.role) || node.description === '')) {
    node.name = label;
    node.nameFrom = 'neighbour';
  } else if (node.description !== '') {
    node.name = node.description;
    node.nameFrom = 'tooltip';
    node.description = '';
  }
}

function neighbourLabel(node: Draft, previous: Draft | undefined): string | undefined {
  if (previous === undefined || !isStaticText(previous) || !isBeside(previous.bounds, node.bounds))
    return undefined;
  if (previous.source.labelsAnother === true) return undefined;
  const text = shownText(previous);
  const isLabel = FIELDS.has(node.role) || (COLON_NAMED.has(node.role) && text.endsWith(':'));
  return isLabel ? text.replace(/\s*:$/, '') || undefined : undefined;
}

/** The only control in a row, if it has no name: the row's first text names it ("Dark mode [switch]"). */
function soleUnnamedControl(row: Draft): Draft | undefined {
  const controls = interactiveBelow(row);
  const only = controls[0];
  return controls.length === 1 && only?.name === '' && ROW_NAMED.has(only.role) ? only : undefined;
}

/** Removes the text that became a name. */
function removeFirstText(node: Draft, text: string): boolean {
  const at = node.children.findIndex((child) => isStaticText(child) && shownText(child) === text);
  if (at < 0)
    return node.children.some((child) => !isInteractive(child.role) && removeFirstText(child, text));
  node.children.splice(at, 1);
  return true;
}

function interactiveBelow(node: Draft): Draft[] {
  return node.children.flatMap((child) =>
    isInteractive(child.role) ? [child, ...interactiveBelow(child)] : interactiveBelow(child),
  );
}

/** On the same line, or directly above; without bounds, document order decides. */
function isBeside(label: Bounds | undefined, field: Bounds | undefined): boolean {
  if (label === undefined || field === undefined) return true;
  const sameLine = label.y < field.y + field.height && field.y < label.y + label.height;
  const above = label.y + label.height <= field.y && field.y - label.y - label.height < 2 * label.height;
  const sameColumn = label.x < field.x + field.width && field.x < label.x + label.width;
  return sameLine || (above && sameColumn);
}

/** GTK 4 names nameless widgets by their type ("GtkEntry") and some buttons by mnemonic and label at once ("_OK OK"): neither is the name a user sees. */
export const cleanNames: Pass = (root) => {
  eachUp(root, (node) => {
    if (isTypeName(node) && !hasTextBelow(node, node.name)) node.name = '';
    node.name = withoutEcho(node);
    // Qt names a list of tabs after the current one.
    if (
      node.role === 'tablist' &&
      node.children.some(({ role, name }) => role === 'tab' && name === node.name)
    )
      node.name = '';
    if (!SHOWS_CONTENT.has(node.role)) node.name = withoutMarkup(node.name);
    node.description = withoutMarkup(node.description);
  });
};

const MARKUP = /^<(p|b|i|html|span|font|qt|div)\b[^<>]*>/i;
const TAG = /<\/?[a-z][^<>]*>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&quot;': '"',
};

/** Qt shows a tooltip that begins with a tag as rich text, and reports it with its tags. */
function withoutMarkup(text: string): string {
  if (!MARKUP.test(text)) return text;
  const plain = text
    .replaceAll(TAG, ' ')
    .replaceAll(/&(?:amp|lt|gt|nbsp|quot);/g, (entity) => ENTITIES[entity] ?? entity);
  return plain.replaceAll(/\s+/g, ' ').trim();
}

/** "_OK OK" and "7 7" become "OK" and "7", but "Bora Bora" stays unless a label inside says "Bora". */
function withoutEcho(node: Draft): string {
  const middle = node.name.length >> 1;
  for (const cut of [middle, middle - 1, middle + 1]) {
    if (node.name[cut] !== ' ') continue;
    const first = node.name.slice(0, cut);
    const second = node.name.slice(cut + 1);
    if (first !== second && first.replace('_', '') === second) return second;
    if (first === second && hasTextBelow(node, second)) return second;
  }
  return node.name;
}

function hasTextBelow(node: Draft, text: string): boolean {
  return node.children.some(
    (child) => (isStaticText(child) && child.name === text) || hasTextBelow(child, text),
  );
}

export const nameMenuOpeners: Pass = (root) => {
  eachUp(root, (parent) => {
    for (const child of parent.children) child.role = shownRole(child, parent.role);
  });
};

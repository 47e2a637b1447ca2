import { roleSet } from '../role.ts';
import { eachUp, isStaticText } from './draft.ts';
import type { Draft, Pass } from './draft.ts';

const TYPE_NAME = /^(?:Gtk|Gdk|Adw|Hdy)[A-Z]\w+$/;

/** Roles whose text is content: there "GtkButton" may be visible text, such as a row in a widget inspector. */
const CONTENT = roleSet(
  'cell',
  'code',
  'columnheader',
  'gridcell',
  'heading',
  'link',
  'menuitem',
  'option',
  'paragraph',
  'rowheader',
  'tab',
  'term',
  'text',
  'treeitem',
);

/** GTK 4 names nameless widgets by their type ("GtkEntry") and some buttons by mnemonic and label at once ("_OK OK"): neither is the name a user sees. */
export const cleanNames: Pass = (root) => {
  eachUp(root, (node) => {
    if (TYPE_NAME.test(node.name) && !CONTENT.has(node.role) && !hasTextBelow(node, node.name))
      node.name = '';
    node.name = withoutEcho(node);
  });
};

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

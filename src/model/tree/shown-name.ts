import { roleSet, type Role } from './role.ts';

const TYPE_NAME = /^(?:Gtk|Gdk|Adw|Hdy|Gjs_)[A-Z]\w+$/;

/** Roles whose text is content: there "GtkButton" may be visible text, such as a row in a widget inspector. */
export const SHOWS_CONTENT: ReadonlySet<Role> = roleSet(
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

interface Named {
  readonly role: Role;
  readonly name: string;
  readonly source?: string | undefined;
}

/** Whether GTK 4 names a widget by its type ("GtkEntry") because it has no name. */
export function isTypeName({ role, name }: Pick<Named, 'role' | 'name'>): boolean {
  return TYPE_NAME.test(name) && !SHOWS_CONTENT.has(role);
}

/** The name of a single element as readers see it in snapshots: GTK pads the items of menus to make room for their keys. */
export function shownName(node: Named): string {
  if (node.source === 'terminal') return node.name.trimEnd();
  return isTypeName(node) ? '' : node.name.trim();
}

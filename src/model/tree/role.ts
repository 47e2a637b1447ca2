/**
 * Every role an element can have. Names are WAI-ARIA 1.2 roles where ARIA has one; the rest are plain words for things ARIA does not name
 * (window, titlebar, …). Adapters map their native roles onto this list; `generic` is the fallback.
 */
export const ROLES = [
  'alert',
  'alertdialog',
  'application',
  'article',
  'blockquote',
  'button',
  'caption',
  'cell',
  'checkbox',
  'code',
  'columnheader',
  'combobox',
  'definition',
  'deletion',
  'dialog',
  'document',
  'figure',
  'form',
  'generic',
  'grid',
  'gridcell',
  'group',
  'heading',
  'image',
  'insertion',
  'landmark',
  'link',
  'list',
  'listbox',
  'listitem',
  'log',
  'marquee',
  'math',
  'menu',
  'menubar',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'meter',
  'note',
  'option',
  'paragraph',
  'progressbar',
  'radio',
  'radiogroup',
  'row',
  'rowgroup',
  'rowheader',
  'scrollbar',
  'searchbox',
  'separator',
  'slider',
  'spinbutton',
  'status',
  'switch',
  'tab',
  'table',
  'tablist',
  'tabpanel',
  'term',
  'terminal',
  'text',
  'textbox',
  'timer',
  'titlebar',
  'togglebutton',
  'toolbar',
  'tooltip',
  'tree',
  'treegrid',
  'treeitem',
  'video',
  'window',
] as const;
export type Role = (typeof ROLES)[number];

const KNOWN: ReadonlySet<string> = new Set(ROLES);

/** Roles that get a ref in a snapshot: those a person would click, type into or choose. */
const INTERACTIVE = roleSet(
  'button',
  'cell',
  'checkbox',
  'columnheader',
  'combobox',
  'gridcell',
  'link',
  'listitem',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'radio',
  'searchbox',
  'slider',
  'spinbutton',
  'switch',
  'tab',
  'terminal',
  'textbox',
  'togglebutton',
  'treeitem',
);

/**
 * The role that readers see. GTK 3 and LibreOffice report an entry of a menu bar as a menu; in ARIA the element that opens a menu is a menu
 * item, which gets a ref. GTK 4 applications in JavaScript report the items of their side bars as rows; in ARIA a row is in a table, and what is in a
 * list is a list item.
 * @param parent role of the element that contains it
 */
export function shownRole(
  { role, name }: { readonly role: Role; readonly name: string },
  parent?: Role,
): Role {
  if (role === 'menu' && name !== '' && (parent === 'menubar' || parent === 'menu')) return 'menuitem';
  return role === 'row' && (parent === 'list' || parent === 'listbox') ? 'listitem' : role;
}

/** A set of roles. */
export function roleSet(...roles: readonly Role[]): ReadonlySet<Role> {
  return new Set(roles);
}

export function isInteractive(role: Role): boolean {
  return INTERACTIVE.has(role);
}

/** Other names that people, models and platforms use for a role. Compared without case, spaces, `-` and `_`. */
const ALIASES: Readonly<Record<string, Role>> = {
  textfield: 'textbox',
  statictext: 'text',
  label: 'text',
  entry: 'textbox',
  edit: 'textbox',
  passwordtext: 'textbox',
  textarea: 'textbox',
  pushbutton: 'button',
  radiobutton: 'radio',
  checkmenuitem: 'menuitemcheckbox',
  radiomenuitem: 'menuitemradio',
  pagetab: 'tab',
  pagetablist: 'tablist',
  tablecell: 'cell',
  tablerow: 'row',
  tableheader: 'columnheader',
  tablecolumnheader: 'columnheader',
  tablerowheader: 'rowheader',
  treetable: 'treegrid',
  frame: 'window',
  img: 'image',
  icon: 'image',
  panel: 'group',
  filler: 'generic',
  popupbutton: 'combobox',
  incrementor: 'spinbutton',
  hyperlink: 'link',
  sheet: 'dialog',
  axbutton: 'button',
  axtextfield: 'textbox',
  axtextarea: 'textbox',
  axstatictext: 'text',
  axcheckbox: 'checkbox',
  axradiobutton: 'radio',
  axpopupbutton: 'combobox',
  axcombobox: 'combobox',
  axlink: 'link',
  axmenuitem: 'menuitem',
  axmenu: 'menu',
  axmenubar: 'menubar',
  axslider: 'slider',
  axtable: 'table',
  axcell: 'cell',
  axrow: 'row',
  axoutline: 'tree',
  axwindow: 'window',
  axgroup: 'group',
  aximage: 'image',
  axtoolbar: 'toolbar',
  axtabgroup: 'tablist',
  axincrementor: 'spinbutton',
  axprogressindicator: 'progressbar',
  axscrollbar: 'scrollbar',
  axlist: 'list',
  axheading: 'heading',
};

/** The role a caller means by `text`, or `undefined` if no role has that name. */
export function parseRole(text: string): Role | undefined {
  const key = text.toLowerCase().replaceAll(/[\s_-]/g, '');
  if (isRole(key)) return key;
  return ALIASES[key];
}

export function isRole(text: string): text is Role {
  return KNOWN.has(text);
}

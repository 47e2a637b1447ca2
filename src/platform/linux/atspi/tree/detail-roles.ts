import { roleSet } from '../../../../model/tree/role.ts';

/** Which details are read of which elements. */

export const NUMERIC = roleSet('slider', 'spinbutton', 'progressbar', 'meter');
export const TEXTUAL = roleSet('textbox', 'searchbox', 'terminal', 'combobox');
/** Named by their content, never by a label beside them; there may be thousands. */
export const NAMED_BY_CONTENT = roleSet(
  'cell',
  'gridcell',
  'link',
  'listitem',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'option',
  'treeitem',
);
/** Not interactive, but a label beside them names what they show. */
export const LABELLED = roleSet('progressbar', 'meter', 'listbox', 'table', 'tree', 'treegrid');
/** Leaves without a name whose text is in the Text interface, such as paragraphs in Writer and cells in Calc. */
export const NAMELESS_TEXT = roleSet(
  'text',
  'paragraph',
  'heading',
  'cell',
  'listitem',
  'caption',
  'status',
  'code',
  'blockquote',
);

/** What may hold text beside other elements. */
export const MIXED_TEXT = roleSet(
  'blockquote',
  'caption',
  'cell',
  'definition',
  'generic',
  'listitem',
  'paragraph',
  'term',
  'text',
);

/** Parts of a page. The text between their elements is their value; their name is the name of the part. */
export const PARTS = roleSet(
  'alert',
  'alertdialog',
  'article',
  'code',
  'deletion',
  'dialog',
  'document',
  'figure',
  'form',
  'generic',
  'group',
  'insertion',
  'landmark',
  'log',
  'marquee',
  'note',
  'status',
  'tabpanel',
  'timer',
  'tooltip',
);

import type { Role } from '../../../../model/tree/role.ts';
import { hasState, STATE, type StateBits } from './states.ts';

/** Native names and our roles by AT-SPI role number (AtspiRole, at-spi2-core 2.46; the numbers never change). */
const TABLE: readonly (readonly [native: string, role: Role])[] = [
  ['invalid', 'generic'],
  ['accelerator label', 'text'],
  ['alert', 'alert'],
  ['animation', 'image'],
  ['arrow', 'image'],
  ['calendar', 'grid'],
  ['canvas', 'image'],
  ['check box', 'checkbox'],
  ['check menu item', 'menuitemcheckbox'],
  // A part of a dialog or panel, such as the colour wheel of GTK 3.
  ['color chooser', 'group'],
  ['column header', 'columnheader'],
  ['combo box', 'combobox'],
  ['date editor', 'textbox'],
  ['desktop icon', 'image'],
  ['desktop frame', 'application'],
  ['dial', 'slider'],
  ['dialog', 'dialog'],
  ['directory pane', 'group'],
  ['drawing area', 'image'],
  ['file chooser', 'dialog'],
  ['filler', 'generic'],
  ['focus traversable', 'generic'],
  ['font chooser', 'dialog'],
  ['frame', 'window'],
  ['glass pane', 'generic'],
  ['html container', 'document'],
  ['icon', 'image'],
  ['image', 'image'],
  ['internal frame', 'group'],
  ['label', 'text'],
  ['layered pane', 'generic'],
  ['list', 'list'],
  ['list item', 'listitem'],
  ['menu', 'menu'],
  ['menu bar', 'menubar'],
  ['menu item', 'menuitem'],
  ['option pane', 'group'],
  ['page tab', 'tab'],
  ['page tab list', 'tablist'],
  ['panel', 'group'],
  ['password text', 'textbox'],
  ['popup menu', 'menu'],
  ['progress bar', 'progressbar'],
  ['push button', 'button'],
  ['radio button', 'radio'],
  ['radio menu item', 'menuitemradio'],
  ['root pane', 'generic'],
  ['row header', 'rowheader'],
  ['scroll bar', 'scrollbar'],
  ['scroll pane', 'generic'],
  ['separator', 'separator'],
  ['slider', 'slider'],
  ['spin button', 'spinbutton'],
  ['split pane', 'group'],
  ['status bar', 'status'],
  ['table', 'table'],
  ['table cell', 'cell'],
  ['table column header', 'columnheader'],
  ['table row header', 'rowheader'],
  ['tearoff menu item', 'menuitem'],
  ['terminal', 'terminal'],
  ['text', 'textbox'],
  ['toggle button', 'togglebutton'],
  ['tool bar', 'toolbar'],
  ['tool tip', 'tooltip'],
  ['tree', 'tree'],
  ['tree table', 'treegrid'],
  ['unknown', 'generic'],
  ['viewport', 'generic'],
  ['window', 'window'],
  ['extended', 'generic'],
  ['header', 'landmark'],
  ['footer', 'landmark'],
  ['paragraph', 'paragraph'],
  ['ruler', 'generic'],
  ['application', 'application'],
  ['autocomplete', 'combobox'],
  ['editbar', 'textbox'],
  ['embedded', 'generic'],
  ['entry', 'textbox'],
  ['chart', 'image'],
  ['caption', 'caption'],
  ['document frame', 'document'],
  ['heading', 'heading'],
  ['page', 'group'],
  ['section', 'generic'],
  ['redundant object', 'generic'],
  ['form', 'form'],
  ['link', 'link'],
  ['input method window', 'window'],
  ['table row', 'row'],
  ['tree item', 'treeitem'],
  ['document spreadsheet', 'document'],
  ['document presentation', 'document'],
  ['document text', 'document'],
  ['document web', 'document'],
  ['document email', 'document'],
  ['comment', 'note'],
  ['list box', 'listbox'],
  ['grouping', 'group'],
  ['image map', 'image'],
  ['notification', 'alert'],
  ['info bar', 'status'],
  ['level bar', 'meter'],
  ['title bar', 'titlebar'],
  ['block quote', 'blockquote'],
  ['audio', 'group'],
  ['video', 'video'],
  ['definition', 'definition'],
  ['article', 'article'],
  ['landmark', 'landmark'],
  ['log', 'log'],
  ['marquee', 'marquee'],
  ['math', 'math'],
  ['rating', 'slider'],
  ['timer', 'timer'],
  ['static', 'text'],
  ['math fraction', 'math'],
  ['math root', 'math'],
  ['subscript', 'generic'],
  ['superscript', 'generic'],
  ['description list', 'list'],
  ['description term', 'term'],
  ['description value', 'definition'],
  ['footnote', 'note'],
  ['content deletion', 'deletion'],
  ['content insertion', 'insertion'],
  ['mark', 'generic'],
  ['suggestion', 'generic'],
  ['push button menu', 'button'],
  ['switch', 'switch'],
];

export const NATIVE = {
  FILLER: 20,
  ALERT: 2,
  DIALOG: 16,
  FRAME: 23,
  CHECK_BOX: 7,
  CHECK_MENU_ITEM: 8,
  COMBO_BOX: 11,
  LABEL: 29,
  LIST: 31,
  LIST_ITEM: 32,
  MENU: 33,
  MENU_BAR: 34,
  MENU_ITEM: 35,
  PAGE_TAB: 37,
  PAGE_TAB_LIST: 38,
  PANEL: 39,
  PASSWORD_TEXT: 40,
  POPUP_MENU: 41,
  PUSH_BUTTON: 43,
  RADIO_BUTTON: 44,
  RADIO_MENU_ITEM: 45,
  ROOT_PANE: 46,
  COLUMN_HEADER: 10,
  ROW_HEADER: 47,
  SCROLL_BAR: 48,
  SCROLL_PANE: 49,
  SPLIT_PANE: 53,
  TABLE: 55,
  TABLE_CELL: 56,
  TEXT: 61,
  TOGGLE_BUTTON: 62,
  TOOL_TIP: 64,
  TREE: 65,
  TREE_TABLE: 66,
  UNKNOWN: 67,
  TABLE_COLUMN_HEADER: 57,
  TABLE_ROW_HEADER: 58,
  VIEWPORT: 68,
  WINDOW: 69,
  LAYERED_PANE: 30,
  DOCUMENT_SPREADSHEET: 92,
  DOCUMENT_WEB: 95,
  LIST_BOX: 98,
  STATIC: 116,
} as const;

/** Containers with possibly millions of children, or children created on demand: read the count before the children. */
const MAY_BE_HUGE: ReadonlySet<number> = new Set([
  NATIVE.TABLE,
  NATIVE.TREE,
  NATIVE.TREE_TABLE,
  NATIVE.LIST,
  NATIVE.LIST_BOX,
  NATIVE.LAYERED_PANE,
  NATIVE.DOCUMENT_SPREADSHEET,
]);

export function mayBeHuge(nativeRole: number): boolean {
  return MAY_BE_HUGE.has(nativeRole);
}

export function nativeRoleName(nativeRole: number): string {
  return TABLE[nativeRole]?.[0] ?? `role ${nativeRole}`;
}

/**
 * Our role for a native one. Text that can be neither edited nor focused is plain text, whatever the toolkit calls it,
 * and a frame inside a window (Qt's QFrame) is a group.
 */
export function mapRole(nativeRole: number, states: StateBits, isTopLevel = false): Role {
  const role = TABLE[nativeRole]?.[1] ?? 'generic';
  if (nativeRole === NATIVE.FRAME && !isTopLevel) return 'group';
  if (nativeRole === NATIVE.TEXT && !hasState(states, STATE.EDITABLE) && !hasState(states, STATE.FOCUSABLE))
    return 'text';
  // Swing also uses this role for check items of menus; check boxes are focusable and not selectable.
  if (
    nativeRole === NATIVE.CHECK_BOX &&
    hasState(states, STATE.SELECTABLE) &&
    !hasState(states, STATE.FOCUSABLE)
  )
    return 'menuitemcheckbox';
  if (nativeRole === NATIVE.LABEL) return roleOfLabel(states);
  return role;
}

/** Whether a label represents a row, cell or tree node. */
export function isDrawnItem(nativeRole: number, role: Role): boolean {
  return nativeRole === NATIVE.LABEL && role !== 'text';
}

/** Swing draws rows, cells and tree nodes as labels and reports that role; their states tell what they are. */
function roleOfLabel(states: StateBits): Role {
  if ([STATE.EXPANDABLE, STATE.EXPANDED, STATE.COLLAPSED].some((state) => hasState(states, state)))
    return 'treeitem';
  if (!hasState(states, STATE.TRANSIENT)) return 'text';
  return hasState(states, STATE.SELECTABLE) ? 'listitem' : 'cell';
}

import type { Role } from '../src/model/tree/role.ts';

const AGENT_DESKTOP: Partial<Record<Role, string>> = {
  textbox: 'textfield',
  text: 'statictext',
  searchbox: 'textfield',
};

export function agentDesktopRole(role: Role): string {
  return AGENT_DESKTOP[role] ?? role;
}

const XA11Y: Partial<Record<Role, string>> = {
  alertdialog: 'dialog',
  cell: 'table_cell',
  checkbox: 'check_box',
  combobox: 'combo_box',
  generic: 'group',
  gridcell: 'table_cell',
  landmark: 'navigation',
  listitem: 'list_item',
  menubar: 'menu_bar',
  menuitem: 'menu_item',
  menuitemcheckbox: 'menu_item',
  menuitemradio: 'menu_item',
  progressbar: 'progress_bar',
  radio: 'radio_button',
  scrollbar: 'scroll_bar',
  searchbox: 'text_field',
  spinbutton: 'spin_button',
  tablist: 'tab_group',
  text: 'static_text',
  textbox: 'text_field',
  togglebutton: 'button',
  treeitem: 'tree_item',
};

export function xa11yRole(role: Role): string {
  return XA11Y[role] ?? role;
}

const AGENT_DEVICE: Partial<Record<Role, string>> = {
  generic: 'group',
  menuitem: 'menu-item',
  searchbox: 'search',
  textbox: 'text-field',
  togglebutton: 'button',
};

export function agentDeviceRole(role: Role): string {
  return AGENT_DEVICE[role] ?? role;
}

export function isEditable(role: Role): boolean {
  return role === 'textbox' || role === 'searchbox';
}

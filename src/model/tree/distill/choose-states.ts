import { isInteractive, roleSet } from '../role.ts';
import type { State } from '../state.ts';
import { eachUp, isFocused, type Draft, type Pass } from './draft.ts';

/** The states that are shown, in order. `focusable`, `selectable`, `editable`, `multiline` and `visited` add nothing to the role. */
const SHOWN: readonly State[] = [
  'focused',
  'selected',
  'checked',
  'pressed',
  'indeterminate',
  'expanded',
  'collapsed',
  'disabled',
  'readonly',
  'required',
  'invalid',
  'protected',
  'busy',
  'modal',
  'multiselectable',
  'active',
  'minimized',
  'hovered',
  'hidden',
  'offscreen',
];

const WINDOWS = roleSet('window', 'dialog', 'alertdialog');
const SELECTORS = roleSet('grid', 'list', 'listbox', 'table', 'tablist', 'tree', 'treegrid');
const EDITORS = roleSet('combobox', 'gridcell', 'searchbox', 'spinbutton', 'textbox');

/** Toolkits report a dozen states for an ordinary button: only those that change what an agent would do are shown. */
export const chooseStates: Pass = (root) => {
  // Qt also says it of the current tab.
  if (hasFocusBesideTabs(root))
    eachUp(root, (node) => {
      if (node.role === 'tab' && !node.children.some(holdsFocus))
        node.states = node.states.filter((state) => state !== 'focused');
    });
  eachUp(root, (node) => {
    // Toolkits say of all that is around the focus that it has it.
    if (!isInteractive(node.role) && node.children.some(holdsFocus))
      node.states = node.states.filter((state) => state !== 'focused');
    node.states = SHOWN.filter((state) => node.states.includes(state) && matters(state, node));
  });
};

/** Whether something usable has the focus, other than a tab. */
function hasFocusBesideTabs(node: Draft): boolean {
  const isFocus = node.role !== 'tab' && isInteractive(node.role) && isFocused(node);
  return isFocus || node.children.some(hasFocusBesideTabs);
}

function holdsFocus(node: Draft): boolean {
  return isFocused(node) || node.children.some(holdsFocus);
}

function matters(state: State, node: Draft): boolean {
  switch (state) {
    case 'readonly':
    case 'required':
      return EDITORS.has(node.role);
    case 'multiselectable':
      return SELECTORS.has(node.role);
    case 'active':
    case 'minimized':
      return WINDOWS.has(node.role);
    case 'modal':
      return WINDOWS.has(node.role) || node.role === 'alert';
    case 'hovered':
      return isInteractive(node.role);
    case 'checked':
      return !(node.role === 'togglebutton' && node.states.includes('pressed'));
    case 'collapsed':
      return node.role !== 'combobox' && !node.states.includes('expanded');
    case 'disabled':
      return isInteractive(node.role) || node.children.length === 0;
    default:
      return true;
  }
}

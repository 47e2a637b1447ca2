import type { Role } from '../../../../model/tree/role.ts';
import type { SemanticAct } from '../../../../ports/desktop.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

/** The actions that perform an act, best first, on these toolkits and roles; on all if none are named. */
interface ActActions {
  readonly act: Exclude<SemanticAct, 'focus'>;
  readonly toolkits?: readonly ToolkitKind[];
  readonly roles?: readonly Role[];
  readonly actions: readonly string[];
}

const TWO_STATES: readonly Role[] = [
  'checkbox',
  'switch',
  'togglebutton',
  'radio',
  'menuitemcheckbox',
  'menuitemradio',
];
const DISCLOSURES: readonly Role[] = ['button', 'togglebutton', 'link'];
const MENUS: readonly Role[] = ['menu', 'menuitem'];
const OPENED: readonly Role[] = [...MENUS, ...DISCLOSURES, 'combobox'];
const NOT_QT: readonly ToolkitKind[] = ['gtk3', 'gtk4', 'gecko', 'chromium', 'libreoffice', 'java', 'other'];

/**
 * The actions that work: GTK and Qt as measured, the others by the names of their actions. Omitted: "Toggle" on rows and
 * cells in Qt, which selects them, and pressing a menu item in Qt, which runs it.
 */
const ACT_ACTIONS: readonly ActActions[] = [
  {
    act: 'toggle',
    roles: TWO_STATES,
    actions: ['toggle', 'click', 'press', 'check', 'uncheck', 'switch', 'select', 'activate', 'doDefault'],
  },
  { act: 'toggle', toolkits: NOT_QT, roles: ['cell', 'treeitem', 'listitem'], actions: ['toggle'] },
  { act: 'expand', toolkits: ['qt'], roles: OPENED, actions: ['ShowMenu'] },
  // GTK 3 offers "Click" on menus of the bar and on submenus; only menu items run something.
  { act: 'expand', toolkits: ['gtk3', 'libreoffice', 'gecko', 'java'], roles: ['menu'], actions: ['click'] },
  { act: 'expand', toolkits: ['gtk3'], roles: ['combobox'], actions: ['press'] },
  { act: 'expand', toolkits: ['java'], roles: ['combobox'], actions: ['togglePopup'] },
  { act: 'expand', toolkits: ['java'], roles: ['treeitem'], actions: ['toggleexpand'] },
  { act: 'expand', toolkits: ['gtk4'], actions: ['listitem.expand'] },
  { act: 'expand', toolkits: NOT_QT, actions: ['expand', 'expand or contract'] },
  // Not on rows: in a file manager it would open the file.
  { act: 'expand', toolkits: NOT_QT, roles: OPENED, actions: ['open'] },
  { act: 'expand', roles: DISCLOSURES, actions: ['activate', 'click', 'press'] },
  { act: 'collapse', toolkits: ['qt'], roles: ['combobox'], actions: ['Press'] },
  { act: 'collapse', toolkits: ['java'], roles: ['combobox'], actions: ['togglePopup'] },
  { act: 'collapse', toolkits: ['java'], roles: ['treeitem'], actions: ['toggleexpand'] },
  { act: 'collapse', toolkits: ['gtk4'], actions: ['listitem.collapse'] },
  { act: 'collapse', toolkits: NOT_QT, actions: ['collapse', 'expand or contract'] },
  { act: 'collapse', toolkits: NOT_QT, roles: OPENED, actions: ['close'] },
  { act: 'collapse', toolkits: ['gecko'], roles: ['menu'], actions: ['click'] },
  { act: 'collapse', roles: DISCLOSURES, actions: ['activate', 'click', 'press'] },
];

/** The index of the offered action that performs `act` on an element of this role; `undefined` if none is known to. */
export function actionFor(
  act: Exclude<SemanticAct, 'focus'>,
  element: { readonly toolkit: ToolkitKind; readonly role: Role; readonly offered: readonly string[] },
): number | undefined {
  const offered = element.offered.map((name) => name.toLowerCase());
  return ACT_ACTIONS.filter(
    ({ act: performs, toolkits, roles }) =>
      performs === act &&
      (toolkits?.includes(element.toolkit) ?? true) &&
      (roles?.includes(element.role) ?? true),
  )
    .flatMap(({ actions }) => actions)
    .map((name) => offered.indexOf(name.toLowerCase()))
    .find((index) => index >= 0);
}

/** How an option is chosen: by its index in its container, by its row in a table, or by one of its own actions, best first. */
type ChoiceMethod = 'child' | 'row' | readonly string[];

/** What works in these toolkits for options in a container of these roles. */
interface Choice {
  readonly toolkits: readonly ToolkitKind[];
  readonly containers: readonly Role[];
  readonly method: ChoiceMethod;
}

const FLAT: readonly Role[] = ['list', 'listbox', 'table', 'grid'];
const LISTS: readonly Role[] = [...FLAT, 'tree', 'treegrid'];
/** On the web these are for choosing; a `list` is for reading. */
const WEB: readonly Role[] = ['listbox', 'tree', 'treegrid', 'grid'];

/**
 * What works, as measured. Omitted, because it returns true but has no effect: "Toggle" on options of a Qt combo box;
 * "select" on options of a closed combo box in Firefox, whose Selection interface would change the option without a
 * `change` event for the page; Selection on tabs and web lists in Firefox, which only moves the focus. Combo boxes of
 * GTK 4 have no options until they are open, and its drop-downs support none of these either.
 */
const CHOICES: readonly Choice[] = [
  { toolkits: ['gtk3', 'libreoffice', 'java', 'other'], containers: ['combobox'], method: 'child' },
  { toolkits: ['gtk3', 'gtk4', 'libreoffice', 'java', 'other'], containers: ['tablist'], method: 'child' },
  // In a GTK 3 table with several columns, the index of a cell selects nothing.
  { toolkits: ['gtk3'], containers: ['table', 'treegrid'], method: 'row' },
  { toolkits: ['gtk3', 'gtk4', 'libreoffice', 'java', 'other'], containers: LISTS, method: 'child' },
  { toolkits: ['qt'], containers: ['tablist'], method: ['Press'] },
  // Not in trees, where it selects the wrong row; see actions.ts.
  { toolkits: ['qt'], containers: FLAT, method: ['Toggle'] },
  { toolkits: ['chromium'], containers: ['combobox'], method: ['select'] },
  {
    toolkits: ['chromium', 'gecko'],
    containers: ['tablist'],
    method: ['press', 'switch', 'select', 'click', 'doDefault'],
  },
  { toolkits: ['chromium', 'gecko'], containers: WEB, method: ['select', 'click'] },
];

/** How to choose an option in a container of this role; `undefined` if nothing is known to work. */
export function choiceMethod(toolkit: ToolkitKind, container: Role): ChoiceMethod | undefined {
  return CHOICES.find(
    ({ toolkits, containers }) => toolkits.includes(toolkit) && containers.includes(container),
  )?.method;
}

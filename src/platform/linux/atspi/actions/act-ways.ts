import type { Role } from '../../../../model/tree/role.ts';
import type { SemanticAct } from '../../../../ports/desktop.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

/** The actions that perform an act, best first, on these toolkits and roles; on all if none are named. */
interface Way {
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
const WAYS: readonly Way[] = [
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
export function wayToAct(
  act: Exclude<SemanticAct, 'focus'>,
  element: { readonly toolkit: ToolkitKind; readonly role: Role; readonly offered: readonly string[] },
): number | undefined {
  const offered = element.offered.map((name) => name.toLowerCase());
  return WAYS.filter(
    (way) =>
      way.act === act &&
      (way.toolkits?.includes(element.toolkit) ?? true) &&
      (way.roles?.includes(element.role) ?? true),
  )
    .flatMap(({ actions }) => actions)
    .map((name) => offered.indexOf(name.toLowerCase()))
    .find((index) => index >= 0);
}

import { z } from 'zod';
import { ROLES, type Role } from '../../../../model/tree/role.ts';
import { TOOLKIT_KINDS, type ToolkitKind } from '../tree/toolkit.ts';
import data from './stand-ins.json' with { type: 'json' };

/** What a person would do by hand, and an accessibility action may do instead. */
export type StandInAct = 'click' | 'toggle' | 'expand' | 'collapse' | 'select' | 'set-value' | 'type';

/** One row of the table. */
const StandIn = z.strictObject({
  act: z.enum(['click', 'toggle', 'expand', 'collapse', 'select', 'set-value', 'type']),
  toolkits: z.array(z.enum(TOOLKIT_KINDS)).min(1),
  /** Of the element; for `select`, of the container of the option. */
  roles: z.array(z.enum(ROLES)).min(1),
  /** Names of the element's own actions, or a method such as `Selection.SelectChild`; best first. */
  actions: z.array(z.string().min(1)).min(1),
  /** It opens a menu or list that takes the user's next click and key. */
  grabs: z.literal(true).optional(),
  /** It selects the first item, which opens that item's submenu: where there is one, it is not the same as by hand. */
  opensFirst: z.literal(true).optional(),
  /** What takes its text on Enter, when the focus leaves, or only from the keyboard, has not taken it yet. */
  pends: z.literal(true).optional(),
  /** Not for the items of one of these: there the action does something else. */
  notIn: z.enum(ROLES).optional(),
  /** Only while the list is closed: it would leave an open one open. */
  whileClosed: z.literal(true).optional(),
  /** It gives the focus to nothing, unlike a click, and a list that gets it selects its first row. */
  leavesFocus: z.literal(true).optional(),
  /** Not in a popup: what fills one may listen to the pointer alone. */
  notInPopup: z.literal(true).optional(),
  /** Not while a menu is open beside it in its window: a click closes that, too. */
  notBesideMenu: z.literal(true).optional(),
  /** Only where the element has the focus: dialogs react to which field has it, and take the text as part of that. */
  needsFocus: z.literal(true).optional(),
  /** Not in an open menu of no bar, such as a context menu: a click closes that, and nothing else does. */
  notInFreeMenu: z.literal(true).optional(),
  /** Not for an item that shows, unless the pointer must not be used: a click closes its menu before the item runs, and what that opens gets the keyboard. */
  notInOpenMenu: z.literal(true).optional(),
  /** The test or the proof that shows it to be the same as by hand. */
  shown: z.string().min(1),
});
export type StandIn = Readonly<z.output<typeof StandIn>>;

/**
 * Where an accessibility action has been shown to do what a person would have done by hand; stand-ins.json, best first. Whatever is not here
 * is done with pointer or keyboard, or refused in the background. Left out, because it was shown to be different: "Toggle" in Qt (buttons do
 * not report `clicked`, rows are not made current), "activate" on cells of GTK 3 (it opens them), "click" on menus of GTK 3 (it selects their
 * first item, so that the arrow keys begin at the second), rows of GTK lists (a click also opens them), "click" on toggle buttons of GTK 3 (those
 * that open a list or a menu go down, but it opens only for a real press), texts, numbers of spin buttons and `select` in Firefox, options of list
 * boxes in Chromium (the page is not told, or not of all), and of combo boxes there (the list stays open, and what was chosen no longer is).
 */
export const STAND_INS: readonly StandIn[] = z.strictObject({ rows: z.array(StandIn) }).parse(data).rows;

/** The rows for an act on an element, or in a container, of this toolkit and role. */
export function standIns(act: StandInAct, toolkit: ToolkitKind, role: Role): readonly StandIn[] {
  return STAND_INS.filter(
    (row) => row.act === act && row.toolkits.includes(toolkit) && row.roles.includes(role),
  );
}

/** The action to run, and the row that allows it. */
interface Allowed {
  readonly index: number;
  readonly name: string;
  readonly row: StandIn;
}

/** The offered action that does the same as `act` by hand; `undefined` if the table has none. Toolkits differ in upper and lower case. */
export function standInFor(
  act: StandInAct,
  element: { readonly toolkit: ToolkitKind; readonly role: Role; readonly offered: readonly string[] },
): Allowed | undefined {
  const offered = element.offered.map((name) => name.toLowerCase());
  for (const row of standIns(act, element.toolkit, element.role))
    for (const action of row.actions) {
      const index = offered.indexOf(action.toLowerCase());
      const name = element.offered[index];
      if (name !== undefined) return { index, name, row };
    }
  return undefined;
}

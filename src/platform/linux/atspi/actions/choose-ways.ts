import type { Role } from '../../../../model/tree/role.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

/** How an option is chosen: by its index in its container, by its row in a table, or by one of its own actions, best first. */
type Means = 'child' | 'row' | readonly string[];

/** What works in these toolkits for options in a container of these roles. */
interface ChoiceWay {
  readonly toolkits: readonly ToolkitKind[];
  readonly containers: readonly Role[];
  readonly means: Means;
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
const WAYS: readonly ChoiceWay[] = [
  { toolkits: ['gtk3', 'libreoffice', 'java', 'other'], containers: ['combobox'], means: 'child' },
  { toolkits: ['gtk3', 'gtk4', 'libreoffice', 'java', 'other'], containers: ['tablist'], means: 'child' },
  // In a GTK 3 table with several columns, the index of a cell selects nothing.
  { toolkits: ['gtk3'], containers: ['table', 'treegrid'], means: 'row' },
  { toolkits: ['gtk3', 'gtk4', 'libreoffice', 'java', 'other'], containers: LISTS, means: 'child' },
  { toolkits: ['qt'], containers: ['tablist'], means: ['Press'] },
  // Not in trees, where it selects the wrong row; see actions.ts.
  { toolkits: ['qt'], containers: FLAT, means: ['Toggle'] },
  { toolkits: ['chromium'], containers: ['combobox'], means: ['select'] },
  {
    toolkits: ['chromium', 'gecko'],
    containers: ['tablist'],
    means: ['press', 'switch', 'select', 'click', 'doDefault'],
  },
  { toolkits: ['chromium', 'gecko'], containers: WEB, means: ['select', 'click'] },
];

/** How to choose an option in a container of this role; `undefined` if nothing is known to work. */
export function wayToChoose(toolkit: ToolkitKind, container: Role): Means | undefined {
  return WAYS.find((way) => way.toolkits.includes(toolkit) && way.containers.includes(container))?.means;
}

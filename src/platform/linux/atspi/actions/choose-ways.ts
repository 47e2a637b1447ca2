import type { Role } from '../../../../model/tree/role.ts';
import type { ToolkitKind } from '../tree/toolkit.ts';

/** How an option is chosen: by its place in its container, by its row in a table, or by an action of its own, best name first. */
type Means = 'child' | 'row' | readonly string[];

/** One way that is obeyed in these toolkits, for what stands in a container of these roles. */
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
 * What the toolkits obey, as measured. Not in it, because it is answered with "true" and ignored: "Toggle" of the options in a combo box of Qt;
 * "select" of a closed one's in Firefox, whose Selection would take the option behind the page's back, without a `change` event; Selection
 * on tabs and web lists of Firefox, which only moves the focus. Combo boxes of GTK 4 have no options until they are open, and its
 * drop-downs take none of those either.
 */
const WAYS: readonly ChoiceWay[] = [
  { toolkits: ['gtk3', 'libreoffice', 'java', 'other'], containers: ['combobox'], means: 'child' },
  { toolkits: ['gtk3', 'gtk4', 'libreoffice', 'java', 'other'], containers: ['tablist'], means: 'child' },
  // A place among the cells means nothing to a table of GTK 3 with more than one column.
  { toolkits: ['gtk3'], containers: ['table', 'treegrid'], means: 'row' },
  { toolkits: ['gtk3', 'gtk4', 'libreoffice', 'java', 'other'], containers: LISTS, means: 'child' },
  { toolkits: ['qt'], containers: ['tablist'], means: ['Press'] },
  // In a tree it selects another row; see actions.ts.
  { toolkits: ['qt'], containers: FLAT, means: ['Toggle'] },
  { toolkits: ['chromium'], containers: ['combobox'], means: ['select'] },
  {
    toolkits: ['chromium', 'gecko'],
    containers: ['tablist'],
    means: ['press', 'switch', 'select', 'click', 'doDefault'],
  },
  { toolkits: ['chromium', 'gecko'], containers: WEB, means: ['select', 'click'] },
];

/** The means to choose what stands in a container of this role; `undefined` where none is known to be obeyed. */
export function wayToChoose(toolkit: ToolkitKind, container: Role): Means | undefined {
  return WAYS.find((way) => way.toolkits.includes(toolkit) && way.containers.includes(container))?.means;
}

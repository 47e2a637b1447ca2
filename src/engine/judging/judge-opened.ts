import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import { mayTick } from '../evidence/attribution.ts';
import {
  confirmed,
  describeChange,
  eventEvidence,
  type Judgement,
  type Observation,
} from '../evidence/evidence.ts';
import { eventsFor, witnesses } from '../evidence/witnesses.ts';
import type { ObservedChange, WindowChange } from '../evidence/window-diff.ts';
import { optionsIn, plain } from '../tree/option-search.ts';
import { pathTo } from '../tree/path-to.ts';
import { judgeByWindow } from './judge-effects.ts';
import { isSelectedBy } from './selected-nearby.ts';

/** What was to be selected, and what it is in. */
interface Row {
  readonly option: NodeHandle;
  readonly container: NodeHandle;
  readonly label: string;
}

const NOT_KEPT = 'it opens something when it is clicked, and did not stay selected';

/**
 * A row that was clicked to select it, and opened a window, or a page in place of the list with the row: that is what a click on it is for. Not if
 * another row was selected, which may then be the one that was hit. So is a place that was gone to, which a button outside the list then names.
 */
export function judgeOpened(seen: Observation, row: Row): Judgement | undefined {
  if (seen.outcome.accepted !== undefined || isRivalSelected(seen, row)) return undefined;
  const window = judgeByWindow({
    ...seen,
    windowChanges: seen.windowChanges.filter((change) => isOfRow(change, seen)),
  });
  if (window !== undefined) {
    const [what = '', ...events] = window.evidence;
    return confirmed([what, NOT_KEPT, ...events], false);
  }
  const page = pageInstead(seen, row) ?? pageNamed(seen, row) ?? namedAfter(seen, row);
  return (
    page && {
      ...confirmed([describeChange(page.change), NOT_KEPT, ...eventEvidence(eventsFor(page, seen))], false),
      reliesOn: page,
    }
  );
}

/** A row opens a window, or closes the one that it is in; others close by themselves. */
function isOfRow({ change, window: { root } }: WindowChange, { trees }: Observation): boolean {
  if (change.kind !== 'window_closed') return change.kind === 'window_opened';
  return root !== undefined && trees !== undefined && handleKey(root) === handleKey(trees.before.root.handle);
}

/** What appeared when the list with the row went. */
function pageInstead(seen: Observation, { container }: Row): ObservedChange | undefined {
  const { trees } = seen;
  const key = handleKey(container);
  if (trees === undefined || !isShown(trees.before.root, key)) return undefined;
  if (!trees.after.complete || isShown(trees.after.root, key)) return undefined;
  return witnesses(seen).find(({ change }) => change.kind === 'appeared');
}

/**
 * What appeared in one part with a title that is the label of the row: GTK 4 goes on telling of the page that another one slides over. Nothing else
 * outside the list had this name before.
 */
function pageNamed(seen: Observation, { container, label }: Row): ObservedChange | undefined {
  const { changes, trees } = seen;
  if (label === '' || trees === undefined || !isOnlyOne(seen, label, container)) return undefined;
  const list = handleKey(container);
  const titles = changes.filter(
    ({ change, node, lineage }) =>
      change.kind === 'appeared' && plain(node.name) === label && !lineage.includes(list),
  );
  if (titles.length === 0 || countNamed(trees.before.root, label, list) > 0) return undefined;
  return witnesses(seen).find(
    (observed) =>
      observed.change.kind === 'appeared' &&
      titles.some((title) => partOf(title) !== undefined && partOf(title) === partOf(observed)),
  );
}

/** The outermost that appeared with it; `undefined` if it appeared alone. */
function partOf({ lineage }: ObservedChange): string | undefined {
  return lineage.at(-2);
}

function countNamed({ handle, name, children }: TreeNode, label: string, except: string): number {
  if (handleKey(handle) === except) return 0;
  const inside = children.reduce((sum, child) => sum + countNamed(child, label, except), 0);
  return (plain(name) === label ? 1 : 0) + inside;
}

/**
 * What has the label of the row as its name now and had another: the address bars of file managers consist of buttons with the names of places. KDE
 * selects no place whose address is another one than that of the folder that it shows.
 */
function namedAfter(seen: Observation, { container, label }: Row): ObservedChange | undefined {
  if (label === '' || !isOnlyOne(seen, label, container)) return undefined;
  return witnesses(seen).find(
    (observed) =>
      observed.change.kind === 'changed' &&
      observed.change.after?.startsWith('name ') === true &&
      plain(observed.node.name) === label &&
      observed.key !== seen.targetKey &&
      !observed.lineage.includes(handleKey(container)) &&
      !mayTick(observed),
  );
}

/** Whether no other row of the list has this label. */
function isOnlyOne({ trees }: Observation, label: string, container: NodeHandle): boolean {
  const list = trees && pathTo(trees.before.root, handleKey(container)).at(-1);
  return list !== undefined && optionsIn(list).filter((option) => option.label === label).length === 1;
}

function isShown(root: TreeNode, key: string): boolean {
  const path = pathTo(root, key);
  return path.length > 0 && path.every(({ states }) => !states.includes('hidden'));
}

function isRivalSelected({ changes, trees, targetKey }: Observation, { container, option }: Row): boolean {
  const own = new Set([targetKey, handleKey(option)]);
  const above = new Set(
    trees === undefined ? [] : pathTo(trees.after.root, targetKey).map(({ handle }) => handleKey(handle)),
  );
  return changes.some(
    ({ change, key, lineage }) =>
      lineage.includes(handleKey(container)) && !own.has(key) && !above.has(key) && isSelectedBy(change),
  );
}

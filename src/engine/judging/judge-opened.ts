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
  const page = pageInstead(seen, row) ?? namedAfter(seen, row);
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

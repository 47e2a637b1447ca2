import { isInteractive, roleSet } from '../../model/tree/role.ts';
import { mayTick } from './attribution.ts';
import type { ObservedChange } from './window-diff.ts';

/** What the changes are ranked by. */
export interface ChangeRanking {
  /** {@link handleKey} of the element that was acted on. */
  readonly targetKey: string;
  /** Keys of the target's ancestors, nearest first; empty if it is not in the tree. */
  readonly targetLineage: readonly string[];
  /** The key of the element whose change supports the judgement. */
  readonly reliesOn: string | undefined;
}

const DIALOGS = roleSet('dialog', 'alertdialog', 'alert');

/**
 * The changes, those first that the act is most likely to have caused and that matter most for the next one: a page that is exchanged must not
 * push the result of a button out of a short list. Changes of one rank are ordered by how near they are to the target, then as in the window.
 */
export function rankChanges(
  changes: readonly ObservedChange[],
  ranking: ChangeRanking,
): readonly ObservedChange[] {
  const arrived = new Set(changes.filter(({ change }) => change.kind === 'appeared').map(({ key }) => key));
  const gone = new Set(changes.filter(({ change }) => change.kind === 'disappeared').map(({ key }) => key));
  const isPartOfAnother = ({ change, lineage }: ObservedChange): boolean =>
    (change.kind === 'appeared' && lineage.some((above) => arrived.has(above))) ||
    (change.kind === 'disappeared' && lineage.some((above) => gone.has(above)));
  const steps = new Map(ranking.targetLineage.map((key, at) => [key, at]));
  const ranked = changes.map((observed) => ({
    observed,
    rank: rankOf(observed, ranking, isPartOfAnother),
    distance: distanceOf(observed, ranking.targetKey, steps),
  }));
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.distance - b.distance)
    .map(({ observed }) => observed);
}

/**
 * The changes without elements that were replaced by their like, such as the toolbars that LibreOffice creates again at each act. Those that can be
 * used are kept: their references are new.
 */
export function withoutReplaced(changes: readonly ObservedChange[]): readonly ObservedChange[] {
  const replaced = new Set<ObservedChange>();
  for (const gone of changes) {
    if (gone.change.kind !== 'disappeared' || isInteractive(gone.node.role)) continue;
    const like = changes.find((other) => !replaced.has(other) && isLike(other, gone));
    if (like === undefined) continue;
    replaced.add(gone);
    replaced.add(like);
  }
  return replaced.size === 0 ? changes : changes.filter((change) => !replaced.has(change));
}

function isLike({ change, node, lineage }: ObservedChange, gone: ObservedChange): boolean {
  const isSameElement = node.role === gone.node.role && node.name === gone.node.name;
  return change.kind === 'appeared' && isSameElement && lineage[0] === gone.lineage[0];
}

function rankOf(
  observed: ObservedChange,
  { targetKey, reliesOn }: ChangeRanking,
  isPartOfAnother: (observed: ObservedChange) => boolean,
): number {
  const { change, key, node } = observed;
  if (key === reliesOn) return 0;
  if (key === targetKey || change.kind === 'focus' || DIALOGS.has(node.role)) return 1;
  if (isPartOfAnother(observed)) return 6;
  if (change.kind === 'changed') return mayTick(observed) ? 3 : 2;
  if (change.kind === 'appeared') return isInteractive(node.role) ? 4 : 5;
  return 5;
}

/** How far up from the target the element or the nearest container of both is. */
function distanceOf(
  { key, lineage }: ObservedChange,
  targetKey: string,
  steps: ReadonlyMap<string, number>,
): number {
  if (key === targetKey || lineage.includes(targetKey)) return -1;
  for (const above of [key, ...lineage]) {
    const step = steps.get(above);
    if (step !== undefined) return step;
  }
  return Number.MAX_SAFE_INTEGER;
}

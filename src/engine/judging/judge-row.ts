import { handleKey } from '../../model/tree/node.ts';
import { confirmed, describeChange, type Judgement, type Observation } from '../evidence/evidence.ts';
import type { ObservedChange } from '../evidence/window-diff.ts';
import { pathTo } from '../tree/path-to.ts';

/**
 * A row of a tree that a double click on one of its cells opened or closed: Qt sends no event about that, but the first cell tells it, and rows came or
 * went below it.
 */
export function judgeRow(seen: Observation): Judgement | undefined {
  const { before, changes, outcome, targetKey, trees } = seen;
  const { bounds, role } = before;
  if (role !== 'cell' || bounds === undefined || trees === undefined) return undefined;
  const parent = pathTo(trees.before.root, targetKey).at(-2);
  if (parent === undefined || outcome.accepted !== undefined) return undefined;
  const inTree = changes.filter(
    ({ node, lineage }) => node.role === role && lineage[0] === handleKey(parent.handle),
  );
  const row = inTree.find(
    ({ change, node }) =>
      change.kind === 'changed' &&
      node.bounds?.y === bounds.y &&
      node.bounds.height === bounds.height &&
      openness(change.before) !== openness(change.after),
  );
  const wanted = openness(row?.change.after);
  if (row === undefined || wanted === undefined) return undefined;
  const isBelow = ({ change, node }: ObservedChange): boolean =>
    change.kind === (wanted === 'expanded' ? 'appeared' : 'disappeared') &&
    (node.bounds?.y ?? Number.NEGATIVE_INFINITY) > bounds.y;
  const [first, ...more] = inTree.filter(isBelow);
  if (first === undefined) return undefined;
  const rows = `${describeChange(first.change)}${more.length === 0 ? '' : `, and ${more.length} more`}`;
  return { ...confirmed([describeChange(row.change), rows], false), reliesOn: row };
}

function openness(states: string | undefined): string | undefined {
  return states?.split(' ').find((state) => state === 'expanded' || state === 'collapsed');
}

import { handleKey } from '../../model/tree/node.ts';
import { describeChange, type Observation } from '../evidence/evidence.ts';
import type { Reading } from '../evidence/window-diff.ts';
import { ROWS } from '../tree/element-states.ts';
import { pathTo } from '../tree/path-to.ts';
import { rowsOf } from '../tree/table-rows.ts';

/**
 * The rows that came or went below an opened one, in the same tree: Qt and GTK 3 send no event about that or about the rows. Those that are out of view
 * have no place; of these, the next one must be among them.
 */
export function rowsBelow(seen: Observation, wanted: 'expanded' | 'collapsed'): string | undefined {
  const { before, changes, outcome, targetKey, trees } = seen;
  if (trees === undefined || outcome.accepted === false || !ROWS.has(before.role)) return undefined;
  const tree = treeOf(trees.after, targetKey);
  if (tree === undefined) return undefined;
  const [open, closed] = wanted === 'expanded' ? [trees.after, trees.before] : [trees.before, trees.after];
  const isNextOfThem = isNextMissing(open, closed, targetKey);
  const [first, ...more] = changes.filter(
    ({ change, node, lineage }) =>
      change.kind === (wanted === 'expanded' ? 'appeared' : 'disappeared') &&
      node.role === before.role &&
      lineage.includes(tree) &&
      (node.bounds === undefined
        ? isNextOfThem
        : node.bounds.y > (before.bounds?.y ?? Number.POSITIVE_INFINITY)),
  );
  if (first === undefined) return undefined;
  return `${describeChange(first.change)}${more.length === 0 ? '' : `, and ${more.length} more`}`;
}

/** The key of the tree that the target is a row of. In GTK 3, its cells may be parts of another cell. */
function treeOf({ root }: Reading, targetKey: string): string | undefined {
  const tree = pathTo(root, targetKey).findLast(({ role }) => !ROWS.has(role));
  return tree && handleKey(tree.handle);
}

/** Whether the row after that of the target is in one reading only. */
function isNextMissing({ root }: Reading, other: Reading, targetKey: string): boolean {
  const path = pathTo(root, targetKey);
  const depth = path.findLastIndex(({ role }) => !ROWS.has(role));
  const [tree, row] = path.slice(depth);
  if (tree === undefined || row === undefined) return false;
  const rows = rowsOf(tree);
  const next = rows[rows.findIndex((cells) => cells.includes(row)) + 1]?.find(({ role }) => ROWS.has(role));
  return next !== undefined && pathTo(other.root, handleKey(next.handle)).length === 0;
}

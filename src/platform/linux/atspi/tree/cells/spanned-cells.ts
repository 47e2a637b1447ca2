import type { Application } from '../../bus/application.ts';
import { forEachNode, type RawNode } from '../raw-node.ts';
import { NATIVE } from '../roles.ts';
import { selectedWith, withoutShowing } from '../states.ts';
import type { Extents } from '../object-facts.ts';

const TREES: ReadonlySet<number> = new Set([NATIVE.TREE, NATIVE.TREE_TABLE]);

/**
 * In a tree of Qt, the first cell of a row may span all columns, as in the side pane of a file manager. The others are still reported, without a
 * name and at the place of the whole row; nobody sees them, and a click there reaches the first cell. But it is one of them that is reported as selected.
 */
export function hideSpannedCells(
  { traits }: { readonly traits: Pick<Application['traits'], 'kind'> },
  root: RawNode,
  wholeTree: boolean,
): void {
  if (traits.kind !== 'qt') return;
  forEachNode(root, ({ nativeRole, children }) => {
    if (!TREES.has(nativeRole)) return;
    let first: RawNode | undefined;
    for (const cell of children) {
      if (cell.nativeRole !== NATIVE.TABLE_CELL || cell.extents === undefined) continue;
      const isBeside = first?.extents !== undefined && isSameRow(first.extents, cell.extents);
      if (!isBeside) first = cell;
      else if (cell.name === '' && first?.extents !== undefined && covers(first.extents, cell.extents)) {
        first.states = selectedWith(first.states, cell.states);
        cell.dropped ||= !wholeTree;
        cell.states = withoutShowing(cell.states);
      }
    }
  });
}

function isSameRow(a: Extents, b: Extents): boolean {
  return a.y === b.y && a.height === b.height && a.height > 0;
}

/** Columns of one row lie beside each other, and never share their middle. */
function covers(first: Extents, { x, width }: Extents): boolean {
  const middle = x + width / 2;
  return middle >= first.x && middle < first.x + first.width;
}

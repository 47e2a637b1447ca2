import { DeskterityError } from '../../../model/effects/errors.ts';
import {
  cellsIn,
  hasCell,
  MOST_CELLS,
  parseCellRange,
  type CellRange,
} from '../../../model/tree/cell-range.ts';
import type { OutputNode, TreeNode } from '../../../model/tree/node.ts';
import { quoteClipped } from '../../../model/text/untrusted-text.ts';

/** Whether an element is a cell of a sheet that is named by its place, and in the range. */
export function isCellIn(
  range: CellRange,
  node: OutputNode,
  sources: ReadonlyMap<OutputNode, TreeNode>,
): boolean {
  return sources.get(node)?.isNamedByPlace === true && hasCell(range, node.name ?? '');
}

/** @throws DeskterityError INVALID_ARGUMENT if the text names no cells, or too many */
export function requireCells(text: string): CellRange {
  const range = parseCellRange(text);
  if (range === undefined)
    throw new DeskterityError('INVALID_ARGUMENT', `${quoteClipped(text)} names no cells.`, {
      suggestion: 'Write the name of a cell such as B2, or of a range such as A1:C10.',
    });
  const count = cellsIn(range);
  if (count <= MOST_CELLS) return range;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `The range has ${count} cells, which are too many to read at once.`,
    {
      suggestion: `Read at most ${MOST_CELLS} cells: divide the range.`,
    },
  );
}

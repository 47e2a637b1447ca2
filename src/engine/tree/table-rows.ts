import { roleSet } from '../../model/tree/role.ts';
import type { TreeNode } from '../../model/tree/node.ts';

const CELLS = roleSet('cell', 'gridcell');

/**
 * The cells that a table or tree has as its own children, row by row. Its column headers tell how many there are in a row, hidden columns included;
 * without headers, or where only a part was read, cells at the same height are of one row. Other children stand alone.
 */
export function rowsOf({ children }: TreeNode): readonly (readonly TreeNode[])[] {
  const cells = children.filter(({ role }) => CELLS.has(role));
  const columns = children.filter(({ role }) => role === 'columnheader').length;
  const rows: TreeNode[][] = [];
  if (columns > 1 && cells.length === children.length - columns && cells.length % columns === 0) {
    for (let at = 0; at < cells.length; at += columns) rows.push(cells.slice(at, at + columns));
    return rows;
  }
  for (const child of children) {
    const before = rows.at(-1)?.at(-1);
    if (before !== undefined && isBeside(child, before)) rows.at(-1)?.push(child);
    else rows.push([child]);
  }
  return rows;
}

function isBeside(cell: TreeNode, before: TreeNode): boolean {
  if (!CELLS.has(cell.role) || !CELLS.has(before.role)) return false;
  return cell.bounds !== undefined && cell.bounds.y === before.bounds?.y;
}

import type { Bounds } from '../../model/tree/bounds.ts';
import { handleKey, type NodeHandle, type TreeNode } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import type { CallOptions } from '../../ports/call-options.ts';
import type { DesktopPort } from '../../ports/desktop/desktop.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import type { Point } from '../../ports/input.ts';
import { isInView } from '../tree/element-states.ts';

const CELLS = roleSet('cell', 'gridcell', 'treeitem');
/** Headers are not higher; cells farther down need no look. */
const HEADER_PX = 80;
const READING = { maxNodes: 2000, includeActions: false, wholeTree: false } as const;

/** The header that is drawn over a cell of its table at a point: Qt reports the rows that are scrolled behind the header as being there. */
export async function headerOver(
  desktop: DesktopPort,
  { role, parent }: Pick<NodeDetails, 'role' | 'parent'>,
  { x, y }: Point,
  options: CallOptions,
): Promise<NodeHandle | undefined> {
  if (!CELLS.has(role) || parent === undefined) return undefined;
  const table = await desktop.describe(parent, options).catch(() => undefined);
  if (table?.bounds === undefined || y - table.bounds.y > HEADER_PX) return undefined;
  const read = await desktop.readTree({ ...options, ...READING, root: parent }).catch(() => undefined);
  return read && headersIn(read.root).find(({ bounds }) => bounds && isAt(bounds, x, y))?.handle;
}

/** Whether something is a cell of the table that an element is the header of: headers are drawn over what is scrolled behind them. */
export async function isBehindHeader(
  desktop: DesktopPort,
  { role, parent }: Pick<NodeDetails, 'role' | 'parent'>,
  handle: NodeHandle,
  options: CallOptions,
): Promise<boolean> {
  if (role !== 'columnheader' || parent === undefined) return false;
  const cell = await desktop.describe(handle, options).catch(() => undefined);
  if (cell?.parent === undefined || !CELLS.has(cell.role)) return false;
  return handleKey(cell.parent) === handleKey(parent);
}

function headersIn({ children }: TreeNode): TreeNode[] {
  return children.filter((node) => node.role === 'columnheader' && isInView(node));
}

function isAt(bounds: Bounds, x: number, y: number): boolean {
  return x >= bounds.x && x < bounds.x + bounds.width && y >= bounds.y && y < bounds.y + bounds.height;
}

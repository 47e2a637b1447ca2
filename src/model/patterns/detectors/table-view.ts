import type { OutputNode } from '../../tree/node.ts';
import { evidenceOf, type Finding } from '../pattern.ts';
import { Screen } from '../screen.ts';

const MOST_TABLES = 100;
/** What a spreadsheet calls its cells. */
const PLACE = /^[A-Z]{1,3}\d{1,7}$/;

/** A table has two or more columns with headers and something below them; a sheet has cells named by letter and number. */
export function tableView(screen: Screen): Finding | undefined {
  const tables: OutputNode[] = screen
    .of('grid', 'list', 'table', 'tree', 'treegrid')
    .slice(0, MOST_TABLES)
    .filter((node) => isTable(new Screen(node)) || isSheet(node) || hasHeaderBeside(node, screen));
  tables.push(...screen.of('generic', 'group').filter(isUnderHeaderButtons));
  if (tables.length === 0) return undefined;
  return { pattern: 'table_view', evidence: evidenceOf('table', tables.slice(0, 3)) };
}

function isTable(table: Screen): boolean {
  const headers = table.of('columnheader');
  if (headers.length < 2) return false;
  return table.of('cell', 'gridcell', 'listitem', 'treeitem').length > 0;
}

/** Only sheets have so many cells. An empty one shows none of them. */
const CELLS_OF_SHEETS = 1_000_000;

function isSheet({ role, elided = 0, children = [] }: OutputNode): boolean {
  if (role === 'table' && elided >= CELLS_OF_SHEETS) return true;
  const columns = new Set<string>();
  const cells = children.flatMap((child) => (child.role === 'row' ? (child.children ?? []) : [child]));
  for (const { name = '' } of cells) if (PLACE.test(name)) columns.add(name.replace(/\d+$/, ''));
  return columns.size >= 2;
}

/** Swing puts the headers, as plain texts, into a group beside the table. */
function hasHeaderBeside(table: OutputNode, screen: Screen): boolean {
  const cells = table.children?.filter(({ role }) => role === 'cell') ?? [];
  const beside = screen.parentOf(table)?.children ?? [];
  return table.role === 'table' && cells.length > 0 && beside.some((node) => isRowOfTexts(node, table));
}

function isRowOfTexts({ role, bounds, children = [] }: OutputNode, table: OutputNode): boolean {
  return (
    role === 'group' &&
    children.length >= 2 &&
    children.every((child) => child.role === 'text') &&
    bounds?.width === table.bounds?.width
  );
}

/** GTK 4 describes the headers of a list as buttons across its top, and not its rows. */
function isUnderHeaderButtons({ bounds, children = [] }: OutputNode): boolean {
  const headers = children.filter(({ role, name }) => role === 'button' && name !== undefined);
  if (bounds === undefined || headers.length < 2 || headers.length < children.length) return false;
  const widths = headers.reduce((sum, header) => sum + (header.bounds?.width ?? 0), 0);
  const heights = headers.map((header) => header.bounds?.height ?? 0);
  const top = bounds.y + bounds.height / 4;
  if (headers.some((header) => header.bounds === undefined || header.bounds.y > top)) return false;
  return widths >= bounds.width * 0.8 && Math.max(...heights) * 4 <= bounds.height;
}

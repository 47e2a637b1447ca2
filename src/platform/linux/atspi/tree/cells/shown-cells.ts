import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Batch } from '../../../dbus/index.ts';
import type { Channel } from '../../bus/application.ts';
import { IMPLEMENTS } from '../cache-items.ts';
import { NULL_PATH } from '../names.ts';
import type { Extents, ObjectReference } from '../object-facts.ts';
import type { RawNode } from '../raw-node.ts';

/** At half a millisecond a cell, more would take too long. */
const MAX_CELLS = 2500;
const MAX_COLUMNS = 64;
/** Rows that are asked for at once. */
const STEP = 50;
/** Rows beside one that has no place, such as a filtered one. */
const NEIGHBOURS = 8;

/** Where in the corner of a table its first cell is looked for, below and beside its headers. */
const PROBE_INSETS_PX = [4, 24, 48, 72, 96] as const;
/** No screen goes so far: GTK 3 reports this place for rows that are scrolled out. */
const NOWHERE = -1_000_000;

interface Cell {
  readonly row: number;
  readonly column: number;
}

interface Place {
  readonly cell: ObjectReference;
  readonly extents: Extents;
}

type Places = (Place | undefined)[];
type PlacesOf = (cells: readonly Cell[]) => Promise<Places>;
type RowsFrom = (first: number, count: number) => Promise<Places>;

/**
 * The cells on screen of a table whose children are too many to be requested, row by row; empty if they cannot be told. What a toolkit reports as the
 * index of a cell only tells about where it is: Qt and GTK 3 count headers, and differently.
 */
export async function shownCells(
  channel: Channel,
  table: RawNode,
  batchOf: () => Batch,
  options: CallOptions,
  { windowCoordinates }: { readonly windowCoordinates: boolean },
): Promise<readonly ObjectReference[]> {
  const { extents: box, path } = table;
  if (!box || box.width <= 0 || box.height <= 0) return [];
  const { connection, templates } = channel;
  table.interfaces ??= await connection.invoke(templates.interfaces, path, options);
  if ((table.interfaces & IMPLEMENTS.TABLE) === 0) return [];
  const [rows, columns] = await Promise.all([
    connection.invoke(templates.rowCount, path, options),
    connection.invoke(templates.columnCount, path, options),
  ]);
  if (rows <= 0 || columns <= 0) return [];

  const placesOf = placesIn(channel, path, batchOf, windowCoordinates);
  const seeds = await rowsInCorner(channel, { path, box, rows, columns, windowCoordinates }, options);
  const { shownColumns, shownRow } = await columnsOnScreen(box, { rows: seeds, columns }, placesOf);
  const [leading] = shownColumns;
  if (leading === undefined) return [];
  const rowsFrom: RowsFrom = (first, count) =>
    placesOf(
      range(Math.max(0, first), Math.min(rows, first + count)).map((row) => ({ row, column: leading })),
    );
  const top = (await firstRowBelow(box.y, rows, rowsFrom)) ?? (await firstRowAbove(box, shownRow, rowsFrom));
  if (top === undefined) return [];

  const found: ObjectReference[] = [];
  for (let row = top; row < rows && found.length < MAX_CELLS; row += STEP) {
    const lines = await rowsFrom(row, STEP);
    const end = lines.findIndex((place) => place !== undefined && !isShown(place, box));
    const shown = range(row, row + (end === -1 ? lines.length : end));
    const rest = shownColumns.slice(1);
    const others = await placesOf(shown.flatMap((at) => rest.map((column) => ({ row: at, column }))));
    for (const [index] of shown.entries())
      for (const place of [lines[index], ...others.slice(index * rest.length, (index + 1) * rest.length)])
        if (place !== undefined) found.push(place.cell);
    if (end !== -1) break;
  }
  return found.slice(0, MAX_CELLS);
}

function placesIn(
  { templates }: Channel,
  table: string,
  batchOf: () => Batch,
  windowCoordinates: boolean,
): PlacesOf {
  const extentsOf = windowCoordinates ? templates.windowExtents : templates.screenExtents;
  return async (cells) => {
    const places: Places = cells.map(() => undefined);
    const batch = batchOf();
    for (const [slot, { row, column }] of cells.entries())
      batch.request(templates.cellAt(row, column), table, (_error, cell) => {
        if (!cell || cell.path === NULL_PATH) return;
        batch.request(extentsOf, cell.path, (_e, extents) => {
          if (extents && extents.width > 0 && extents.height > 0) places[slot] = { cell, extents };
        });
      });
    await batch.settled;
    return places;
  };
}

/** Rows that may be on screen: about where the first cells are, and some others where toolkits tell the place of any row. */
async function rowsInCorner(
  { connection, templates }: Channel,
  {
    path,
    box,
    rows,
    columns,
    windowCoordinates,
  }: {
    readonly path: string;
    readonly box: Extents;
    readonly rows: number;
    readonly columns: number;
    readonly windowCoordinates: boolean;
  },
  options: CallOptions,
): Promise<number[]> {
  const around: number[] = [];
  for (const inset of PROBE_INSETS_PX) {
    const point = templates.elementAtPoint(box.x + inset, box.y + inset, windowCoordinates ? 1 : 0);
    const hit = await connection.invoke(point, path, options).catch(() => undefined);
    if (!hit || hit.path === NULL_PATH || hit.path === path) continue;
    // A cell with an icon and a text has one cell for each in it.
    const outer = await connection.invoke(templates.parent, hit.path, options).catch(() => undefined);
    const cell = outer && outer.path !== path && outer.path !== NULL_PATH ? outer.path : hit.path;
    const index = await connection.invoke(templates.indexInParent, cell, options).catch(() => -1);
    if (index >= 0)
      for (const width of [columns, columns + 1])
        around.push(...range(Math.floor(index / width) - 2, Math.floor(index / width) + 3));
    if (around.length > 0) break;
  }
  return [...new Set([...around, 0, Math.floor(rows / 2), rows - 1])].filter((row) => row >= 0 && row < rows);
}

/** Columns have the same place in all rows; a row that is filtered or, in GTK 3, scrolled out has none. */
async function columnsOnScreen(
  box: Extents,
  { rows, columns }: { readonly rows: readonly number[]; readonly columns: number },
  placesOf: PlacesOf,
): Promise<{ readonly shownColumns: readonly number[]; readonly shownRow: number | undefined }> {
  let elsewhere: number[] = [];
  for (const row of rows) {
    const cells = range(0, Math.min(columns, MAX_COLUMNS)).map((column) => ({ row, column }));
    const places = await placesOf(cells);
    const inWidth = cells.filter((_cell, index) => {
      const extents = places[index]?.extents;
      return extents !== undefined && extents.x < box.x + box.width && extents.x + extents.width > box.x;
    });
    const shownColumns = inWidth.map(({ column }) => column);
    if (places.some((place) => place !== undefined && isShown(place, box)) && shownColumns.length > 0)
      return { shownColumns, shownRow: row };
    if (elsewhere.length === 0) elsewhere = shownColumns;
  }
  return { shownColumns: elsewhere, shownRow: undefined };
}

function isShown({ extents: { y, height } }: Place, box: Extents): boolean {
  return y < box.y + box.height && y + height > box.y;
}

/** The first row whose lower edge is below `y`: rows lie below each other. `undefined` if the places of rows out of view are not told. */
async function firstRowBelow(y: number, rows: number, rowsFrom: RowsFrom): Promise<number | undefined> {
  let low = 0;
  let high = rows - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const placed = (await rowsFrom(middle, NEIGHBOURS)).find((place) => place !== undefined);
    if (placed !== undefined && placed.extents.y < NOWHERE) return undefined;
    if (placed !== undefined && placed.extents.y + placed.extents.height <= y) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first of the rows on screen that reach up from one of them. */
async function firstRowAbove(
  box: Extents,
  shownRow: number | undefined,
  rowsFrom: RowsFrom,
): Promise<number | undefined> {
  for (let row = shownRow; row !== undefined && row > 0; row -= STEP) {
    const first = Math.max(0, row - STEP);
    const above = await rowsFrom(first, row - first);
    const hidden = above.findLastIndex((place) => place !== undefined && !isShown(place, box));
    if (hidden !== -1) return first + hidden + 1;
  }
  return shownRow === undefined ? undefined : 0;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

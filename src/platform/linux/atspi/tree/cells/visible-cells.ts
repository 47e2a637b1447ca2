import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Batch } from '../../../dbus/index.ts';
import type { Channel } from '../../bus/application.ts';
import { IMPLEMENTS } from '../cache-items.ts';
import { cellPath, indexOfCell } from './cell-address.ts';
import { NULL_PATH } from '../names.ts';
import { RawNode } from '../raw-node.ts';

/** At half a millisecond a cell, more would take too long. */
const MAX_CELLS = 2500;
/** Row and column headers lie inside the table's box: probe inwards from the corner until a cell is found. */
const PROBE_INSETS_PX = [4, 24, 48, 72, 96] as const;

/**
 * Reads the cells of a huge table that are on screen. The children of such a table must not be requested; the cells at its
 * corners tell which rows and columns are visible, and those are read by position.
 */
export async function readVisibleCells(
  channel: Channel,
  table: RawNode,
  batchOf: () => Batch,
  options: CallOptions,
  kinds: { readonly keepEmpty: boolean; readonly areTransient: boolean },
): Promise<void> {
  const box = table.extents;
  if (!box || box.width <= 0 || box.height <= 0) return;
  const { connection, templates } = channel;
  const interfaces = table.interfaces ?? (await connection.invoke(templates.interfaces, table.path, options));
  table.interfaces = interfaces;
  if ((interfaces & IMPLEMENTS.TABLE) === 0) return;
  const columns = await connection.invoke(templates.columnCount, table.path, options);
  if (columns <= 0) return;

  const cellAt = async (x: number, y: number): Promise<{ row: number; column: number } | undefined> => {
    const cell = await connection
      .invoke(templates.elementAtPoint(x, y), table.path, options)
      .catch(() => undefined);
    if (!cell || cell.path === NULL_PATH || cell.path === table.path) return undefined;
    // GTK 3 counts headers too, so its index leads to a different cell: only indexes of sheets are verified.
    const index = await (
      kinds.areTransient
        ? indexOfCell(channel, { sheet: table.path, columns }, cell.path, options)
        : connection.invoke(templates.indexInParent, cell.path, options)
    ).catch(() => undefined);
    return index === undefined || index < 0
      ? undefined
      : { row: Math.floor(index / columns), column: index % columns };
  };
  const [first, last] = await Promise.all([
    firstFound(PROBE_INSETS_PX.map((inset) => () => cellAt(box.x + inset, box.y + inset))),
    firstFound(
      PROBE_INSETS_PX.map((inset) => () => cellAt(box.x + box.width - inset, box.y + box.height - inset)),
    ),
  ]);
  if (!first || !last || last.row < first.row || last.column < first.column) return;

  const kind = await readKind(channel, table, first, options);
  const batch = batchOf();
  const allText = templates.text(0, -1);
  const width = last.column - first.column + 1;
  const rows = Math.min(last.row - first.row + 1, Math.max(1, Math.floor(MAX_CELLS / width)));
  // Empty cells are dropped unless everything is requested. Positions are reserved first, so the order is kept.
  const requestCell = (row: number, column: number): void => {
    const slot = table.children.length;
    const placeholder = new RawNode(table.bus, '', table.depth + 1);
    placeholder.dropped = true;
    table.children.push(placeholder);
    batch.request(templates.cellAt(row, column), table.path, (_error, reference) => {
      if (!reference || reference.path === NULL_PATH) return;
      const cell = Object.assign(new RawNode(table.bus, reference.path, table.depth + 1), kind);
      if (kinds.areTransient) cell.address = cellPath({ sheet: table.path, index: row * columns + column });
      cell.dropped = true;
      table.children[slot] = cell;
      const keep = (): void => {
        cell.dropped = false;
        batch.request(templates.state, cell.path, (_e, states) => (cell.states = states ?? cell.states));
        batch.request(templates.name, cell.path, (_e, name) => (cell.name = name ?? ''));
        batch.request(templates.screenExtents, cell.path, (_e, extents) => (cell.extents = extents));
      };
      if (kinds.keepEmpty) keep();
      batch.request(allText, cell.path, (_textError, text) => {
        cell.value = text ?? '';
        if (cell.value !== '' && cell.dropped) keep();
      });
    });
  };
  for (let row = first.row; row < first.row + rows; row++) {
    for (let column = first.column; column <= last.column; column++) requestCell(row, column);
  }
  await batch.settled;
  table.children = table.children.filter((cell) => !cell.dropped);
  table.elided = 'lazy';
}

async function firstFound<T>(attempts: readonly (() => Promise<T | undefined>)[]): Promise<T | undefined> {
  for (const attempt of attempts) {
    const found = await attempt();
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The role and interfaces that all cells of a table share. */
async function readKind(
  channel: Channel,
  table: RawNode,
  place: { row: number; column: number },
  options: CallOptions,
): Promise<Pick<RawNode, 'nativeRole' | 'interfaces'>> {
  const { connection, templates } = channel;
  const cell = await connection.invoke(templates.cellAt(place.row, place.column), table.path, options);
  const [nativeRole, names] = await Promise.all([
    connection.invoke(templates.role, cell.path, options),
    connection.invoke(templates.interfaces, cell.path, options),
  ]);
  return { nativeRole, interfaces: names };
}

import { mentionCommand } from '../../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../../model/tree/node.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Application, Channel } from '../../bus/application.ts';
import { applicationFailure } from '../../bus/call-failures.ts';
import { NULL_PATH } from '../names.ts';
import { MAX_CHILDREN } from '../read-structure.ts';
import { NATIVE } from '../roles.ts';

/** A cell by its position. */
export interface CellPlace {
  /** Path of the sheet. */
  readonly sheet: string;
  /** Index among the cells of the sheet, row by row. */
  readonly index: number;
}

/**
 * LibreOffice creates a new object every time a cell of a sheet is requested, so its path is valid only for moments. The
 * handle of such a cell is its sheet and its index there, which the application also understands. No object path
 * contains `#`.
 */
const ADDRESS = /^(?<sheet>[^#]+)#(?<index>\d{1,11})$/;

export function cellPath({ sheet, index }: CellPlace): string {
  return `${sheet}#${index}`;
}

/** The position in a handle; `undefined` if the handle names an object. */
export function placeOf({ path }: NodeHandle): CellPlace | undefined {
  const { sheet, index } = ADDRESS.exec(path)?.groups ?? {};
  return sheet === undefined ? undefined : { sheet, index: Number(index) };
}

/**
 * The object that currently represents an element; most elements are objects themselves.
 * @throws DeskterityError STALE_REF for a cell of a sheet that no longer exists
 */
export async function liveNode(
  application: Application,
  node: NodeHandle,
  options: CallOptions,
): Promise<NodeHandle> {
  const place = placeOf(node);
  if (place === undefined) return node;
  const { sheet, index } = place;
  try {
    const { connection, templates } = await application.readingChannel(options);
    const columns = await connection.invoke(templates.columnCount, sheet, options);
    if (columns > 0) {
      const cellAt = templates.cellAt(Math.floor(index / columns), index % columns);
      const found = await connection.invoke(cellAt, sheet, options);
      if (found.path !== NULL_PATH) return { app: node.app, path: found.path };
    }
  } catch (error) {
    throw applicationFailure(error, 'Finding the cell');
  }
  throw new DeskterityError('STALE_REF', 'The sheet no longer has this cell.', {
    suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
    delivered: false,
  });
}

/** The handle path of a cell of a sheet; `undefined` for other objects, which keep their own path. */
export async function addressOf(
  application: Application,
  channel: Channel,
  path: string,
  options: CallOptions,
): Promise<string | undefined> {
  if (!application.traits.cellsAreTransient) return undefined;
  const { connection, templates } = channel;
  const [role, { path: sheet }] = await Promise.all([
    connection.invoke(templates.role, path, options),
    connection.invoke(templates.parent, path, options),
  ]);
  if (role !== NATIVE.TABLE_CELL || sheet === NULL_PATH) return undefined;
  const [cells, columns] = await Promise.all([
    connection.invoke(templates.childCount, sheet, options),
    connection.invoke(templates.columnCount, sheet, options),
  ]);
  if (cells <= MAX_CHILDREN || columns <= 0) return undefined;
  const index = await indexOfCell(channel, { sheet, columns }, path, options);
  return index === undefined ? undefined : cellPath({ sheet, index });
}

/** Indexes on the bus have 32 bits, but a sheet has four times as many cells: the cell's name tells which wrap it is. */
const WRAP = 2 ** 32;
const MAX_WRAPS = 4;

/** The index of a cell among all cells of its table; `undefined` if it is not reported. */
export async function indexOfCell(
  { connection, templates }: Channel,
  { sheet, columns }: { readonly sheet: string; readonly columns: number },
  path: string,
  options: CallOptions,
): Promise<number | undefined> {
  const [reported, name] = await Promise.all([
    connection.invoke(templates.indexInParent, path, options).catch(() => -1),
    connection.invoke(templates.name, path, options),
  ]);
  if (reported === -1) return undefined;
  for (let wraps = 0; wraps < MAX_WRAPS; wraps++) {
    const index = (reported < 0 ? reported + WRAP : reported) + wraps * WRAP;
    const cellAt = templates.cellAt(Math.floor(index / columns), index % columns);
    const cell = await connection.invoke(cellAt, sheet, options).catch(() => undefined);
    if (!cell || cell.path === NULL_PATH) return undefined;
    if ((await connection.invoke(templates.name, cell.path, options)) === name) return index;
  }
  return undefined;
}

import { mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { CallOptions } from '../../../../ports/desktop.ts';
import { applicationFailure } from '../bus/application.ts';
import type { Application, Channel } from '../bus/application.ts';
import { NULL_PATH } from './names.ts';
import { MAX_CHILDREN } from './read-structure.ts';
import { NATIVE } from './roles.ts';

/** A cell by where it is. */
export interface CellPlace {
  /** Path of the sheet. */
  readonly sheet: string;
  /** Place among the cells of the sheet, row by row. */
  readonly index: number;
}

/**
 * LibreOffice makes an object anew each time it is asked for a cell of a sheet, so that its path names it for moments only. The handle of such
 * a cell is its sheet and its place there, by which the application knows it, too. No object path has this character.
 */
const ADDRESS = /^(?<sheet>[^#]+)#(?<index>\d{1,11})$/;

export function cellPath({ sheet, index }: CellPlace): string {
  return `${sheet}#${index}`;
}

/** The place that a handle names; `undefined` where it names an object. */
export function placeOf({ path }: NodeHandle): CellPlace | undefined {
  const { sheet, index } = ADDRESS.exec(path)?.groups ?? {};
  return sheet === undefined ? undefined : { sheet, index: Number(index) };
}

/**
 * The object that stands for an element at this moment; most elements are their own.
 * @throws DeskterityError STALE_REF for a cell of a sheet that is gone
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
  throw new DeskterityError('STALE_REF', 'The sheet has no such cell any more.', {
    suggestion: `Run ${mentionCommand('snapshot')} or ${mentionCommand('find')} again and use the new reference.`,
    delivered: false,
  });
}

/** The path to know an object by, where that is not its own: it is a cell of a sheet. */
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

/** The bus counts in 32 bits, and a sheet has four times as many cells: what comes round again is told by its name. */
const TURN = 2 ** 32;
const MOST_TURNS = 4;

/** The place of a cell among all the cells of its table; `undefined` where it does not say. */
export async function indexOfCell(
  { connection, templates }: Channel,
  { sheet, columns }: { readonly sheet: string; readonly columns: number },
  path: string,
  options: CallOptions,
): Promise<number | undefined> {
  const [told, name] = await Promise.all([
    connection.invoke(templates.indexInParent, path, options).catch(() => -1),
    connection.invoke(templates.name, path, options),
  ]);
  if (told === -1) return undefined;
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const index = (told < 0 ? told + TURN : told) + turn * TURN;
    const cellAt = templates.cellAt(Math.floor(index / columns), index % columns);
    const cell = await connection.invoke(cellAt, sheet, options).catch(() => undefined);
    if (!cell || cell.path === NULL_PATH) return undefined;
    if ((await connection.invoke(templates.name, cell.path, options)) === name) return index;
  }
  return undefined;
}

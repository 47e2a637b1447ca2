import { DeskterityError } from '../../../../../model/effects/errors.ts';
import { mentionParameter } from '../../../../../model/text/mention.ts';
import { cellName, MOST_CELLS, type CellRange } from '../../../../../model/tree/cell-range.ts';
import { readFormula } from '../../../../../model/tree/formula.ts';
import type { CallOptions } from '../../../../../ports/call-options.ts';
import type { Batch } from '../../../dbus/index.ts';
import type { Channel } from '../../bus/application.ts';
import { IMPLEMENTS } from '../cache-items.ts';
import { cellPath } from './cell-address.ts';
import { NULL_PATH } from '../names.ts';
import { RawNode } from '../raw-node.ts';
import { NATIVE } from '../roles.ts';
import { hasState, STATE } from '../states.ts';

/** Whether a container may be a sheet: a table that makes its cells when they are asked for. */
export function mayBeSheet({ nativeRole, states }: RawNode): boolean {
  return nativeRole === NATIVE.TABLE && hasState(states, STATE.MANAGES_DESCENDANTS);
}

/**
 * Reads cells of a sheet by their names, on screen or not. Resolves to whether it is a sheet and has them: its cells must be named by their places.
 * A table is never asked for a place that it does not have, for which toolkits are not prepared.
 */
export async function readNamedCells(
  channel: Channel,
  table: RawNode,
  batchOf: () => Batch,
  options: CallOptions,
  { range, areTransient }: { readonly range: CellRange; readonly areTransient: boolean },
): Promise<boolean> {
  const { connection, templates } = channel;
  if (!mayBeSheet(table)) return false;
  table.interfaces ??= await connection.invoke(templates.interfaces, table.path, options);
  if ((table.interfaces & IMPLEMENTS.TABLE) === 0) return false;
  const [rows, columns] = await Promise.all([
    connection.invoke(templates.rowCount, table.path, options),
    connection.invoke(templates.columnCount, table.path, options),
  ]);
  const { top, left } = range;
  const right = Math.min(range.right, columns - 1);
  const bottom = Math.min(range.bottom, rows - 1, top + Math.floor(MOST_CELLS / (right - left + 1)) - 1);
  if (top > bottom || left > right || !(await isNamed(channel, table, { row: top, column: left }, options)))
    return false;

  const batch = batchOf();
  const cells: RawNode[] = [];
  const requestCell = (row: number, column: number): void => {
    const slot = cells.length;
    const placeholder = new RawNode(table.bus, '', table.depth + 1);
    placeholder.dropped = true;
    cells.push(placeholder);
    batch.request(templates.cellAt(row, column), table.path, (_error, reference) => {
      if (!reference || reference.path === NULL_PATH) return;
      const cell = new RawNode(table.bus, reference.path, table.depth + 1);
      if (areTransient) cell.address = cellPath({ sheet: table.path, index: row * columns + column });
      cells[slot] = cell;
      batch.request(templates.role, cell.path, (_e, role) => (cell.nativeRole = role ?? 0));
      batch.request(templates.state, cell.path, (_e, states) => (cell.states = states ?? cell.states));
      batch.request(templates.screenExtents, cell.path, (_e, extents) => (cell.extents = extents));
      batch.request(templates.text(0, -1), cell.path, (_e, text) => (cell.value = text ?? ''));
      batch.request(templates.attributes, cell.path, (_e, attributes) => {
        const formula = readFormula(attributes?.get('Formula'));
        if (formula) cell.formula = `${formula.text}${formula.isCut ? '…' : ''}`;
      });
      batch.request(templates.name, cell.path, (_e, name = '') => {
        cell.name = name;
        cell.isNamedByPlace = name === cellName(row, column);
      });
    });
  };
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) requestCell(row, column);
  const outcome = await batch.settled;
  table.children = cells.filter(({ dropped, isNamedByPlace }) => !dropped && isNamedByPlace);
  table.elided = 'lazy';
  if (outcome.timedOut) throw tooSlow();
  return true;
}

async function isNamed(
  { connection, templates }: Channel,
  table: RawNode,
  { row, column }: { readonly row: number; readonly column: number },
  options: CallOptions,
): Promise<boolean> {
  const cell = await connection.invoke(templates.cellAt(row, column), table.path, options);
  if (cell.path === NULL_PATH) return false;
  return (await connection.invoke(templates.name, cell.path, options)) === cellName(row, column);
}

function tooSlow(): DeskterityError {
  return new DeskterityError('TREE_TIMEOUT', 'Not all of the cells were read in time.', {
    suggestion: `Ask for fewer cells, or raise ${mentionParameter('timeout_ms')}.`,
    retryable: true,
  });
}

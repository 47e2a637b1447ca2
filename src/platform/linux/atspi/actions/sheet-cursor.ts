import { mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { at, deliver } from './actions.ts';
import type { Application } from '../bus/application.ts';
import type { CellPlace } from '../tree/cell-address.ts';
import { INTERFACE } from '../tree/names.ts';

/** Indexes are 32 bits wide on the bus. */
const LARGEST = 2 ** 31 - 1;

/**
 * Moves the cell cursor of a sheet. The selection is cleared first, because keys such as Delete act on the selected cells
 * and not on the cursor's cell; selecting a cell only extends the selection and does not move the cursor. An entry in
 * progress in another cell is accepted there.
 */
export async function goToCell(
  application: Application,
  { sheet, index }: CellPlace,
  cell: NodeHandle,
  { isMarked, ...options }: CallOptions & { readonly isMarked: boolean },
): Promise<ActOutcome> {
  if (isMarked && index > LARGEST) throw indexTooLarge();
  const marking = isMarked ? `, Selection.SelectChild(${index})` : '';
  const via = `at-spi:Selection.ClearSelection, Component.GrabFocus${marking}`;
  return deliver(application, options, via, 'Going to the cell', async (channel) => {
    const ofSheet = { ...at(channel, { app: cell.app, path: sheet }), interface: INTERFACE.SELECTION };
    await channel.connection.call({ ...ofSheet, member: 'ClearSelection' }, options);
    const grab = { ...at(channel, cell), interface: INTERFACE.COMPONENT, member: 'GrabFocus' };
    const [hasFocus] = await channel.connection.call(grab, options);
    if (!isMarked || hasFocus !== true) return hasFocus === true;
    const mark = { ...ofSheet, member: 'SelectChild', signature: 'i', args: [index] };
    const [accepted] = await channel.connection.call(mark, options);
    return accepted === true;
  });
}

function indexTooLarge(): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', 'Accessibility cannot select a cell this far down.', {
    suggestion: `Use ${mentionCommand('focus')}: it moves the cell cursor there.`,
    delivered: false,
  });
}

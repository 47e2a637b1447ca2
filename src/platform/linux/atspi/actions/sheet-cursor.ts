import { mentionCommand } from '../../../../model/text/mention.ts';
import { DeskterityError } from '../../../../model/effects/errors.ts';
import type { NodeHandle } from '../../../../model/tree/node.ts';
import type { ActOutcome, CallOptions } from '../../../../ports/desktop.ts';
import { at, deliver } from './actions.ts';
import type { Application } from '../bus/application.ts';
import type { CellPlace } from '../tree/cell-address.ts';
import { INTERFACE } from '../tree/names.ts';

/** Places are 32 bits wide on the bus. */
const LARGEST = 2 ** 31 - 1;

/**
 * Moves the cell cursor of a sheet. Marks go first, since keys such as Delete act on what is marked and not on the cell of the cursor;
 * selecting a cell alone marks one more and leaves the cursor where it is. An entry that is under way elsewhere is taken over by its own cell.
 */
export async function goToCell(
  application: Application,
  { sheet, index }: CellPlace,
  cell: NodeHandle,
  { isMarked, ...options }: CallOptions & { readonly isMarked: boolean },
): Promise<ActOutcome> {
  if (isMarked && index > LARGEST) throw beyondReach();
  const marking = isMarked ? `, Selection.SelectChild(${index})` : '';
  const via = `at-spi:Selection.ClearSelection, Component.GrabFocus${marking}`;
  return deliver(application, options, via, 'Going to the cell', async (channel) => {
    const ofSheet = { ...at(channel, { app: cell.app, path: sheet }), interface: INTERFACE.SELECTION };
    await channel.connection.call({ ...ofSheet, member: 'ClearSelection' }, options);
    const grab = { ...at(channel, cell), interface: INTERFACE.COMPONENT, member: 'GrabFocus' };
    const [isThere] = await channel.connection.call(grab, options);
    if (!isMarked || isThere !== true) return isThere === true;
    const mark = { ...ofSheet, member: 'SelectChild', signature: 'i', args: [index] };
    const [isTaken] = await channel.connection.call(mark, options);
    return isTaken === true;
  });
}

function beyondReach(): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', 'Accessibility has no number for a cell so far down.', {
    suggestion: `Use ${mentionCommand('focus')}: it moves the cell cursor there.`,
    delivered: false,
  });
}

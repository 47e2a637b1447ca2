import type { X11Wire } from '../../wire.ts';
import { takeIfFree } from '../take-if-free.ts';
import type { FoundSeat } from './seat-name.ts';

/** Makes a seat ours, until {@link disclaim} or the end of the connection, unless another process has it. */
export async function claim(wire: X11Wire, seat: Pick<FoundSeat, 'name'>): Promise<boolean> {
  return (await takeIfFree(wire, await ownership(wire, seat), wire.root)) === 0;
}

export async function disclaim(wire: X11Wire, seat: Pick<FoundSeat, 'name'>): Promise<void> {
  await wire.tryCall('SetSelectionOwner', 0, await ownership(wire, seat), 0);
}

/** The selection whose owner uses the seat. */
function ownership(wire: X11Wire, { name }: Pick<FoundSeat, 'name'>): Promise<number> {
  return wire.internAtom(`_DESKTERITY_OWNER_OF ${name}`);
}

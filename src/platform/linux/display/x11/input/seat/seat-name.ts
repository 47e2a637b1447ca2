import { USERS } from './device-requests.ts';
import type { InputDevice } from '../../x11-library.ts';

const MASTER_POINTER = 1;
const NAME = /^Deskterity \(([0-9a-f]{1,8})\) (?:pointer|keyboard)$/;

/** The name of a seat of ours, as the display lists its devices, such as in `xinput list`. @param id of the owner's own, so that no two are the same */
export function seatName(id: number): string {
  return `Deskterity (${id.toString(16)})`;
}

/** A seat that a Deskterity process made. */
export interface FoundSeat {
  readonly name: string;
  readonly pointer: number;
  readonly keyboard: number;
}

/** The seats of all Deskterity processes. */
export function seatsAmong(masters: readonly InputDevice[]): readonly FoundSeat[] {
  return masters.flatMap(({ deviceId, use, attachment, name }) => {
    const hex = use === MASTER_POINTER ? NAME.exec(name)?.[1] : undefined;
    if (hex === undefined || deviceId === USERS.pointer) return [];
    return [{ name: seatName(Number.parseInt(hex, 16)), pointer: deviceId, keyboard: attachment }];
  });
}

/** The master devices that are none of ours: those of the user, who may have several. */
export function mastersOfUser(masters: readonly InputDevice[]): readonly number[] {
  return masters.filter(({ name }) => !NAME.test(name)).map(({ deviceId }) => deviceId);
}

import { Seat } from '../../model/effects/seat.ts';

export const SEAT_KEY = 'seat';

/** Input key of the seat, for every command that says `takesSeat`. */
export const SeatInput = {
  [SEAT_KEY]: Seat.optional().describe(
    "Keyboard and pointer: the user's (shared), or a pair of its own beside them (own). Default: the setting input.seat.",
  ),
};

import { Seat } from '../../model/effects/seat.ts';
import { isRecord } from '../../model/is-record.ts';
import { SEAT_KEY } from '../seat/takes-seat.ts';
import type { Wrapper } from './wrapper.ts';

/**
 * Acts with the keyboard and pointer that the call, or else the setting, names. Where a display cannot have a pair of our own, the setting is no reason to
 * fail, but the call is.
 */
export const chooseSeat: Wrapper = ({ definition }, next) => {
  if (definition.takesSeat !== true) return next;
  return async (ctx, input) => {
    const { [SEAT_KEY]: asked, ...given } = isRecord(input) ? input : {};
    const named = Seat.optional().parse(asked);
    const seat = named ?? ctx.configuration.values.input.seat;
    if (seat === 'shared') return next(ctx, given);
    const isRequired = named !== undefined;
    return next(
      { ...ctx, engine: async (target) => (await ctx.engine(target)).onOwnSeat({ isRequired }) },
      given,
    );
  };
};

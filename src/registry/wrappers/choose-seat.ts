import { DeskterityError } from '../../model/effects/errors.ts';
import { Seat } from '../../model/effects/seat.ts';
import { isSeatRefusal } from '../../model/effects/seat-refusal.ts';
import { mentionParameter } from '../../model/text/mention.ts';
import { isRecord } from '../../model/is-record.ts';
import { SEAT_KEY } from '../seat/takes-seat.ts';
import type { Wrapper } from './wrapper.ts';

/**
 * Acts with the keyboard and pointer that the call names, or else those on which the session holds something, or else those of the setting. Where a display
 * cannot have a pair of our own, or an application is not worked with it, the setting is no reason to fail, but the call is.
 */
export const chooseSeat: Wrapper = ({ definition }, next) => {
  if (definition.takesSeat !== true) return next;
  return async (ctx, input) => {
    const { [SEAT_KEY]: asked, ...given } = isRecord(input) ? input : {};
    const named = Seat.optional().parse(asked);
    const setting = ctx.configuration.values.input.seat;
    const isRequired = named !== undefined;
    let isOwn = false;
    const engine: typeof ctx.engine = async (target) => {
      const shared = await ctx.engine(target);
      const holding = shared.heldOn();
      if (named !== undefined && holding !== undefined && holding.seat !== named)
        throw heldElsewhere(holding);
      // Keys that are held belong to the next act, and are released where they are held.
      isOwn = (named ?? holding?.seat ?? setting) === 'own';
      return isOwn ? shared.onOwnSeat({ isRequired }) : shared;
    };
    try {
      return await next({ ...ctx, engine }, given);
    } catch (error) {
      if (isRequired || !isOwn || !isSeatRefusal(error)) throw error;
      return next(ctx, given);
    }
  };
};

function heldElsewhere({
  seat,
  held,
}: {
  readonly seat: Seat;
  readonly held: readonly string[];
}): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    `This session holds ${held.join(', ')} down with ${seat === 'own' ? 'its own keyboard and pointer' : "the user's keyboard and pointer"}.`,
    {
      suggestion: `Use the same ones (${mentionParameter('seat', seat)}), or release what is held first.`,
      delivered: false,
    },
  );
}

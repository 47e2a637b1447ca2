import type { Engine } from '../../engine/engine.ts';
import type { CallTarget } from '../../model/sessions/call-target.ts';
import type { Wrapper } from './wrapper.ts';

const LOOK_DEADLINE_MS = 1000;
const BY_HAND = /(?:^|; then )(?:pointer|keyboard):/;
const NOTE = 'this display does not tell of your own keyboard and mouse, so that nothing waits for them';

/** By session and desktop: once is enough. */
const asked = new WeakSet<Engine>();

/** Says in the first receipt of an act by keyboard or pointer where such acts cannot keep out of the user's way. */
export const warnUndetectedInput: Wrapper = ({ definition }, next) => {
  if (definition.kind !== 'act' && definition.kind !== 'input') return next;
  return async (ctx, input) => {
    let reached: Engine | undefined;
    const engine = async (target?: CallTarget): Promise<Engine> => {
      reached = await ctx.engine(target);
      return reached;
    };
    const output = await next({ ...ctx, engine }, input);
    const { via, evidence } = output;
    const isByHand = typeof via === 'string' && BY_HAND.test(via) && Array.isArray(evidence);
    if (!isByHand || reached === undefined || asked.has(reached)) return output;
    asked.add(reached);
    const request = { deadlineMs: LOOK_DEADLINE_MS, signal: ctx.signal };
    // The act is done, whatever is known of its surroundings.
    const seesUser = await reached.seesUser(request).catch(() => true);
    return seesUser ? output : { ...output, evidence: [...evidence, NOTE] };
  };
};

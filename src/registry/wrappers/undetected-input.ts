import type { Engine } from '../../engine/engine.ts';
import { usedInput } from '../../model/effects/via.ts';
import type { CallTarget } from '../../model/sessions/call-target.ts';
import type { Wrapper } from './wrapper.ts';

const STATE_DEADLINE_MS = 1000;
const NOTE =
  'this display does not report your own keyboard and mouse input, so acts cannot wait for you to pause';

/** One engine per session and desktop: each is warned about once. */
const checked = new WeakSet<Engine>();

/** Notes in the first receipt of keyboard or pointer input if the display cannot detect the user's own input. */
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
    const isByInput = typeof via === 'string' && usedInput(via) && Array.isArray(evidence);
    if (!isByInput || reached === undefined || checked.has(reached)) return output;
    checked.add(reached);
    const request = { deadlineMs: STATE_DEADLINE_MS, signal: ctx.signal };
    // The act is done; a failed query must not turn it into a failure.
    const reportsUserInput = await reached.reportsUserInput(request).catch(() => true);
    return reportsUserInput ? output : { ...output, evidence: [...evidence, NOTE] };
  };
};

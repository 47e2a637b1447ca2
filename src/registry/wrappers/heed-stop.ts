import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { StopState } from '../../ports/input.ts';
import type { CallTarget } from '../../model/sessions/call-target.ts';
import { endingInTime } from './ending-in-time.ts';
import type { Wrapper } from './wrapper.ts';

/** Enough to read one property of the display. */
const STATE_DEADLINE_MS = 2000;
/** Time to release keys, and for a running act to report how far it got. */
const ENDING_MS = 500;

const UNTIL_HANDED_BACK = `Wait until the person hands it back: ${mentionCommand('wait', { acting: true, timeout_ms: 600_000 })}.`;

/** Acts are refused while acting is stopped, and end at once when it is stopped during one; reading still works. */
export const heedStop: Wrapper = ({ definition, name }, next) => {
  if (definition.kind !== 'act' && definition.kind !== 'input') return next;
  return async (ctx, input) => {
    const halt = new AbortController();
    let stoppedBy: StopState | undefined;
    let stoppedBefore: StopState | undefined;
    let isAllowed = false;
    let unsubscribe: (() => void) | undefined;
    const signal = AbortSignal.any([ctx.signal, halt.signal]);
    const engine = async (target?: CallTarget): ReturnType<typeof ctx.engine> => {
      const reached = await ctx.engine(target);
      if (unsubscribe !== undefined) return reached;
      unsubscribe = reached.onStop((state) => {
        // On a new connection the desktop reports a stop that happened earlier.
        if (!isAllowed) {
          stoppedBefore = state;
          return;
        }
        stoppedBy = state;
        halt.abort();
      });
      // If the desktop cannot be reached, the act itself reports that.
      const state = await reached.stopState({ deadlineMs: STATE_DEADLINE_MS, signal }).catch(() => undefined);
      if (state?.stopped === true) throw refused(state);
      if (stoppedBefore !== undefined) throw refused(stoppedBefore);
      isAllowed = true;
      return reached;
    };
    const ending = { signal: halt.signal, graceMs: ENDING_MS, failure: () => new Error('stopped') };
    try {
      return await endingInTime(ctx, ending, (runner) => next({ ...ctx, ...runner, engine, signal }, input));
    } catch (error) {
      throw stoppedBy === undefined ? error : ended(name, stoppedBy, error);
    } finally {
      unsubscribe?.();
    }
  };
};

function refused(state: StopState): DeskterityError {
  if (state.takeover === true)
    return new DeskterityError('POLICY_DENIED', `A person has taken over this desktop${since(state)}.`, {
      suggestion: `Reading still works. ${UNTIL_HANDED_BACK}`,
      delivered: false,
    });
  return new DeskterityError('POLICY_DENIED', `Acting on this desktop is stopped${inWords(state)}.`, {
    suggestion: `Reading still works. A person can allow acting again with ${mentionCommand('resume')}.`,
    delivered: false,
  });
}

/** For an act that was running when acting was stopped; counts as delivered unless the act reports otherwise. */
function ended(name: string, state: StopState, cause: unknown): DeskterityError {
  const known = cause instanceof DeskterityError ? cause : undefined;
  const details = {
    delivered: known?.delivered ?? true,
    // What was done before it was stopped.
    result: known?.result,
    report: known?.report,
    cause,
  };
  if (state.takeover === true)
    return new DeskterityError('CANCELLED', `${name} ended because a person took over this desktop.`, {
      suggestion: `${UNTIL_HANDED_BACK} Then check the effect with ${mentionCommand('snapshot')}.`,
      ...details,
    });
  return new DeskterityError('CANCELLED', `${name} ended because acting was stopped${inWords(state)}.`, {
    suggestion: `Check its effect with ${mentionCommand('snapshot')}. A person can allow acting again with ${mentionCommand('resume')}.`,
    ...details,
  });
}

function inWords(state: StopState): string {
  const { by } = state;
  return `${by === undefined ? '' : ` by ${JSON.stringify(by.slice(0, 80))}`}${since(state)}`;
}

function since({ since: at }: StopState): string {
  return at === undefined ? '' : ` since ${at.slice(0, 40)}`;
}

import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { StopState } from '../../ports/input.ts';
import type { CallTarget } from '../../model/sessions/call-target.ts';
import type { Wrapper } from './wrapper.ts';

/** One property of the display is read. */
const LOOK_DEADLINE_MS = 2000;
/** For keys to be released, and for what was under way to say how far it got. */
const ENDING_MS = 500;

/** Acts are refused while acting is stopped, and end at once when it is stopped meanwhile; looking goes on. */
export const heedStop: Wrapper = ({ definition, name }, next) => {
  if (definition.kind !== 'act' && definition.kind !== 'input') return next;
  return async (ctx, input) => {
    const halt = new AbortController();
    let stoppedBy: StopState | undefined;
    let stoppedBefore: StopState | undefined;
    let isAllowed = false;
    let forget: (() => void) | undefined;
    const signal = AbortSignal.any([ctx.signal, halt.signal]);
    const engine = async (target?: CallTarget): ReturnType<typeof ctx.engine> => {
      const reached = await ctx.engine(target);
      if (forget !== undefined) return reached;
      forget = reached.onStop((state) => {
        // A desktop that is only now connected to tells of a stop that is long known to others.
        if (!isAllowed) {
          stoppedBefore = state;
          return;
        }
        stoppedBy = state;
        halt.abort();
      });
      // Where the desktop cannot be reached, the act itself says so.
      const state = await reached.stopState({ deadlineMs: LOOK_DEADLINE_MS, signal }).catch(() => undefined);
      if (state?.stopped === true) throw refused(state);
      if (stoppedBefore !== undefined) throw refused(stoppedBefore);
      isAllowed = true;
      return reached;
    };
    const halted = new Promise<never>((_, reject) => {
      // What ends by itself knows whether anything arrived.
      const giveUp = (): void => void setTimeout(() => reject(new Error('stopped')), ENDING_MS);
      halt.signal.addEventListener('abort', giveUp, { once: true });
    });
    try {
      return await Promise.race([next({ ...ctx, engine, signal }, input), halted]);
    } catch (error) {
      throw stoppedBy === undefined ? error : ended(name, stoppedBy, error);
    } finally {
      forget?.();
    }
  };
};

function refused(state: StopState): DeskterityError {
  return new DeskterityError('POLICY_DENIED', `Acting on this desktop is stopped${inWords(state)}.`, {
    suggestion: `Looking still works. When acting may go on, a person runs ${mentionCommand('resume')}.`,
    delivered: false,
  });
}

/** What was under way when acting was stopped. Whether it arrived is not known unless it says so. */
function ended(name: string, state: StopState, cause: unknown): DeskterityError {
  const delivered = cause instanceof DeskterityError ? cause.delivered : undefined;
  return new DeskterityError('CANCELLED', `${name} ended because acting was stopped${inWords(state)}.`, {
    suggestion: `Look at what it did with ${mentionCommand('snapshot')}. When acting may go on, a person runs ${mentionCommand('resume')}.`,
    delivered: delivered ?? true,
    cause,
  });
}

function inWords({ by, since }: StopState): string {
  return `${by === undefined ? '' : ` by ${JSON.stringify(by.slice(0, 80))}`}${since === undefined ? '' : ` since ${since.slice(0, 40)}`}`;
}

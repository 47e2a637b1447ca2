import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { setMaxListeners } from 'node:events';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Wrapper } from './wrapper.ts';
import { isRecord } from '../../model/is-record.ts';

/** Time a command gets beyond its own deadline to explain what it was waiting for. */
export const GRACE_MS = 500;

/** Deadline of commands that have no `timeout_ms`. */
const DEFAULT_DEADLINE_MS = 10_000;

/** Ends every call: at the caller's wish with CANCELLED, and at its deadline plus {@link GRACE_MS} with TIMEOUT. */
export const deadline: Wrapper = (command, next) => async (ctx, input) => {
  const limitMs = deadlineMs(command.definition, input);
  const expiry = new AbortController();
  const signal = AbortSignal.any([ctx.signal, expiry.signal]);
  // One call reads from many applications at once, each listening for the end; Node would warn of a leak on stderr.
  setMaxListeners(0, signal);
  const { kind } = command.definition;
  const isAct = kind === 'act' || kind === 'input';
  let hasBegun = false;
  const failure = () => {
    // Nobody waits for what the act itself would say: it may have arrived.
    const mayHaveArrived = isAct && hasBegun;
    const look = `Look at what it did with ${mentionCommand('snapshot')} before you repeat it.`;
    const delivery = isAct ? { delivered: hasBegun } : {};
    return ctx.signal.aborted
      ? new DeskterityError('CANCELLED', `${command.name} was cancelled.`, {
          suggestion: mayHaveArrived ? look : 'Run the command again when you want its answer.',
          ...delivery,
        })
      : new DeskterityError('TIMEOUT', `${command.name} did not end within ${limitMs} ms.`, {
          suggestion: mayHaveArrived
            ? look
            : `Give it a longer ${mentionParameter('timeout_ms')}, or narrow it with ${mentionParameter('app')} or ${mentionParameter('window')}.`,
          retryable: !mayHaveArrived,
          ...delivery,
        });
  };
  if (signal.aborted) throw failure();
  hasBegun = true;

  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(failure());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const timer = setTimeout(() => expiry.abort(), limitMs + GRACE_MS);
  try {
    return await Promise.race([next({ ...ctx, signal }, input), aborted]);
  } catch (error) {
    // An inner call that saw the abort first reports it in its own words; the reason is the same.
    throw signal.aborted && !(error instanceof DeskterityError) ? failure() : error;
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
};

function deadlineMs(definition: Parameters<Wrapper>[0]['definition'], input: unknown): number {
  if (!isRecord(input)) return DEFAULT_DEADLINE_MS;
  if (definition.deadlineMs !== undefined) return definition.deadlineMs(input);
  const asked = input['timeout_ms'];
  return typeof asked === 'number' ? asked : DEFAULT_DEADLINE_MS;
}

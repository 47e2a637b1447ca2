import { mentionCommand, mentionParameter } from '../../model/text/mention.ts';
import { setMaxListeners } from 'node:events';
import { DeskterityError } from '../../model/effects/errors.ts';
import { endingInTime } from './ending-in-time.ts';
import type { Wrapper } from './wrapper.ts';
import { isRecord } from '../../model/is-record.ts';

/** Extra time after the deadline for a command to report what it was waiting for. */
export const GRACE_MS = 500;

/** Time for a call that has been ended to report how far it came. */
export const REPORT_MS = 300;

/** Deadline of commands without `timeout_ms`. */
const DEFAULT_DEADLINE_MS = 10_000;

/**
 * Ends every call: with CANCELLED when the caller cancels, and with TIMEOUT at its deadline plus {@link GRACE_MS}. What the call itself reports within
 * {@link REPORT_MS} is its answer: the receipts of what it had done by then.
 */
export const deadline: Wrapper = (command, next) => async (ctx, input) => {
  const limitMs = deadlineMs(command.definition, input);
  const expiry = new AbortController();
  const signal = AbortSignal.any([ctx.signal, expiry.signal]);
  // One call reads many applications at once, each with a listener; Node would warn of a leak on stderr.
  setMaxListeners(0, signal);
  const { kind } = command.definition;
  const isAct = kind === 'act' || kind === 'input';
  let hasBegun = false;
  const failure = () => {
    // The act's own result is no longer awaited, so it may have been delivered.
    const mayBeDelivered = isAct && hasBegun;
    const look = `Check its effect with ${mentionCommand('snapshot')} before you repeat it.`;
    const delivery = isAct ? { delivered: hasBegun } : {};
    return ctx.signal.aborted
      ? new DeskterityError('CANCELLED', `${command.name} was cancelled.`, {
          suggestion: mayBeDelivered ? look : 'Run the command again if you still need its answer.',
          ...delivery,
        })
      : new DeskterityError('TIMEOUT', `${command.name} did not end within ${limitMs} ms.`, {
          suggestion: mayBeDelivered
            ? look
            : `Use a longer ${mentionParameter('timeout_ms')}, or limit the command with ${mentionParameter('app')} or ${mentionParameter('window')}.`,
          retryable: !mayBeDelivered,
          ...delivery,
        });
  };
  if (signal.aborted) throw failure();
  hasBegun = true;

  const timer = setTimeout(() => expiry.abort(), limitMs + GRACE_MS);
  try {
    return await endingInTime(ctx, { signal, graceMs: REPORT_MS, failure }, (runner) =>
      next({ ...ctx, ...runner, signal }, input),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    // An inner call may report the abort first, as an error of its own; the cause is the same.
    if (!(error instanceof DeskterityError)) throw failure();
    if (error.code !== 'CANCELLED') throw error;
    if (!ctx.signal.aborted) throw withReport(failure(), error);
    throw isAct && error.delivered === undefined ? error.with({ delivered: true }) : error;
  } finally {
    clearTimeout(timer);
  }
};

/** A call that was cancelled because its time had run out. */
function withReport(
  failure: DeskterityError,
  { message, delivered, result, report }: DeskterityError,
): DeskterityError {
  return failure.with({
    message: `${failure.message} ${message}`,
    delivered: delivered ?? failure.delivered,
    result,
    report,
  });
}

function deadlineMs(definition: Parameters<Wrapper>[0]['definition'], input: unknown): number {
  if (!isRecord(input)) return DEFAULT_DEADLINE_MS;
  if (definition.deadlineMs !== undefined) return definition.deadlineMs(input);
  const asked = input['timeout_ms'];
  return typeof asked === 'number' ? asked : DEFAULT_DEADLINE_MS;
}

import type { DeskterityError } from '../../../model/effects/errors.ts';
import type { CallOptions } from '../../../ports/call-options.ts';
import { cancelled } from '../failures.ts';

/**
 * Stops waiting for `work` at the deadline or when the caller cancels; requests already sent may still take effect.
 * @param wait.doing what the caller waits for: `listing windows`
 * @param wait.late the error when the deadline passes
 * @param wait.asError what other errors become
 */
export async function waitAtMost<T>(
  work: Promise<T>,
  options: CallOptions,
  wait: {
    readonly doing: string;
    readonly late: (deadlineMs: number) => DeskterityError;
    readonly asError?: (error: unknown, doing: string) => unknown;
  },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const { signal, deadlineMs } = options;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(wait.late(deadlineMs)), deadlineMs);
    onAbort = () => reject(cancelled(`Cancelled while ${wait.doing}.`));
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, limit]);
  } catch (error) {
    throw wait.asError?.(error, wait.doing) ?? error;
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Waits for what somebody must end, such as a watch. If it comes when nobody waits any more, it is ended at once.
 * @param wait rejects when it is too late
 */
export async function endIfLate<T>(
  work: Promise<T>,
  wait: (work: Promise<T>) => Promise<T>,
  end: (late: T) => void,
): Promise<T> {
  try {
    return await wait(work);
  } catch (error) {
    work.then(end).catch(() => undefined);
    throw error;
  }
}

import { mentionCommand } from '../../../model/text/mention.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { errorCode } from '../../../model/error-code.ts';
import { isAlive } from '../../paths.ts';
import { processStartTime } from './facts.ts';
import { ownTree, ProcessFamily } from './kill-family.ts';

/** How long a program may take to exit after TERM before it is killed. */
const GRACE_MS = 1500;
const POLL_MS = 30;

export interface TerminateOptions {
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Kill processes that do not exit after TERM; otherwise only TERM is sent. */
  readonly force: boolean;
}

/**
 * Ends a process: TERM, then with `force` KILL for it and everything it started. Resolves when it has exited, or without `force` once TERM
 * is sent.
 * @throws DeskterityError APP_NOT_FOUND, PERM_DENIED, INVALID_ARGUMENT (this process or an ancestor), TIMEOUT
 */
export async function terminateProcess(
  pid: number,
  options: TerminateOptions,
): Promise<{ readonly via: string }> {
  refuseOwnTree(pid);
  const startTime = processStartTime(pid);
  if (startTime === undefined || !isAlive(pid)) throw gone(pid);
  const family = new ProcessFamily([{ pid, startTime }]);
  // What it has started is known only until it exits.
  if (options.force) family.look();
  send(pid);
  if (!options.force) return { via: 'signal:SIGTERM' };
  const end = performance.now() + options.deadlineMs;
  const grace = performance.now() + Math.min(GRACE_MS, options.deadlineMs / 2);
  while (performance.now() < grace) {
    if (!isSame(pid, startTime)) break;
    await sleep(POLL_MS, undefined, { signal: options.signal }).catch(() => undefined);
    if (options.signal?.aborted === true) break;
    family.look();
  }
  const killed = family.kill();
  while (performance.now() < end) {
    if (family.look().length === 0) return { via: killed.length === 0 ? 'signal:SIGTERM' : 'signal:SIGKILL' };
    await sleep(POLL_MS);
  }
  throw new DeskterityError(
    'TIMEOUT',
    `Process ${pid} was killed but had not exited after ${options.deadlineMs} ms.`,
    {
      suggestion: 'It is blocked in the kernel, often on a device or a network file system; try again later.',
      retryable: true,
      delivered: true,
    },
  );
}

function isSame(pid: number, startTime: string | undefined): boolean {
  return isAlive(pid) && processStartTime(pid) === startTime;
}

function send(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const errno = errorCode(error);
    if (errno === 'ESRCH') return;
    throw new DeskterityError('PERM_DENIED', `Process ${pid} belongs to another user.`, {
      suggestion: 'Run as that user to end it.',
      platformDetail: errno,
      cause: error,
    });
  }
}

function refuseOwnTree(pid: number): void {
  if (Number.isInteger(pid) && pid > 1 && !ownTree().has(pid)) return;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    `Process ${pid} cannot be closed from here: it runs this command or the whole system.`,
    {
      suggestion: `Run ${mentionCommand('list-apps')} to see the process ids of applications.`,
    },
  );
}

function gone(pid: number): DeskterityError {
  return new DeskterityError('APP_NOT_FOUND', `There is no running process ${pid}.`, {
    suggestion: `Run ${mentionCommand('list-apps')} to see what is running.`,
    platformDetail: 'ESRCH',
  });
}

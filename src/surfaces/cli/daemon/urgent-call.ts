import { TIMERS, within } from '../../../model/within.ts';
import { CallFailure } from './call-failure.ts';
import type { Connection, Rendered } from './connection.ts';

/** Time for a daemon to answer. If it must be started first it may take longer; running the command twice does no harm. */
const ANSWER_LIMIT_MS = 700;

/**
 * Runs a command that any process can perform, such as stop. This process does it if the daemon is of another version, broken or
 * frozen; the daemon may do it too. Returns the answer and the connection, which the caller closes.
 * @throws CallFailure the daemon's failure, if this process failed too
 */
export async function executeUrgently(
  connect: (where: 'daemon' | 'process') => Promise<Connection>,
  execute: (connection: Connection, signal: AbortSignal) => Promise<Rendered>,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer: Rendered; readonly connection: Connection }> {
  const own = new AbortController();
  const either = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  const daemon = await connect('daemon');
  const answered = execute(daemon, either);
  const early = await within(TIMERS, answered.catch(ignoreUnavailable), ANSWER_LIMIT_MS);
  if (early?.value !== undefined) return { answer: early.value, connection: daemon };
  const here = await connect('process');
  const answer = await execute(here, signal ?? own.signal);
  if (answer.exitCode === 0) {
    // Otherwise a frozen daemon might perform it when it resumes, undoing later requests.
    own.abort();
    return { answer, connection: here };
  }
  await here.close();
  return { answer: await answered, connection: daemon };
}

/** An unavailable daemon counts as no answer. */
function ignoreUnavailable(error: unknown): undefined {
  if (!(error instanceof CallFailure) || error.code !== 'DAEMON_UNAVAILABLE') throw error;
}

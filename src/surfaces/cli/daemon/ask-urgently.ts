import { TIMERS, within } from '../../../model/within.ts';
import { CallFailure } from './call-failure.ts';
import type { Connection, Rendered } from './connection.ts';

/** For a daemon to answer. One that has to be started first may take longer, and doing it twice does no harm. */
const PATIENCE_MS = 700;

/**
 * Has a command carried out that any process can do as well as the daemon, such as stopping. This process does it where the daemon is of another
 * build, broken or frozen; the daemon may have done it too. Gives the answer with the connection that is still to be closed.
 * @throws CallFailure what is wrong with the daemon, where this process failed as well
 */
export async function askUrgently(
  connect: (where: 'daemon' | 'process') => Promise<Connection>,
  ask: (connection: Connection, signal: AbortSignal) => Promise<Rendered>,
  signal: AbortSignal | undefined,
): Promise<{ readonly answer: Rendered; readonly connection: Connection }> {
  const own = new AbortController();
  const either = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  const daemon = await connect('daemon');
  const asked = ask(daemon, either);
  const early = await within(TIMERS, asked.catch(useless), PATIENCE_MS);
  if (early?.value !== undefined) return { answer: early.value, connection: daemon };
  const here = await connect('process');
  const answer = await ask(here, signal ?? own.signal);
  if (answer.exitCode === 0) {
    // A frozen daemon that comes to would do it then, and undo what was asked since.
    own.abort();
    return { answer, connection: here };
  }
  await here.close();
  return { answer: await asked, connection: daemon };
}

/** A daemon that is not there will not answer. */
function useless(error: unknown): undefined {
  if (!(error instanceof CallFailure) || error.code !== 'DAEMON_UNAVAILABLE') throw error;
}

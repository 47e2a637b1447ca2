import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Place } from '../harness.ts';

const Status = z.looseObject({
  daemon: z.looseObject({ log_file: z.string(), active_calls: z.int() }),
});
const Sessions = z.looseObject({ sessions: z.array(z.looseObject({ name: z.string() })) });
const LogLine = z.looseObject({
  message: z.string(),
  command: z.string().optional(),
  session: z.string().optional(),
  error: z.string().optional(),
});

/** The number of calls that the daemon is answering, without the one that queries it. */
export async function otherActiveCalls(place: Place): Promise<number> {
  const { daemon } = (await place.desk(['status'])).ok(Status);
  return daemon.active_calls - 1;
}

/** The answered calls of one session according to the daemon's log, such as `wait CANCELLED`. */
export async function answeredCalls(place: Place, session: string): Promise<readonly string[]> {
  const { daemon } = (await place.desk(['status'])).ok(Status);
  const lines = (await readFile(daemon.log_file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines
    .map((line) => LogLine.parse(JSON.parse(line)))
    .filter((line) => line.message === 'call' && line.session === session)
    .map(({ command = '', error }) => [command, error ?? 'ok'].join(' '));
}

/** Names of all sessions, as another user of `desk` sees them. */
export async function sessionNames(place: Place): Promise<readonly string[]> {
  return (await place.desk(['session', 'list'])).ok(Sessions).sessions.map(({ name }) => name);
}

import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { inPlace, type Place, type Reply } from '../place.ts';
import { repeat, type ProofOptions, type ProofRow } from '../row.ts';

const CONFINED = 40;
const WITHOUT_SIZE = 40;
const STOPPED = 30;
const DRIPPING = 30;
const DEADLINE_MS = 1500;
/** Starting the client, and what a busy machine adds. */
const MARGIN_MS = 1500;
const DRIP_MS = 500;
const GIVEN_UP_MS = 15_000;

/** What the program promises to its clients: confined tags, windows without a size, a daemon that is stopped, one byte at a time. */
export function clients(repeats: number | undefined, say: ProofOptions['say']): Promise<ProofRow[]> {
  return inPlace(async (place) => [
    await confinedTags(place, repeats ?? CONFINED, say),
    await attachedWithoutSize(place, repeats ?? WITHOUT_SIZE, say),
    await stoppedDaemons(place, repeats ?? STOPPED, say),
    await drippingClients(place, repeats ?? DRIPPING, say),
  ]);
}

/** `script` without a terminal of its own has one of size 0×0. */
function attachedWithoutSize(place: Place, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  return repeat(
    'attached from a terminal of size 0×0: the size stays, and the next command runs',
    count,
    say,
    async (index) => {
      const at = ['--tag', 'sizes'];
      await place.desk('terminal', 'execute', 'echo begun', ...at);
      const command = `${process.execPath} ${place.entry} terminal attach --tag sizes`;
      const attached = spawn('script', ['-qec', command, '/dev/null'], {
        env: place.environment,
        cwd: join(place.folder, 'project'),
      });
      try {
        await new Promise((resolve) => attached.stdout.once('data', resolve));
        const { stdout } = await place.desk('terminal', 'execute', `stty size; echo ${index}`, ...at);
        if (!stdout.includes(`"output":"40 120\\n${index}"`)) throw new Error(stdout.slice(0, 300));
      } finally {
        attached.kill('SIGHUP');
      }
    },
  );
}

function confinedTags(place: Place, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  return repeat(
    'a confined tag whose shell has ended is never started unconfined',
    count,
    say,
    async (index) => {
      const tag = `tag-${index}`;
      const at = (...args: string[]) => place.desk('terminal', 'execute', ...args, '--tag', tag);
      const first = await at('echo first', '--confined');
      if (first.exitCode !== 0) throw new Error(first.stdout.slice(0, 300));
      await at('exit');
      const second = await at('echo second');
      if (second.exitCode === 0) throw new Error(`it ran: ${second.stdout.slice(0, 300)}`);
      const third = await at('echo third', '--confined');
      if (!third.stdout.includes('"is_confined":true')) throw new Error(third.stdout.slice(0, 300));
      await place.desk('terminal', 'close', '--tag', tag);
    },
  );
}

async function stoppedDaemons(place: Place, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  let slowest = 0;
  const row =
    'a stopped daemon is noticed within the deadline of the call, and works again when it continues';
  const result = await repeat(row, count, say, async () => {
    const daemon = await place.daemon();
    process.kill(daemon, 'SIGSTOP');
    try {
      const reply = await place.desk('list-windows', '--timeout', String(DEADLINE_MS));
      slowest = Math.max(slowest, Math.round(reply.tookMs));
      if (!reply.stdout.includes('DAEMON_UNAVAILABLE')) throw new Error(reply.stdout.slice(0, 300));
      if (reply.tookMs > DEADLINE_MS + MARGIN_MS) throw new Error(`after ${Math.round(reply.tookMs)} ms`);
    } finally {
      process.kill(daemon, 'SIGCONT');
    }
    const next = await place.desk('session', 'list');
    if (next.exitCode !== 0) throw new Error(next.stdout.slice(0, 300));
  });
  return { ...result, counts: { slowest_ms: slowest } };
}

/** All at once, as each takes ten seconds. */
async function drippingClients(place: Place, count: number, say: ProofOptions['say']): Promise<ProofRow> {
  await place.daemon();
  const row = 'a client that sends one byte at a time is disconnected, while others are answered';
  const ends = Array.from({ length: count }, () => drip(place.socket()));
  const waiting: Reply[] = [];
  for (let call = 0; call < 10; call += 1) waiting.push(await place.desk('session', 'list'));
  const closed = await Promise.all(ends);
  const answered = waiting.every(({ exitCode }) => exitCode === 0);
  return repeat(row, count, say, async (index) => {
    if (!answered) throw new Error('another client was not answered');
    if (closed[index] !== true) throw new Error('it is still connected');
  });
}

/** Resolves with whether the connection was closed in time. */
function drip(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const timer = setInterval(() => socket.write('"'), DRIP_MS);
    const limit = setTimeout(() => end(false), GIVEN_UP_MS);
    const end = (isClosed: boolean): void => {
      clearInterval(timer);
      clearTimeout(limit);
      socket.destroy();
      resolve(isClosed);
    };
    socket.on('connect', () => socket.write('{'));
    socket.on('error', () => undefined);
    socket.on('close', () => end(true));
    socket.resume();
  });
}

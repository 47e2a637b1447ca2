import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '../../../tests/e2e/support/build.ts';
import { repeat, type ProofOptions, type ProofRow } from '../row.ts';

const CONFINED = 40;
const STOPPED = 30;
const DRIPPING = 30;
const DEADLINE_MS = 1500;
/** Starting the client, and what a busy machine adds. */
const MARGIN_MS = 1500;
const DRIP_MS = 500;
const GIVEN_UP_MS = 15_000;

interface Reply {
  readonly exitCode: number;
  readonly stdout: string;
  readonly tookMs: number;
}

/** The built program with folders of its own. */
class Place {
  readonly folder: string;
  private readonly entry: string;
  private readonly environment: Readonly<Record<string, string>>;

  constructor(entry: string, folder: string) {
    this.entry = entry;
    this.folder = folder;
    this.environment = {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: join(folder, 'home'),
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: join(folder, 'run'),
      XDG_STATE_HOME: join(folder, 'state'),
    };
  }

  desk(...args: string[]): Promise<Reply> {
    const begun = performance.now();
    return new Promise((resolve) => {
      const options = { env: this.environment, cwd: join(this.folder, 'home'), timeout: 60_000 };
      const child = execFile(process.execPath, [this.entry, ...args], options, (_, stdout) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout, tookMs: performance.now() - begun });
      });
    });
  }

  /** The daemon of this place. */
  async daemon(): Promise<number> {
    const { stdout } = await this.desk('status');
    const pid = Number(/"pid":(\d+)/.exec(stdout)?.[1]);
    if (!Number.isInteger(pid) || !isDaemon(pid)) throw new Error(`no daemon in ${stdout.slice(0, 200)}`);
    return pid;
  }

  socket(): string {
    const folder = join(this.folder, 'run', 'deskterity');
    const name = readdirSync(folder).find(
      (file) => /daemon.*\.sock$|\.sock$/.test(file) && !file.includes('holder'),
    );
    return join(folder, name ?? '');
  }
}

function isDaemon(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('daemon');
  } catch {
    return false;
  }
}

/** What the program promises to its clients: confined tags, a daemon that is stopped, and a client that sends one byte at a time. */
export async function clients(repeats: number | undefined, say: ProofOptions['say']): Promise<ProofRow[]> {
  const { folder: program, entry } = await builtProgram();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'dkt-')));
  for (const name of ['home', 'run', 'state']) await mkdir(join(folder, name), { mode: 0o700 });
  const place = new Place(entry, folder);
  try {
    return [
      await confinedTags(place, repeats ?? CONFINED, say),
      await stoppedDaemons(place, repeats ?? STOPPED, say),
      await drippingClients(place, repeats ?? DRIPPING, say),
    ];
  } finally {
    for (const tag of tagsIn(await place.desk('terminal', 'list')))
      await place.desk('terminal', 'close', '--tag', tag);
    await place.desk('daemon', 'stop');
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    await rm(program, { recursive: true, force: true });
  }
}

function tagsIn({ stdout }: Reply): string[] {
  return [...stdout.matchAll(/"tag":"([^"]+)"/g)].flatMap(([, tag]) => (tag === undefined ? [] : [tag]));
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

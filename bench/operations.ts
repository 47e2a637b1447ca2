/**
 * What it costs to start an operation that survives the daemon: for daemons of several sizes, confined and not, alternating with plain spawns and
 * bubblewrap. The kernel copies the page tables of the spawning process, so a large daemon is slow by itself, and a small holder is not. Also a hundred
 * at once, the memory of the holder, and a whole call of `sandboxed_shell` over MCP beside bubblewrap's own start.
 */
import { execFile, fork } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { holderOptions, spawnWorkerOptions } from '../scripts/build.mjs';
import { CannotMeasure, rounded, type Figure, type Report, type Say } from './support/figures.ts';
import type { ClientOrder, ClientTimes, FromClient } from './support/operations-client.ts';
import { startFigures } from './support/operations-figures.ts';
import { shellCallFigures } from './support/shell-call.ts';

const execute = promisify(execFile);
const SIZES_MB = [50, 300, 1000] as const;
const ROUNDS = 300;
const PARALLEL = 100;
const LIMIT_MS = 300_000;
const LEAVE_LIMIT_MS = 40_000;
const BUBBLEWRAP = '/usr/bin/bwrap';
const TRIAL_LIMIT_MS = 10_000;

export async function run({
  say,
  only,
}: {
  readonly say: Say;
  /** Sizes, such as `300 MB`, or `mcp` for the whole call of a sandboxed command. */
  readonly only?: RegExp | undefined;
}): Promise<Report> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'deskterity-bench-')));
  try {
    say('building');
    const programs = await prepare(folder);
    const problem = await bubblewrapProblem();
    const bubblewrap = problem === undefined ? BUBBLEWRAP : undefined;
    if (problem !== undefined) say(`without bubblewrap: ${problem}`);
    const figures: Figure[] = [];
    for (const megabytes of SIZES_MB) {
      if (only?.test(`${megabytes} MB`) === false) continue;
      say(`a daemon of ${megabytes} MB`);
      const order = { folder, programs, megabytes, rounds: ROUNDS, parallel: PARALLEL, bubblewrap };
      figures.push(...startFigures(megabytes, await measure(order, say)));
    }
    if (only?.test('mcp') !== false) figures.push(...(await shellCallFigures(bubblewrap, say)));
    for (const pid of await holders(folder)) figures.push(await memoryOf(pid));
    if (problem !== undefined)
      figures.push({ what: 'bubblewrap, for comparison', value: 0, unit: 'programs', note: problem });
    return { name: 'operations', figures };
  } finally {
    await endHolders(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Holders end their programs before they exit. */
async function endHolders(folder: string): Promise<void> {
  for (const pid of await holders(folder)) process.kill(pid, 'SIGTERM');
  const end = performance.now() + LEAVE_LIMIT_MS;
  while ((await holders(folder)).length > 0 && performance.now() < end) await sleep(100);
}

/** @returns the folder of the programs */
async function prepare(folder: string): Promise<string> {
  for (const name of ['run', 'state', 'scope', 'home', 'programs'])
    await mkdir(path.join(folder, name), { mode: 0o700 });
  const programs = path.join(folder, 'programs');
  // The script that exports them is bundled too, and no longer knows its own path.
  const absWorkingDir = process.cwd();
  await build({ ...holderOptions(programs), absWorkingDir });
  await build({ ...spawnWorkerOptions(programs), absWorkingDir });
  await build({
    entryPoints: ['bench/support/operations-client.ts', 'bench/support/operations-small.ts'],
    outdir: programs,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'error',
  });
  await writeFile(path.join(programs, 'package.json'), '{"type":"module"}');
  await symlink(path.resolve('node_modules'), path.join(programs, 'node_modules'));
  return programs;
}

/** Why bubblewrap cannot be measured; `undefined` if it can. */
async function bubblewrapProblem(): Promise<string | undefined> {
  const command = ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '/bin/true'];
  try {
    await execute(BUBBLEWRAP, command, { timeout: TRIAL_LIMIT_MS });
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return 'it is not installed (apt-get install bubblewrap)';
    return `it does not work here: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** @throws CannotMeasure if there is no sandbox */
async function measure(order: ClientOrder, say: Say): Promise<ClientTimes> {
  const client = fork(path.join(order.programs, 'operations-client.js'), [JSON.stringify(order)], {
    env: { PATH: process.env['PATH'], XDG_RUNTIME_DIR: path.join(order.folder, 'run') },
    execArgv: [],
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise((resolve) => client.once('exit', resolve));
  try {
    return await new Promise<ClientTimes>((resolve, reject) => {
      client.on('message', (received) => {
        const message = received as FromClient;
        if (message.type === 'progress') say(message.text);
        else if (message.type === 'times') resolve(message.times);
        else reject(message.isMissing ? new CannotMeasure(message.problem) : new Error(message.problem));
      });
      client.once('error', reject);
      client.once('exit', (code, signal) => reject(new Error(`The daemon ended with ${code ?? signal}.`)));
    });
  } finally {
    client.kill('SIGKILL');
    await ended;
  }
}

async function memoryOf(pid: number): Promise<Figure> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return {
    what: 'resident memory of the holder after all rounds',
    value: rounded(kilobytes('VmRSS') / 1024),
    unit: 'MiB',
    note: `${rounded(kilobytes('RssAnon') / 1024)} MiB of it are its own; the rest is Node's file`,
  };
}

/** Holders that keep the state of this run. */
async function holders(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return pids
    .map(Number)
    .filter((_, index) => lines[index]?.includes(`--state=${path.join(folder, 'state')}`));
}

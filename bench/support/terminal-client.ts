/** A daemon for the terminal bench: runs commands in terminals, reads their screens, measures their memory and reports the results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { screenTree } from '../../src/terminal/desktop/screen-tree.ts';
import { createTerminals } from '../../src/terminal/sessions/terminals.ts';
import { holdersOf, LabTerminal, terminalParts, terminalStart } from '../../tests/daemon/terminal-support.ts';
import { bySpawn, byScript, largeCommand, shortCommand, type Expected } from './terminal-commands.ts';

export interface TerminalOrder {
  readonly folder: string;
  readonly shell: string;
  readonly short: number;
  readonly large: number;
  readonly rounds: number;
  readonly idle: number;
  /** Path of script(1), for comparison; absent if it is not installed. */
  readonly script?: string | undefined;
}

/** Commands run in one way: how long each took, and those whose output was not exact. */
export interface Series {
  readonly tookMs: readonly number[];
  readonly lost: readonly string[];
}

export interface TerminalTimes {
  readonly short: Series;
  readonly large: Series;
  readonly peer: { readonly short: Series; readonly large: Series } | undefined;
  /** The same program, alternating between the ways. */
  readonly overhead: Readonly<
    Record<'spawn' | 'shell' | 'terminal' | 'builtin' | 'script', readonly number[]>
  >;
  readonly screen: {
    readonly readMs: readonly number[];
    readonly changedMs: readonly number[];
    readonly treeMs: readonly number[];
    readonly cpuMs: number;
  };
  /** In MiB, for each session. */
  readonly memory: {
    readonly holder: number;
    readonly daemon: number;
    readonly fullHolder: number;
    readonly fullDaemon: number;
    readonly shell: number;
    readonly holderAlone: number;
  };
}

export type FromTerminalClient =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'times'; readonly times: TerminalTimes }
  | { readonly type: 'failed'; readonly problem: string };

const LIMIT = { deadlineMs: 20_000 };
const SCREEN_ROUNDS = 500;
const MOST_NEWS_MS = 200;
const PEER_SHORT = 100;
const PEER_LARGE = 20;
/** Time for V8 to free memory when idle. */
const REST_MS = 3000;
const TOLD_EVERY = 250;

const order = JSON.parse(process.argv[2] ?? '{}') as TerminalOrder;
const { folder, shell } = order;
const port = createTerminals(terminalParts(folder));

async function open(tag: string): Promise<LabTerminal> {
  return new LabTerminal(port, await port.open(terminalStart(folder, tag, shell)));
}

async function series(
  count: number,
  what: string,
  make: (index: number) => Expected,
  run: (expected: Expected) => Promise<{ readonly bytes: Buffer; readonly exitCode: number | undefined }>,
): Promise<Series> {
  const tookMs: number[] = [];
  const lost: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const expected = make(index);
    const started = performance.now();
    const { bytes, exitCode } = await run(expected);
    tookMs.push(performance.now() - started);
    if (!bytes.equals(expected.shown) || exitCode !== expected.exitCode)
      lost.push(`#${index}: ${bytes.length} of ${expected.shown.length} bytes, exit code ${exitCode}`);
    if ((index + 1) % TOLD_EVERY === 0)
      tell({ type: 'progress', text: `${what}: ${index + 1} of ${count}, ${lost.length} not exact` });
  }
  return { tookMs, lost };
}

function inTerminal(terminal: LabTerminal) {
  return async ({ command }: Expected) => {
    const ran = await terminal.run(command);
    return { bytes: await terminal.bytesOf(ran), exitCode: ran.exitCode };
  };
}

async function overhead(terminal: LabTerminal): Promise<TerminalTimes['overhead']> {
  const { script } = order;
  const ways = {
    spawn: () => bySpawn(['/bin/true']),
    shell: () => bySpawn([shell, '-c', '/bin/true; exit 0']),
    terminal: () => terminal.run('/bin/true'),
    builtin: () => terminal.run('true'),
    ...(script === undefined ? {} : { script: () => byScript(script, '/bin/true') }),
  };
  const took: Record<keyof TerminalTimes['overhead'], number[]> = {
    spawn: [],
    shell: [],
    terminal: [],
    builtin: [],
    script: [],
  };
  const names = Object.keys(took).filter((name): name is keyof typeof ways => name in ways);
  for (let round = -10; round < order.rounds; round += 1)
    // The order changes, so that no way always follows the same one.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + 10) % names.length] ?? 'spawn';
      const started = performance.now();
      await ways[name]?.();
      if (round >= 0) took[name].push(performance.now() - started);
    }
  return took;
}

async function screens(terminal: LabTerminal): Promise<TerminalTimes['screen']> {
  await terminal.run(`/usr/bin/python3 -c "$(cat ${join(folder, 'full-screen.py')})"`);
  const view = await port.view(terminal.id);
  const options = { ...LIMIT, scrollbackLines: 0 };
  let unseen = 0;
  const rows = (await view.read(options)).screen.rows.filter(({ text }) => /^(?:\d{10}){12}$/.test(text));
  if (rows.length !== 39) throw new Error(`The screen is not full: ${rows.length} rows.`);
  const readMs: number[] = [];
  const treeMs: number[] = [];
  const cpu = process.cpuUsage();
  for (let round = 0; round < SCREEN_ROUNDS; round += 1) {
    const started = performance.now();
    const { screen, scrollback } = await view.read(options);
    const read = performance.now();
    screenTree({ app: 'bench', name: 'bench', screen, scrollback });
    readMs.push(read - started);
    treeMs.push(performance.now() - read);
  }
  const { user, system } = process.cpuUsage(cpu);
  const changedMs: number[] = [];
  let shown = (): void => undefined;
  const unwatch = view.watch(() => shown());
  for (let round = 0; round < SCREEN_ROUNDS / 5; round += 1) {
    // Several changes in quick succession may be reported as one.
    const told = Promise.race([new Promise<void>((resolve) => (shown = resolve)), sleep(MOST_NEWS_MS)]);
    await view.write(Buffer.from(`${round}\n`), LIMIT);
    await told;
    const started = performance.now();
    const { screen, scrollback } = await view.read(options);
    screenTree({ app: 'bench', name: 'bench', screen, scrollback });
    changedMs.push(performance.now() - started);
    if (!screen.rows.some(({ text }) => text === String(round))) unseen += 1;
  }
  unwatch();
  await port.kill(terminal.id, { interruptMs: 100, terminateMs: 100 });
  if (unseen > SCREEN_ROUNDS / 10) throw new Error(`${unseen} changes never appeared on the screen.`);
  return { readMs, treeMs, changedMs, cpuMs: (user + system) / 1000 / SCREEN_ROUNDS };
}

function residentMb(pid: number): number {
  const [, kilobytes = ''] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

async function weigh(): Promise<TerminalTimes['memory']> {
  const [holder = 0] = holdersOf(join(folder, 'state'));
  const look = async () => {
    globalThis.gc?.();
    await sleep(REST_MS);
    return { holder: residentMb(holder), daemon: residentMb(process.pid) };
  };
  const before = await look();
  const terminals: LabTerminal[] = [];
  for (let index = 0; index < order.idle; index += 1) terminals.push(await open(`idle-${index}`));
  for (const terminal of terminals) await terminal.run('echo ready');
  const after = await look();
  for (const terminal of terminals) await terminal.run('seq 1 20000');
  const full = await look();
  const each = (now: number, then: number) => (now - then) / order.idle;
  const shells = terminals.map(({ pid }) => residentMb(pid));
  for (const terminal of terminals) await terminal.close();
  return {
    holder: each(after.holder, before.holder),
    daemon: each(after.daemon, before.daemon),
    fullHolder: each(full.holder, before.holder),
    fullDaemon: each(full.daemon, before.daemon),
    shell: shells.reduce((sum, one) => sum + one, 0) / shells.length,
    holderAlone: before.holder,
  };
}

async function measure(): Promise<TerminalTimes> {
  const terminal = await open('bench');
  await terminal.run('echo ready');
  // First, before other commands have used the holder.
  tell({ type: 'progress', text: `${order.idle} idle sessions` });
  const memory = await weigh();
  tell({ type: 'progress', text: 'overhead of a command' });
  const times = await overhead(terminal);
  tell({ type: 'progress', text: 'screens' });
  const screen = await screens(await open('screen'));
  const short = await series(order.short, 'short', shortCommand, inTerminal(terminal));
  const large = await series(order.large, 'large', largeCommand, inTerminal(terminal));
  const { script } = order;
  const peer = script && {
    short: await series(PEER_SHORT, 'short by script', shortCommand, (one) => byScript(script, one.command)),
    large: await series(PEER_LARGE, 'large by script', largeCommand, (one) => byScript(script, one.command)),
  };
  return { memory, overhead: times, screen, short, large, peer: peer || undefined };
}

function tell(message: FromTerminalClient, then: () => void = () => {}): void {
  process.send?.(message, then);
}

process.on('disconnect', () => process.exit());
try {
  tell({ type: 'times', times: await measure() }, () => process.exit(0));
} catch (error) {
  const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tell({ type: 'failed', problem }, () => process.exit(1));
}

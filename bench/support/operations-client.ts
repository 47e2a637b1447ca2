/** A daemon of a given size that alternately starts operations and, by other means, programs, and reports how long each took. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Confinement } from '../../src/model/tools/confinement.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { createOperations } from '../../src/operations/operations.ts';
import { createProcessIdentity } from '../../src/platform/linux/process/facts.ts';
import { holderSocket } from '../../src/platform/paths.ts';
import type { OperationRequest } from '../../src/ports/operations.ts';
import type { SmallAnswer, SmallOrder } from './operations-small.ts';
import { begin, clockOffset, COMMAND, ENVIRONMENT, timedSpawn, type StartTimes } from './timed-start.ts';

export interface ClientOrder {
  readonly folder: string;
  readonly programs: string;
  /** Resident memory that the process should have. */
  readonly megabytes: number;
  readonly rounds: number;
  readonly parallel: number;
  /** Path of bwrap; absent if it is not installed or does not work. */
  readonly bubblewrap?: string | undefined;
}

/**
 * `small`, `daemon`: a plain spawn by a small process, and by this one. `bwrap`: bubblewrap, started by the small process. The others are operations:
 * `confined`; `reported`, with a report of denied accesses; `namespaces`, in bubblewrap; `open`, not confined.
 */
export const WAYS = ['small', 'daemon', 'bwrap', 'confined', 'open', 'reported', 'namespaces'] as const;
export type Way = (typeof WAYS)[number];

export interface ClientTimes {
  readonly residentMb: number;
  readonly rounds: Readonly<Partial<Record<Way, readonly StartTimes[]>>>;
  /** All at once. */
  readonly together: Readonly<Partial<Record<Way, readonly StartTimes[]>>>;
}

export type FromClient =
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'times'; readonly times: ClientTimes }
  /** `isMissing`: the machine lacks something. */
  | { readonly type: 'failed'; readonly problem: string; readonly isMissing: boolean };

const WARM_UP_ROUNDS = 30;
/** Two at once, so that the holder has prepared everything it keeps ready. */
const WARM_UP_COUNT = 2;
/** Some machines reclaim unused memory. */
const TOUCH_EVERY = 5;
const PAGE_BYTES = 4096;
const LIMIT_MS = 60_000;
/** The holder soon exits by itself if nobody ends it. */
const HOLDER_IDLE_MS = 30_000;
const TOLD_EVERY = 50;

const order = JSON.parse(process.argv[2] ?? '{}') as ClientOrder;
const { folder, programs, bubblewrap } = order;
const scope = join(folder, 'scope');
const operations = createOperations({
  stateFolder: join(folder, 'state'),
  logFolder: join(folder, 'logs'),
  environment: process.env,
  build: 'bench',
  holderFile: join(programs, 'holder.js'),
  workerFile: join(programs, 'spawn-worker.js'),
  socketFor: (name) => holderSocket(process.env, name),
  identity: createProcessIdentity(),
  idleMs: HOLDER_IDLE_MS,
});
const small = fork(join(programs, 'operations-small.js'));

function request(by: Confinement['by'], denyReport: boolean): OperationRequest {
  const confinement = {
    by,
    scope,
    read: [],
    write: [join(folder, 'home')],
    network: by === 'none',
    unixSockets: by === 'none',
    denyReport,
  };
  const step = { command: [...COMMAND] as const, cwd: scope, environment: ENVIRONMENT, confinement };
  return {
    tool: 'bench',
    steps: [step],
    scope,
    budgetBytes: 1024 * 1024,
    session: 'default',
    output: 'merged',
  };
}

async function operation(by: Confinement['by'], offset: number, denyReport = false): Promise<StartTimes> {
  const asked = request(by, denyReport);
  const begun = begin(offset);
  const { operation_id: id } = await operations.start(asked);
  const answered = begun.passed();
  const { status, problem } = await operations.wait(id, {
    timeoutMs: LIMIT_MS,
    signal: new AbortController().signal,
  });
  const ended = begun.passed();
  const { text } = await operations.read(id, { cursor: 0, maxTokens: 1000 });
  if (status !== 'succeeded') throw new Error(`An operation ended as ${status}: ${problem ?? ''} ${text}`);
  return { answered, runs: begun.until(text), ended };
}

async function bySmall(command: SmallOrder['command'], count = 1): Promise<readonly StartTimes[]> {
  const { times, problem } = await new Promise<SmallAnswer>((resolve, reject) => {
    const gone = () => reject(new Error('The small process has exited.'));
    small.once('exit', gone);
    small.once('message', (answer) => {
      small.off('exit', gone);
      resolve(answer as SmallAnswer);
    });
    small.send({ command, cwd: scope, count } satisfies SmallOrder);
  });
  if (problem !== undefined) throw new Error(problem);
  return times;
}

/** A typical safe command line: all namespaces, everything read-only except the scope. */
function inBubblewrap(program: string): SmallOrder['command'] {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', scope, scope];
  return [program, '--unshare-all', '--die-with-parent', ...mounts, '--chdir', scope, '--', ...COMMAND];
}

/** Starts a number of programs at once, by each available way. */
function waysTo(): Partial<Record<Way, (count: number, offset: number) => Promise<readonly StartTimes[]>>> {
  const times = (start: (offset: number) => Promise<StartTimes>) => (count: number, offset: number) =>
    Promise.all(Array.from({ length: count }, () => start(offset)));
  return {
    small: (count) => bySmall(COMMAND, count),
    daemon: times((offset) => timedSpawn(COMMAND, scope, offset)),
    confined: times((offset) => operation('landlock', offset)),
    open: times((offset) => operation('none', offset)),
    reported: times((offset) => operation('landlock', offset, true)),
    ...(bubblewrap === undefined
      ? {}
      : {
          bwrap: (count: number) => bySmall(inBubblewrap(bubblewrap), count),
          namespaces: times((offset) => operation('bubblewrap', offset)),
        }),
  };
}

async function measure(): Promise<ClientTimes> {
  const ballast: Buffer[] = [];
  const residentMb = () => process.memoryUsage.rss() / 1e6;
  while (residentMb() < order.megabytes) ballast.push(Buffer.alloc(10e6, 1));
  const ways = waysTo();
  const rounds: Partial<Record<Way, StartTimes[]>> = {};
  for (let round = -WARM_UP_ROUNDS; round < order.rounds; round += 1) {
    if (round % TOUCH_EVERY === 0) touch(ballast);
    if (round >= 0 && round % TOLD_EVERY === 0)
      tell({ type: 'progress', text: `${round} of ${order.rounds} rounds` });
    const offset = clockOffset();
    // The order changes, so that no way always follows the same one.
    for (let turn = 0; turn < WAYS.length; turn += 1) {
      const way = WAYS[(turn + round + WARM_UP_ROUNDS) % WAYS.length] ?? 'small';
      const times = await ways[way]?.(round < 0 ? WARM_UP_COUNT : 1, offset);
      if (round >= 0 && times !== undefined) (rounds[way] ??= []).push(...times);
    }
  }
  const together: Partial<Record<Way, readonly StartTimes[]>> = {};
  for (const way of ['small', 'daemon', 'bwrap', 'confined', 'open'] as const) {
    const start = ways[way];
    if (start === undefined) continue;
    tell({ type: 'progress', text: `${order.parallel} at once: ${way}` });
    touch(ballast);
    together[way] = await start(order.parallel, clockOffset());
  }
  return { residentMb: residentMb(), rounds, together };
}

function touch(ballast: readonly Buffer[]): void {
  for (const block of ballast)
    for (let at = 0; at < block.length; at += PAGE_BYTES) block[at] = (block[at] ?? 0) + 1;
}

function tell(message: FromClient, then: () => void = () => {}): void {
  process.send?.(message, then);
}

process.on('disconnect', () => process.exit());
try {
  tell({ type: 'times', times: await measure() }, () => process.exit(0));
} catch (error) {
  const isMissing = error instanceof DeskterityError && error.code === 'SANDBOX_UNAVAILABLE';
  const problem = error instanceof Error ? error.message : String(error);
  tell({ type: 'failed', problem, isMissing }, () => process.exit(1));
}

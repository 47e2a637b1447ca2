import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** In milliseconds from the call on. */
export interface StartTimes {
  /** The caller knows that the program was started, and continues. */
  readonly answered: number;
  /** The program runs: the first thing it does is read the clock. */
  readonly runs: number;
  /** Its whole output and its end are known. */
  readonly ended: number;
}

/** Writes the time, in seconds with six digits. */
export const COMMAND = ['/bin/bash', '-c', 'printf %s "$EPOCHREALTIME"'] as const;

/** About as many variables as a user has, so that their cost is realistic. */
export const ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  ...Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`BENCH_${index}`, 'a value '.repeat(5)])),
};

const LIMIT_MS = 60_000;
const TICKS = 3;

export interface Begun {
  /** Milliseconds from that moment until now. */
  passed(): number;
  /** Milliseconds until the time that a program has written, see {@link COMMAND}. @throws Error if it is not a time */
  until(written: string): number;
}

/**
 * Call this before the work that is timed. Programs read the clock of the machine, which `Date.now` rounds down to a millisecond: `offset` is how far
 * it is ahead of ours.
 */
export function begin(offset: number): Begun {
  const begun = performance.now();
  return {
    passed: () => performance.now() - begun,
    until: (written) => {
      const time = Number(written) * 1000 - offset - begun;
      if (!/^\d+\.\d{6}$/.test(written)) throw new Error(`The program wrote ${JSON.stringify(written)}.`);
      return time;
    },
  };
}

/** Waits for the clock of the machine to tick, which takes some milliseconds; a process that is delayed just then measures too little. */
export function clockOffset(): number {
  return Math.max(...Array.from({ length: TICKS }, tick));
}

function tick(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now - performance.now();
}

/** Starts a program from this process. @throws Error unless it exits with 0 */
export async function timedSpawn(
  command: readonly [string, ...string[]],
  cwd: string,
  offset: number,
): Promise<StartTimes> {
  const [program, ...args] = command;
  const begun = begin(offset);
  const child = spawn(program, args, {
    cwd,
    env: ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  const written = Promise.all([text(child.stdout), text(child.stderr)]);
  await Promise.race([new Promise((resolve) => child.once('spawn', resolve)), closed]);
  const answered = begun.passed();
  const code = await closed;
  const ended = begun.passed();
  const [output, errors] = await written;
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors}`);
  return { answered, runs: begun.until(output), ended };
}

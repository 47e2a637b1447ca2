import type { WaitReading } from './wait-state.ts';

/** What has been seen so far, one look after another. */
export interface Watched {
  /** The last that has counted. */
  readonly steady: WaitReading | undefined;
  /** When it was last seen. */
  readonly steadyMs: number;
  /** What is seen now, and since when. */
  readonly seen: WaitReading;
  readonly seenSinceMs: number;
  readonly lastMs: number;
}

/** In the place of a state that is no more, where no other has lasted yet. */
const UNSTEADY: WaitReading = { state: 'running', restsOn: ['no state has lasted'] };

/**
 * Takes one more look into account. A state counts when every look for `spanMs` has found the same state, of the same process where one waits; one
 * that has not been found for that long counts no more. The end counts at once, and nothing counts after it. A clock that goes back counts as one
 * that stands.
 */
export function watchOn(
  before: Watched | undefined,
  reading: WaitReading,
  atMs: number,
  spanMs: number,
): Watched {
  if (before?.steady?.state === 'exited') return before;
  const now = before === undefined ? atMs : Math.max(atMs, before.lastMs);
  const since = before !== undefined && isSameWait(before.seen, reading) ? before.seenSinceMs : now;
  const looked = { seen: reading, seenSinceMs: since, lastMs: now };
  if (reading.state === 'exited' || now - since >= spanMs)
    return { ...looked, steady: reading, steadyMs: now };
  if (before?.steady === undefined) return { ...looked, steady: undefined, steadyMs: now };
  if (isSameWait(before.steady, reading)) return { ...looked, steady: reading, steadyMs: now };
  if (now - before.steadyMs < spanMs) return { ...looked, steady: before.steady, steadyMs: before.steadyMs };
  return { ...looked, steady: UNSTEADY, steadyMs: before.steadyMs };
}

/** How long until what is seen now counts, should it stay: when to look again. 0 where it counts. */
export function untilSteadyMs({ seen, steady, seenSinceMs, lastMs }: Watched, spanMs: number): number {
  if (steady !== undefined && isSameWait(steady, seen)) return 0;
  return Math.max(0, seenSinceMs + spanMs - lastMs);
}

/** Of a loop each round is another process, but it runs on. */
function isSameWait(one: WaitReading, other: WaitReading): boolean {
  return one.state === other.state && (one.state === 'running' || one.process?.pid === other.process?.pid);
}

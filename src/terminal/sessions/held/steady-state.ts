import type { WaitReading } from './wait-state.ts';

/** The readings so far. */
export interface ObservedState {
  /** The last reading that lasted long enough. */
  readonly steady: WaitReading | undefined;
  /** When it was last seen. */
  readonly steadyMs: number;
  /** The current reading and when it began. */
  readonly seen: WaitReading;
  readonly seenSinceMs: number;
  readonly lastMs: number;
}

/** Replaces a state that has ended while no other has lasted. */
const UNSTEADY: WaitReading = { state: 'running', restsOn: ['no state lasted long enough'] };

/**
 * Adds a reading. A state is steady once all readings for `spanMs` show it, for the same process if one is waiting; it is no longer steady after
 * `spanMs` without it. `exited` is steady at once and final. A clock that goes back counts as stopped.
 */
export function addReading(
  before: ObservedState | undefined,
  reading: WaitReading,
  atMs: number,
  spanMs: number,
): ObservedState {
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

/** Time until the current state becomes steady if it lasts; 0 if it is steady. */
export function untilSteadyMs({ seen, steady, seenSinceMs, lastMs }: ObservedState, spanMs: number): number {
  if (steady !== undefined && isSameWait(steady, seen)) return 0;
  return Math.max(0, seenSinceMs + spanMs - lastMs);
}

/** A loop starts a new process in each round but keeps running. */
function isSameWait(one: WaitReading, other: WaitReading): boolean {
  return one.state === other.state && (one.state === 'running' || one.process?.pid === other.process?.pid);
}

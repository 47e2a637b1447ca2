import { setTimeout as sleep } from 'node:timers/promises';
import { median, type Say } from '../support/figures.ts';
import type { ActCase } from './cases.ts';
import type { RecordingSubject } from './subject.ts';
import { ActRefused, type ActWindow, type Timed, type Way } from './way.ts';

const ROUNDS = 10;
/** Some tools take seconds for each act; after this time the rounds so far have to do. */
const BUDGET_MS = 15_000;
/** So many acts without effect say enough. */
const MOST_MISSED = 3;
const POLL_MS = 5;
const RECORDED_LIMIT_MS = 3000;
/** Input that the application still handles would delay the next act. */
const REST_MS = 150;

/** What one way did in all rounds of one act. */
export interface WayResult {
  readonly way: string;
  readonly tried: number;
  /** Times of the acts that the application has recorded. */
  readonly recordedMs: readonly number[];
  /** Among them, those that the tool itself called confirmed. */
  readonly confirmed: number;
  /** It said confirmed, and the application has recorded nothing. */
  readonly falselyConfirmed: number;
  readonly via: readonly string[];
  /** Why it did nothing, the first reason. */
  readonly problem?: string | undefined;
}

/** One act by all ways in turn, each checked by the application's own record. */
export async function inTurn(
  one: ActCase,
  ways: readonly Way[],
  place: { readonly subject: RecordingSubject; readonly window: ActWindow; readonly say: Say },
): Promise<WayResult[]> {
  const tallies = ways.map((way) => new Tally(way));
  for (const tally of tallies) await tally.prepare(one, place.window);
  // Whatever one way has left open is in the way of the next one.
  const leave = async (): Promise<void> => {
    for (const way of ways) await way.leave?.();
  };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, tally] of tallies.entries()) {
      const value = one.values[(Math.abs(round) * tallies.length + index) % one.values.length] ?? '';
      await attempt(one, tally, value, { ...place, leave, isCounted: round >= 0 });
    }
  }
  const results = tallies.map((tally) => tally.result());
  for (const { way, tried, recordedMs, via, problem } of results)
    place.say(
      `  ${way}: ${recordedMs.length} of ${tried}, ${Math.round(median(recordedMs))} ms ${via.join(' ')} ${problem ?? ''}`,
    );
  return results;
}

async function attempt(
  one: ActCase,
  tally: Tally,
  value: string,
  {
    subject,
    window,
    leave,
    isCounted,
  }: {
    readonly subject: RecordingSubject;
    readonly window: ActWindow;
    readonly leave: () => Promise<void>;
    readonly isCounted: boolean;
  },
): Promise<void> {
  if (tally.isUnable || tally.spentMs > BUDGET_MS || tally.missed >= MOST_MISSED) return;
  if (one.act === 'type 20 characters') await subject.set('name', '');
  if (one.act === 'set-value') await subject.set('name', 'before');
  if (one.act === 'select') await subject.set('colour', one.values.find((other) => other !== value) ?? '');
  await sleep(tally.way.quietBeforeMs ?? 0);
  const before = (await subject.record()).length;
  let timed: Timed | undefined;
  const began = performance.now();
  try {
    timed = await tally.way.act(one, value, window);
  } catch (error) {
    if (!(error instanceof ActRefused)) throw error;
    tally.refused(error.message, isCounted);
    await leave();
    return;
  } finally {
    tally.spentMs += performance.now() - began;
  }
  const isRecorded = await untilRecorded(async () => {
    const events = (await subject.record()).slice(before);
    return events.some((event) => one.isRecorded(event, value));
  });
  if (isCounted) tally.count(timed, isRecorded);
  if (!isRecorded) {
    tally.missed++;
    await leave();
  }
  await sleep(REST_MS);
}

export async function untilRecorded(look: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + RECORDED_LIMIT_MS;
  for (;;) {
    if (await look()) return true;
    if (performance.now() > end) return false;
    await sleep(POLL_MS);
  }
}

/** Counts the attempts of one way. */
export class Tally {
  readonly way: Way;
  private readonly recordedMs: number[] = [];
  private readonly via = new Set<string>();
  private tried = 0;
  private confirmed = 0;
  private falselyConfirmed = 0;
  private problem: string | undefined;
  /** It does not find the element, so that no attempt makes sense. */
  isUnable = false;
  /** Acts that the application has not recorded, each of which was waited for. */
  missed = 0;
  /** Time of all its calls so far. */
  spentMs = 0;

  constructor(way: Way) {
    this.way = way;
  }

  async prepare(one: ActCase, window: ActWindow): Promise<void> {
    try {
      await this.way.prepare(one, window);
    } catch (error) {
      if (!(error instanceof ActRefused)) throw error;
      this.isUnable = true;
      this.problem = error.message;
    }
  }

  refused(problem: string, isCounted: boolean): void {
    if (isCounted) this.tried++;
    this.problem ??= problem;
  }

  count({ ms, claim, via }: Timed, isRecorded: boolean): void {
    this.tried++;
    if (isRecorded) {
      this.recordedMs.push(ms);
      if (claim === 'confirmed') this.confirmed++;
      if (via !== undefined) this.via.add(via);
    } else if (claim === 'confirmed') this.falselyConfirmed++;
  }

  result(): WayResult {
    const { way, tried, recordedMs, confirmed, falselyConfirmed, problem } = this;
    return { way: way.name, tried, recordedMs, confirmed, falselyConfirmed, via: [...this.via], problem };
  }
}

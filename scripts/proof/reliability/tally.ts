import { z } from 'zod';
import type { ProofRow } from '../row.ts';
import { BUT_IT_HAPPENED, VERDICTS, type Judged, type Verdict } from './verdict.ts';

const KEPT = 5;
export const K = 20;

/** A row of attempts at one command in one toolkit. */
export interface ReliabilityRow extends ProofRow {
  readonly counts: Readonly<Record<string, number>>;
  /** Estimated chance that {@link K} attempts in a row all pass: C(passes, K) / C(repeats, K), which is unbiased; absent for fewer attempts. */
  readonly pass_20?: number;
  /** The answers that were not right. */
  readonly answers?: Readonly<Record<string, number>>;
  /** Why the honest failures were not `confirmed`, and whether they had happened. */
  readonly reasons?: Readonly<Record<string, number>>;
  /** Changes made to the window meanwhile. */
  readonly mutations?: number;
  /** The first refusal. */
  readonly refusal?: string;
}

/** Counts verdicts. Right and exact refusals pass. */
export class Tally {
  private readonly counts = new Map<Verdict, number>();
  private readonly answers = new Map<string, number>();
  private readonly reasons = new Map<string, number>();
  private readonly kept: string[] = [];
  private refusal: string | undefined;
  private total = 0;

  /** @param earlier what an earlier run counted; this one goes on from there */
  constructor(earlier?: ReliabilityRow) {
    if (earlier === undefined) return;
    this.total = earlier.repeats;
    for (const verdict of VERDICTS)
      if (earlier.counts[verdict] !== undefined) this.counts.set(verdict, earlier.counts[verdict]);
    for (const [answer, count] of Object.entries(earlier.answers ?? {})) this.answers.set(answer, count);
    for (const [reason, count] of Object.entries(earlier.reasons ?? {})) this.reasons.set(reason, count);
    this.kept.push(...(earlier.failures ?? []));
    this.refusal = earlier.refusal;
  }

  get attempts(): number {
    return this.total;
  }

  add({ verdict, detail, answer, reason }: Judged): void {
    this.total++;
    this.counts.set(verdict, (this.counts.get(verdict) ?? 0) + 1);
    if (verdict === 'right') return;
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    if (verdict === 'refused') {
      this.refusal ??= `${verdict}: ${detail}`.slice(0, 400);
      return;
    }
    if (reason !== undefined) this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + 1);
    // Forbidden verdicts are kept before permitted ones.
    const line = `#${this.total - 1} ${verdict}: ${detail}`;
    if (isForbidden(verdict)) this.kept.unshift(line);
    else this.kept.push(line);
    this.kept.length = Math.min(this.kept.length, KEPT);
  }

  row(name: string): ReliabilityRow {
    const passes = (this.counts.get('right') ?? 0) + (this.counts.get('refused') ?? 0);
    return {
      row: name,
      repeats: this.total,
      passes,
      ...(this.total < K ? {} : { pass_20: passHat(passes, this.total, K) }),
      counts: Object.fromEntries(this.counts),
      ...(this.answers.size === 0 ? {} : { answers: Object.fromEntries(this.answers) }),
      ...(this.reasons.size === 0 ? {} : { reasons: Object.fromEntries(this.reasons) }),
      holds: [...this.counts.keys()].every((verdict) => !isForbidden(verdict)),
      ...(this.refusal === undefined ? {} : { refusal: this.refusal }),
      ...(this.kept.length === 0 ? {} : { failures: this.kept.map((line) => line.slice(0, 400)) }),
    };
  }
}

const Counts = z.record(z.string(), z.number());
const Recorded = z.object({
  row: z.string(),
  repeats: z.number(),
  passes: z.number(),
  at: z.string().optional(),
  build: z.string().exactOptional(),
  holds: z.boolean().exactOptional(),
  counts: Counts.default({}),
  answers: Counts.exactOptional(),
  reasons: Counts.exactOptional(),
  mutations: z.number().exactOptional(),
  refusal: z.string().exactOptional(),
  failures: z.array(z.string()).exactOptional(),
});

/** A row as an earlier run wrote it down. */
export function recordedRow(row: unknown): ReliabilityRow {
  return Recorded.parse(row);
}

/** What the proof promises. */
export interface Promised {
  readonly attempts: number;
  /** The share of clicks with the pointer that the application records; not judged if absent. */
  readonly landed?: number | undefined;
}

/** One row of all: it holds if they do, and if they are as many as promised, all of one build. */
export function totalOf(name: string, rows: readonly ProofRow[], promised: Promised): ReliabilityRow {
  const recorded = rows.map((row) => recordedRow(row));
  const counts: Record<string, number> = {};
  for (const row of recorded)
    for (const [verdict, count] of Object.entries(row.counts))
      counts[verdict] = (counts[verdict] ?? 0) + count;
  const repeats = sum(recorded.map((row) => row.repeats));
  const clicks = landedOf(recorded.filter(({ row }) => row.endsWith(CLICKS)));
  if (promised.landed !== undefined) Object.assign(counts, clicks);
  const revisions = new Set(recorded.map(({ at }) => at));
  const builds = new Set(recorded.map(({ at, build }) => build ?? at));
  return {
    row: name,
    repeats,
    passes: sum(recorded.map(({ passes }) => passes)),
    counts,
    holds:
      repeats >= promised.attempts &&
      clicks.landed >= clicks.clicks * (promised.landed ?? 0) &&
      builds.size === 1 &&
      recorded.every((row) => row.holds ?? row.passes === row.repeats),
    at: [...revisions].join(', '),
  };
}

/** Clicks by the pointer while nothing else goes on. */
export const CLICKS = 'click --mode pointer';

/** Of the clicks that were not right, those are lost of which the record says that they did not happen, or that were never sent. */
function landedOf(rows: readonly ReliabilityRow[]): { readonly clicks: number; readonly landed: number } {
  const clicks = sum(rows.map(({ repeats }) => repeats));
  const happened = rows.map(({ counts, reasons = {} }) => {
    const unconfirmed = Object.entries(reasons).filter(([reason]) => reason.includes(BUT_IT_HAPPENED));
    return (counts['right'] ?? 0) + sum(unconfirmed.map(([, count]) => count));
  });
  return { clicks, landed: sum(happened) };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function isForbidden(verdict: Verdict): boolean {
  return verdict === 'wrong target' || verdict === 'false success' || verdict === 'false denial';
}

/** C(passes, k) / C(total, k), to four digits. */
export function passHat(passes: number, total: number, k: number): number {
  let chance = 1;
  for (let index = 0; index < k; index++) chance *= Math.max(0, passes - index) / (total - index);
  return Math.round(chance * 10_000) / 10_000;
}

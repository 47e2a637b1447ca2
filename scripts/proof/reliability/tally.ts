import type { ProofRow } from '../row.ts';
import type { Judged, Verdict } from './verdict.ts';

const KEPT = 5;
export const K = 20;

/** A row of attempts at one command in one toolkit. */
export interface ReliabilityRow extends ProofRow {
  readonly counts: Readonly<Record<string, number>>;
  /** Estimated chance that {@link K} attempts in a row all pass: C(passes, K) / C(repeats, K), which is unbiased; absent for fewer attempts. */
  readonly pass_20?: number;
  /** The answers that were not right. */
  readonly answers?: Readonly<Record<string, number>>;
  /** Changes made to the window meanwhile. */
  readonly mutations?: number;
  /** The first refusal. */
  readonly refusal?: string;
}

/** Counts verdicts. Right and exact refusals pass. */
export class Tally {
  private readonly counts = new Map<Verdict, number>();
  private readonly answers = new Map<string, number>();
  private readonly kept: string[] = [];
  private refusal: string | undefined;
  private total = 0;

  add({ verdict, detail, answer }: Judged): void {
    this.total++;
    this.counts.set(verdict, (this.counts.get(verdict) ?? 0) + 1);
    if (verdict === 'right') return;
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    if (verdict === 'refused') {
      this.refusal ??= `${verdict}: ${detail}`.slice(0, 400);
      return;
    }
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
      holds: [...this.counts.keys()].every((verdict) => !isForbidden(verdict)),
      ...(this.refusal === undefined ? {} : { refusal: this.refusal }),
      ...(this.kept.length === 0 ? {} : { failures: this.kept.map((line) => line.slice(0, 400)) }),
    };
  }
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

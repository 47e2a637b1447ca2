import { z } from 'zod';
import type { ProofRow } from '../row.ts';
import type { Played } from './round.ts';

const KEPT_FAILURES = 8;
const LONGEST = 700;
const Recorded = z.object({
  repeats: z.number(),
  passes: z.number(),
  counts: z.record(z.string(), z.number()).default({}),
  failures: z.array(z.string()).default([]),
});

/** Counts the rounds of one row; goes on from an earlier one. */
export class ChaosTally {
  private readonly name: string;
  private total = 0;
  private passes = 0;
  private readonly counts = new Map<string, number>();
  private readonly failures: string[] = [];

  constructor(name: string, earlier?: unknown) {
    this.name = name;
    if (earlier === undefined) return;
    const recorded = Recorded.parse(earlier);
    this.total = recorded.repeats;
    this.passes = recorded.passes;
    for (const [what, count] of Object.entries(recorded.counts)) this.counts.set(what, count);
    this.failures.push(...recorded.failures);
  }

  get rounds(): number {
    return this.total;
  }

  add({ counts, problems }: Played): void {
    this.total += 1;
    if (problems.length === 0) this.passes += 1;
    for (const [what, count] of Object.entries(counts))
      this.counts.set(what, (this.counts.get(what) ?? 0) + count);
    for (const problem of problems)
      if (this.failures.length < KEPT_FAILURES) this.failures.push(problem.slice(0, LONGEST));
  }

  result(): ProofRow {
    return {
      row: this.name,
      repeats: this.total,
      passes: this.passes,
      counts: Object.fromEntries([...this.counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      ...(this.failures.length === 0 ? {} : { failures: this.failures }),
    };
  }
}

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
  said: z.array(z.string()).default([]),
});

/** A row with what was said to be gone, each sentence once. */
export interface ChaosRow extends ProofRow {
  readonly said?: readonly string[];
}

/** Counts the rounds of one row; goes on from an earlier one. */
export class ChaosTally {
  private readonly name: string;
  private total = 0;
  private passes = 0;
  private readonly counts = new Map<string, number>();
  private readonly failures: string[] = [];
  private readonly said = new Set<string>();

  constructor(name: string, earlier?: unknown) {
    this.name = name;
    if (earlier === undefined) return;
    const recorded = Recorded.parse(earlier);
    this.total = recorded.repeats;
    this.passes = recorded.passes;
    for (const [what, count] of Object.entries(recorded.counts)) this.counts.set(what, count);
    this.failures.push(...recorded.failures);
    for (const sentence of recorded.said) this.said.add(sentence);
  }

  get rounds(): number {
    return this.total;
  }

  add({ counts, problems, said }: Played): void {
    this.total += 1;
    if (problems.length === 0) this.passes += 1;
    for (const [what, count] of Object.entries(counts))
      this.counts.set(what, (this.counts.get(what) ?? 0) + count);
    // Names and numbers of one run say nothing about another.
    for (const sentence of said) this.said.add(sentence.replaceAll(/\d+/g, 'N').slice(0, LONGEST));
    for (const problem of problems)
      if (this.failures.length < KEPT_FAILURES) this.failures.push(problem.slice(0, LONGEST));
  }

  result(): ChaosRow {
    return {
      row: this.name,
      repeats: this.total,
      passes: this.passes,
      counts: Object.fromEntries([...this.counts].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      ...(this.said.size === 0 ? {} : { said: [...this.said] }),
      ...(this.failures.length === 0 ? {} : { failures: this.failures }),
    };
  }
}

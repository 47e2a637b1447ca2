import { z } from 'zod';
import type { ProofRow } from '../row.ts';
import type { Application } from '../twins/applications.ts';
import type { Seen } from '../twins/look/tree.ts';
import { compare } from './compare.ts';
import type { Place } from './records.ts';

/** Share of the elements listed as visible that may not be seen; of what is seen nothing may be lost. */
const MOST_GHOSTS = 0.005;
/** Examples kept in a row; all are in the record of the run. */
const EXAMPLES = 12;

const Figures = z.object({
  commit: z.string(),
  repeats: z.number(),
  passes: z.number(),
  counts: z.record(z.string(), z.number()),
});

/** A row of an application in `docs/proof/reading.json`. */
export const ReadingRow = Figures.extend({
  row: z.string(),
  toolkit: z.string(),
  held_out: z.boolean(),
  holds: z.boolean(),
  no_tree: z.boolean().optional(),
  /** By reason: what could not be judged. */
  unjudged: z.record(z.string(), z.number()),
  /** What the snapshots themselves say is missing, and places that could not be read. */
  gaps: z.array(z.string()),
  lost: z.array(z.string()),
  ghosts: z.array(z.string()),
  /** Large places that nothing describes, and that no snapshot names as a gap. */
  holes: z.array(z.string()),
  run: z.int(),
  /** The figures of the first run, which stay whatever later runs show. */
  first_run: Figures.optional(),
});
export type ReadingRow = z.output<typeof ReadingRow>;

/** Judges what was read of an application. */
export function rowOf(
  application: Application,
  places: readonly Place[],
  commit: string,
  isHeldOut: boolean,
): ReadingRow & ProofRow {
  const looks = places.flatMap(({ look }) => (look === undefined ? [] : [look]));
  const found = looks.map(compare);
  const [seen, listed] = [sum(found.map((one) => one.seen)), sum(found.map((one) => one.listed))];
  const [lost, ghosts] = [found.flatMap((one) => one.lost), found.flatMap((one) => one.ghosts)];
  const failed = places.flatMap((place) => (place.failed === undefined ? [] : [place.failed]));
  const holes = found.flatMap((one) => one.holes);
  const gaps = looks.flatMap(({ listing }) => listing.gaps);
  return {
    row: application.name,
    toolkit: `${application.toolkit} (${toolkitOf(looks[0]?.before)})`,
    commit,
    held_out: isHeldOut,
    run: 1,
    repeats: seen + listed,
    passes: seen + listed - lost.length - ghosts.length,
    holds: application.tree ? seen > 0 && lost.length === 0 && ghosts.length <= listed * MOST_GHOSTS : true,
    ...(application.tree ? {} : { no_tree: true }),
    counts: {
      places: looks.length,
      scrolled: places.filter(({ scrolled, look }) => scrolled !== undefined && look !== undefined).length,
      failed: failed.length,
      seen,
      lost: lost.length,
      listed,
      ghosts: ghosts.length,
      holes: holes.length,
    },
    unjudged: addUp(found.map((one) => one.unjudged)),
    gaps: [...new Set([...gaps, ...failed])].slice(0, EXAMPLES),
    lost: [...new Set(lost)].slice(0, EXAMPLES),
    ghosts: [...new Set(ghosts)].slice(0, EXAMPLES),
    holes: [...new Set(holes)].slice(0, EXAMPLES),
  };
}

/** Puts the rows of this run in the place of older ones; the figures of each application's first run stay. */
export function mergeRows(
  earlier: readonly ProofRow[],
  later: readonly ProofRow[],
  isResumed: boolean,
): ProofRow[] {
  const merged = new Map(earlier.map((row) => [row.row, row]));
  for (const row of later) {
    const [fresh, before] = [ReadingRow.safeParse(row), ReadingRow.safeParse(merged.get(row.row))];
    if (!fresh.success) {
      merged.set(row.row, row);
      continue;
    }
    const run = before.success ? before.data.run + (isResumed ? 0 : 1) : 1;
    const first =
      run === 1 || !before.success
        ? figuresOf(fresh.data)
        : (before.data.first_run ?? figuresOf(before.data));
    const counted: ReadingRow = { ...fresh.data, run, first_run: first };
    merged.set(row.row, counted);
  }
  return [...merged.values()];
}

function toolkitOf(seen: Seen | undefined): string {
  const first = seen?.applications.find(({ windows }) => windows.length > 0);
  return first === undefined ? 'not started' : `${first.toolkit} ${first.version}`.trim();
}

function figuresOf({ commit, repeats, passes, counts }: ReadingRow): z.output<typeof Figures> {
  return { commit, repeats, passes, counts };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [why, count] of counts.flatMap((one) => Object.entries(one)))
    total[why] = (total[why] ?? 0) + count;
  return total;
}

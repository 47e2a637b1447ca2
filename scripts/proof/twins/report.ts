import { z } from 'zod';
import type { ProofRow } from '../row.ts';
import { actTitle, KINDS } from './act/act.ts';
import { keyText } from './act/widgets.ts';
import type { Application } from './applications.ts';
import { VERDICTS, type Verdict } from './run/judge.ts';
import type { ActRecord, PlaceRecord } from './run/records.ts';

/** Shares of the judged acts up to which an application's row holds; wrong targets and false successes: none. */
export const MOST_FALSE_FAILURES = 0.005;
export const MOST_UNVERIFIED = 0.02;
export const MOST_EXCLUDED = 0.15;

/** An act on which the two sides did not agree. */
const Disagreement = z.object({
  verdict: z.enum(VERDICTS),
  act: z.string(),
  toolkit: z.string(),
  route: z.string(),
  receipt: z.string(),
  differs: z.array(z.string()),
  twin: z.array(z.string()),
});
type Disagreement = z.output<typeof Disagreement>;

const Figures = z.object({
  commit: z.string(),
  repeats: z.number(),
  passes: z.number(),
  counts: z.record(z.string(), z.number()),
});

/** A row of `docs/proof/twins.json`. */
export const TwinRow = Figures.extend({
  row: z.string(),
  toolkit: z.string(),
  held_out: z.boolean(),
  holds: z.boolean(),
  /** Which build of our program its acts are of; rows of before this was recorded have none. */
  build: z.string().optional(),
  /** Which build of the twins judged the last of them. */
  instrument: z.string().optional(),
  /** The application shows no accessibility tree at all. */
  no_tree: z.boolean().optional(),
  kinds: z.record(z.string(), z.number()),
  /** Judged acts of which a person saw an effect; the share of `unverified_visible` is of these. */
  visible: z.int().optional(),
  /** By kind of act, role and way: acts on which the sides agreed, and the others. */
  ways: z.record(z.string(), z.tuple([z.int(), z.int()])).optional(),
  /** Usable widgets seen at any place, and those on which something was tried. */
  widgets: z.object({ seen: z.number(), tried: z.number() }),
  calibration: z.object({ acts: z.number(), disagreements: z.array(Disagreement) }),
  excluded: z.record(z.string(), z.number()),
  /** How often a difference that does not count was the only one. */
  harmless: z.record(z.string(), z.number()),
  disagreements: z.array(Disagreement),
  /** How often it was run from the beginning. */
  run: z.int(),
  /** The figures of the first run, which stay whatever later runs show. */
  first_run: Figures.optional(),
});
export type TwinRow = z.output<typeof TwinRow>;

export function rowOf(
  application: Application,
  recorded: { readonly start: PlaceRecord | undefined; readonly acts: readonly ActRecord[] },
  {
    commit,
    build,
    instrument,
    isHeldOut,
  }: {
    readonly commit: string;
    readonly build: string;
    readonly instrument?: string;
    readonly isHeldOut: boolean;
  },
): TwinRow & ProofRow {
  const acts = recorded.acts.filter(({ phase }) => phase === 'acts');
  const calibration = recorded.acts.filter(({ phase }) => phase === 'calibration');
  const judged = acts.filter(({ verdict }) => verdict !== 'excluded');
  const counts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, countOf(acts, verdict)]));
  return {
    row: application.name,
    run: 1,
    toolkit: `${application.toolkit} (${recorded.start?.toolkit ?? 'not started'})`,
    commit,
    build,
    ...(instrument === undefined ? {} : { instrument }),
    held_out: isHeldOut,
    repeats: judged.length,
    passes: countOf(acts, 'agree'),
    // Nothing can be tried where nothing can be read; the row says so.
    holds: application.tree ? holds(acts) : true,
    ...(application.tree ? {} : { no_tree: true }),
    counts,
    kinds: Object.fromEntries(
      KINDS.map((kind) => [kind, judged.filter(({ act }) => act.kind === kind).length]),
    ),
    visible: judged.filter(({ isVisible }) => isVisible === true).length,
    ways: waysOf(judged),
    widgets: widgetsOf(recorded),
    calibration: {
      acts: calibration.filter(({ verdict }) => verdict !== 'excluded').length,
      disagreements: disagreementsIn(calibration),
    },
    excluded: countBy(
      acts.flatMap(({ verdict, reason }) => (verdict === 'excluded' ? [reason ?? 'unknown'] : [])),
    ),
    harmless: countBy(judged.flatMap(({ harmless }) => (harmless === undefined ? [] : [harmless]))),
    disagreements: disagreementsIn(acts),
  };
}

/**
 * Puts the rows of this run in the place of older ones. The figures of each application's first run stay; while that is still being continued
 * (`isResumed`, and with the same build), they grow with it. A run in which no act could be tried is none.
 */
export function mergeRows(
  earlier: readonly TwinRow[],
  later: readonly TwinRow[],
  isResumed: boolean,
): TwinRow[] {
  const merged = new Map(earlier.map((row) => [row.row, row]));
  for (const row of later) {
    const before = merged.get(row.row);
    const isContinued = isResumed && before?.build === row.build;
    const hasRun = before !== undefined && (before.repeats > 0 || before.no_tree === true);
    const run = hasRun ? before.run + (isContinued ? 0 : 1) : 1;
    const first = run === 1 ? figuresOf(row) : (before?.first_run ?? figuresOf(row));
    merged.set(row.row, { ...row, run, first_run: first });
  }
  return [...merged.values()].toSorted((a, b) => (a.row < b.row ? -1 : 1));
}

function figuresOf({ commit, repeats, passes, counts }: TwinRow): z.output<typeof Figures> {
  return { commit, repeats, passes, counts };
}

function holds(acts: readonly ActRecord[]): boolean {
  const judged = acts.length - countOf(acts, 'excluded');
  return (
    judged > 0 &&
    countOf(acts, 'wrong_target') === 0 &&
    countOf(acts, 'false_success') === 0 &&
    countOf(acts, 'false_failure') <= judged * MOST_FALSE_FAILURES &&
    countOf(acts, 'unverified_visible') <= judged * MOST_UNVERIFIED &&
    countOf(acts, 'excluded') <= acts.length * MOST_EXCLUDED
  );
}

function countOf(acts: readonly ActRecord[], verdict: Verdict): number {
  return acts.filter((one) => one.verdict === verdict).length;
}

function disagreementsIn(acts: readonly ActRecord[]): Disagreement[] {
  return acts
    .filter(({ verdict }) => verdict !== 'agree' && verdict !== 'excluded')
    .map(({ verdict, act, toolkit, answer, differs, twin }) => ({
      verdict,
      act: actTitle(act),
      toolkit,
      route: answer?.route ?? '',
      receipt: answer === undefined ? '' : `${answer.effect}: ${answer.words}`,
      differs: [...(differs ?? [])],
      twin: [...(twin ?? [])],
    }));
}

/** What the twins show of each way to act: a press through accessibility, the pointer, keys. */
function waysOf(judged: readonly ActRecord[]): Record<string, [number, number]> {
  const ways: Record<string, [number, number]> = {};
  for (const { act, verdict, answer } of judged) {
    const way = wayOf(answer?.route ?? '');
    if (way === undefined) continue;
    const name = `${act.kind} ${(act.more.at(-1) ?? act.target.key).role} by ${way}`;
    const [agreed, others] = ways[name] ?? [0, 0];
    ways[name] = verdict === 'agree' ? [agreed + 1, others] : [agreed, others + 1];
  }
  return Object.fromEntries(Object.entries(ways).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The way that was gone last, without places and texts. */
function wayOf(route: string): string | undefined {
  const last = route.split('; then ').at(-1) ?? '';
  return /^(?:at-spi:[\w.]+(?:\([a-z ]+\))?|[a-z]+)/i.exec(last)?.[0];
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

function widgetsOf({ start, acts }: Parameters<typeof rowOf>[1]): TwinRow['widgets'] {
  const seen = new Set((start?.widgets ?? []).map(({ key }) => keyText(key)));
  const tried = new Set<string>();
  for (const { phase, act, shown, verdict } of acts) {
    for (const { key } of shown) seen.add(keyText(key));
    if (phase === 'acts' && verdict !== 'excluded') tried.add(keyText(act.more.at(-1) ?? act.target.key));
  }
  return { seen: seen.size, tried: tried.size };
}

import { MOST_EXCLUDED, MOST_FALSE_FAILURES, MOST_UNVERIFIED, type TwinRow } from '../proof/twins/report.ts';
import { KINDS } from '../proof/twins/act/act.ts';
import { standingIn } from './application-ways.ts';
import { table } from './markdown.ts';

/** How much the twins are to try, beside the shares up to which a row holds. */
const FEWEST = { applications: 40, acts: 4000, ofAKind: 100 };

/** All applications together, those that nobody had worked with before their first run apart, and what was aimed at. */
export function totals(rows: readonly TwinRow[]): string[] {
  const known = rows.filter(({ held_out }) => !held_out);
  const heldOut = rows.filter(({ held_out }) => held_out);
  return [
    '## All together',
    '',
    ...table(
      [
        '',
        'applications',
        'acts',
        'wrong target',
        'false `confirmed`',
        'false failure',
        '`unverified`, but seen',
        'gap',
        'left out',
      ],
      [
        line('worked with while this was built', known, figuresOf),
        line('drawn by lot, and unknown before their first run', heldOut, figuresOf),
        line('the first run of these', heldOut, firstFigures),
        line('all, last run', rows, figuresOf),
      ],
    ),
    '',
    'Applications drawn by lot were run again after faults that their first run had shown were mended; the first run stays in the record.',
    '',
    ...table(['aimed at', 'reached', ''], goals(rows)),
    '',
    '### What remains',
    '',
    ...table(['what', 'toolkit', 'kinds of act'], remaining(rows)),
    '',
    '### Why acts were left out',
    '',
    ...table(['reason', 'acts'], reasons(rows)),
    '',
    ...standingIn(rows),
  ];
}

type Counts = Readonly<Record<string, number>>;

function figuresOf({ repeats, counts }: TwinRow): { readonly repeats: number; readonly counts: Counts } {
  return { repeats, counts };
}

function firstFigures({ first_run }: TwinRow): { readonly repeats: number; readonly counts: Counts } {
  return first_run ?? { repeats: 0, counts: {} };
}

function line(name: string, rows: readonly TwinRow[], of: typeof figuresOf): string[] {
  const figures = rows.map(of);
  const sum = (verdict: string): string => String(total(figures.map(({ counts }) => counts[verdict] ?? 0)));
  const worked = figures.filter(({ repeats }) => repeats > 0);
  return [
    name,
    String(worked.length),
    String(total(worked.map(({ repeats }) => repeats))),
    ...['wrong_target', 'false_success', 'false_failure', 'unverified_visible', 'gap', 'excluded'].map(sum),
  ];
}

function goals(rows: readonly TwinRow[]): string[][] {
  const count = (verdict: string): number => total(rows.map(({ counts }) => counts[verdict] ?? 0));
  const acts = total(rows.map(({ repeats }) => repeats));
  const left = count('excluded');
  // Older rows do not say which effects a person saw.
  const telling = rows.filter(({ visible }) => visible !== undefined);
  const visible = total(telling.map((row) => row.visible ?? 0));
  const unverified = total(telling.map(({ counts }) => counts['unverified_visible'] ?? 0));
  const worked = rows.filter(({ repeats }) => repeats > 0).length;
  const rare = KINDS.map((kind) => [kind, total(rows.map(({ kinds }) => kinds[kind] ?? 0))] as const).filter(
    ([, done]) => done < FEWEST.ofAKind,
  );
  return [
    goal(`at least ${FEWEST.applications} applications`, String(worked), worked >= FEWEST.applications),
    goal(`at least ${FEWEST.acts} acts`, String(acts), acts >= FEWEST.acts),
    goal('no wrong target', String(count('wrong_target')), count('wrong_target') === 0),
    goal('no false `confirmed`', String(count('false_success')), count('false_success') === 0),
    goal(
      `false failures: at most ${percent(MOST_FALSE_FAILURES)} of the acts`,
      share(count('false_failure'), acts),
      count('false_failure') <= acts * MOST_FALSE_FAILURES,
    ),
    goal(
      `\`unverified\` with a visible effect: at most ${percent(MOST_UNVERIFIED)} of the acts`,
      share(count('unverified_visible'), acts),
      count('unverified_visible') <= acts * MOST_UNVERIFIED,
    ),
    ...(visible === 0
      ? []
      : [
          goal(
            `the same of acts with a visible effect, where the record says which these are: ${telling.length} of ${rows.length} applications`,
            share(unverified, visible),
            unverified <= visible * MOST_UNVERIFIED,
          ),
        ]),
    goal(
      `left out: at most ${percent(MOST_EXCLUDED)}`,
      share(left, left + acts),
      left <= (left + acts) * MOST_EXCLUDED,
    ),
    goal(
      `at least ${FEWEST.ofAKind} acts of each kind`,
      rare.length === 0 ? 'all' : rare.map(([kind, done]) => `\`${kind}\` ${done}`).join(', '),
      rare.length === 0,
    ),
  ];
}

function goal(what: string, reached: string, isMet: boolean): string[] {
  return [what, reached, isMet ? 'met' : '**not met**'];
}

function share(some: number, all: number): string {
  return all === 0 ? '–' : `${((100 * some) / all).toFixed(2)} %`;
}

function percent(part: number): string {
  return `${Number((100 * part).toFixed(1))} %`;
}

const REMAINING: ReadonlyMap<string, string> = new Map([
  ['wrong_target', 'wrong target'],
  ['false_success', 'false `confirmed`'],
  ['false_failure', 'false failure'],
  ['unverified_visible', '`unverified`, but seen'],
  ['gap', 'refused or failed, but possible by hand'],
]);

function remaining(rows: readonly TwinRow[]): string[][] {
  return [...REMAINING].flatMap(([verdict, what]) => {
    const byToolkit = new Map<string, Map<string, number>>();
    for (const { toolkit, disagreements } of rows)
      for (const one of disagreements.filter((found) => found.verdict === verdict)) {
        const kinds = byToolkit.get(nameOf(toolkit)) ?? new Map<string, number>();
        const [kind = ''] = one.act.split(' ');
        byToolkit.set(nameOf(toolkit), kinds.set(kind, (kinds.get(kind) ?? 0) + 1));
      }
    return [...byToolkit]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([toolkit, kinds]) => [
        what,
        toolkit,
        [...kinds]
          .toSorted(([, a], [, b]) => b - a)
          .map(([kind, count]) => `\`${kind}\` ${count}`)
          .join(', '),
      ]);
  });
}

function nameOf(toolkit: string): string {
  return toolkit.replace(/ \(.*/, '');
}

function reasons(rows: readonly TwinRow[]): string[][] {
  const all = new Map<string, number>();
  for (const { excluded } of rows)
    for (const [reason, count] of Object.entries(excluded)) {
      const name = reason.replace(/".*"/, '…');
      all.set(name, (all.get(name) ?? 0) + count);
    }
  return [...all].toSorted(([, a], [, b]) => b - a).map(([reason, count]) => [reason, String(count)]);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

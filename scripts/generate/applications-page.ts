import { z } from 'zod';
import { TwinRow } from '../proof/twins/report.ts';
import type { Verdict } from '../proof/twins/run/judge.ts';
import { totals } from './application-totals.ts';
import { page, table } from './markdown.ts';

type Disagreement = TwinRow['disagreements'][number];

/** What each kind of disagreement means to a caller, and the way round it; the worst first. */
const KINDS: readonly (readonly [verdict: Verdict, meaning: string])[] = [
  [
    'wrong_target',
    'Something else changes than by hand. Do it with `--mode pointer`, and look at the result before going on.',
  ],
  [
    'false_success',
    '`confirmed`, but the result differs from what it is by hand. Read what matters with `snapshot --since` or `get`.',
  ],
  [
    'false_failure',
    'An error is reported, but it happens. Look with `snapshot --since` before repeating it.',
  ],
  [
    'unverified_visible',
    'It happens, but is only `unverified`. Look with `snapshot --since` or `screenshot` before repeating it.',
  ],
  ['gap', 'It is refused or fails, and nothing happens. Try `--mode pointer`, or the keyboard with `press`.'],
];
/** Acts shown of one kind in one application. */
const MOST_SHOWN = 6;

/** What works in which application, from the figures of the proof `twins`. @param text `docs/proof/twins.json` */
export function applicationsPage(text: string): string {
  const { rows } = z.object({ rows: z.array(TwinRow) }).parse(JSON.parse(text));
  const applications = rows.filter(({ row }) => row !== 'planted-lies');
  return page('Applications', [
    'Each application here was worked twice at the same time: once through `desk`, and once by a plain mouse and keyboard. After each act, trees, pictures, windows and',
    'files were compared (`npm run proof -- twins`, see [CONTRIBUTING](../CONTRIBUTING.md#twins)). The figures are those of the last run, with all that did not agree.',
    '',
    ...totals(applications),
    '## One by one',
    '',
    ...table(
      ['application', 'toolkit', 'acts judged', 'as by hand', 'widgets tried', 'left out'],
      applications.map((row) => [
        row.disagreements.length === 0 && !row.toolkit.startsWith('GTK 2')
          ? row.row
          : `[${row.row}](#${row.row})`,
        row.toolkit,
        String(row.repeats),
        row.repeats === 0 ? '–' : `${Math.floor((100 * row.passes) / row.repeats)} %`,
        `${row.widgets.tried} of ${row.widgets.seen}`,
        String(row.counts['excluded'] ?? 0),
      ]),
    ),
    '',
    '*Widgets tried* are those that a mouse could reach, of all that were seen on the way. *Left out* are acts that say nothing: a mouse did not agree with itself, or could',
    'not reach the widget.',
    ...applications.flatMap((row) => section(row)),
  ]);
}

const GTK_2 =
  'GTK 2 reports no accessibility tree by itself: install `libatk-adaptor` and `libgail-common`, and start it with `GTK_MODULES=gail:atk-bridge`, as it was here.';

function section(row: TwinRow): string[] {
  if (row.no_tree === true)
    return ['', `## ${row.row}`, '', 'It reports no accessibility tree. Use `screenshot` and `mouse`.'];
  const needs = row.toolkit.startsWith('GTK 2') ? ['', GTK_2] : [];
  if (row.disagreements.length === 0 && needs.length === 0) return [];
  const lists = KINDS.flatMap(([verdict, meaning]) => {
    const found = row.disagreements.filter((one) => one.verdict === verdict);
    if (found.length === 0) return [];
    const shown = found.slice(0, MOST_SHOWN).map((one) => `- ${code(one.act)}${how(one)}`);
    const more = found.length > MOST_SHOWN ? [`- and ${found.length - MOST_SHOWN} more`] : [];
    return ['', meaning, '', ...shown, ...more];
  });
  return ['', `## ${row.row}`, ...needs, ...lists];
}

function how({ receipt }: Disagreement): string {
  const answer = receipt.replaceAll(/\s+/g, ' ');
  return answer === '' ? '' : `: ${code(answer.length > 160 ? `${answer.slice(0, 159)}…` : answer)}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

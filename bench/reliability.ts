/** A short form of `npm run proof -- reliability`: a few attempts at every command in every toolkit, judged by the applications' own records. */
import { prove } from '../scripts/proof/reliability.proof.ts';
import type { ProofRow } from '../scripts/proof/row.ts';
import type { Verdict } from '../scripts/proof/reliability/verdict.ts';
import { rounded, type Figure, type Report, type Say } from './support/figures.ts';

const ATTEMPTS = 3;
const MINUTES = 6;

export async function run({ say }: { readonly say: Say }): Promise<Report> {
  const rows = await prove({ say, repeats: ATTEMPTS, minutes: MINUTES });
  const attempts = sum(rows.map(({ repeats }) => repeats));
  const passes = sum(rows.map((row) => row.passes));
  return {
    name: 'reliability',
    figures: [
      { what: 'attempts', value: attempts, unit: 'attempts' },
      none('wrong targets', count(rows, 'wrong target')),
      none('false successes', count(rows, 'false success')),
      none('reported "not sent", but it was sent', count(rows, 'false denial')),
      none('user disturbed in the background', count(rows, 'disturbed')),
      { what: 'right, or refused with the reason', value: rounded((100 * passes) / attempts), unit: '%' },
      ...rows
        .filter((row) => row.counts === undefined)
        .map((row): Figure => none(`failures: ${row.row}`, row.repeats - row.passes)),
    ],
  };
}

function none(what: string, value: number): Figure {
  return { what, value, unit: 'times', goal: '= 0', met: value === 0 };
}

function count(rows: readonly ProofRow[], verdict: Verdict): number {
  return sum(rows.map(({ counts }) => counts?.[verdict] ?? 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

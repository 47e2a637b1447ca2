import { median, percentile, rounded, type Figure } from '../support/figures.ts';
import type { ActName } from './cases.ts';
import {
  CELL_GOAL_MS,
  NOT_BESIDE_PEER,
  PRESS_BESIDE_PEER,
  PRESS_GOAL_MS,
  SET_VALUE_GOAL_MS,
  SUM_BESIDE_PEER,
  SUM_GOAL_MS,
} from './goals.ts';
import type { WayResult } from './rounds.ts';

/** What is measured of one application. */
export type Measured = ActName | 'set a cell' | 'compute 7 × 6';

/** The figures of one act: ours beside a script, and ours beside the peer. */
export function actFigures(subject: string, act: Measured, results: readonly WayResult[]): Figure[] {
  const of = (way: string): WayResult | undefined => results.find((result) => result.way === way);
  const [ours, script, peer] = [of('deskterity'), of('xdotool'), of('cua-driver')];
  if (ours === undefined) return [];
  const what = `${subject}: ${act}, over MCP`;
  const byKeyboard = ours.via.some((via) => /keyboard|pointer/.test(via));
  const figures = [
    besideScript(`${what}, p50`, ours, script, goalOf(subject, act, byKeyboard)),
    besidePeer(`${what}, beside cua-driver, p50`, ours, peer, peerGoalOf(subject, act)),
  ];
  if (ours.recordedMs.length > 0) {
    const value = rounded(percentile(ours.recordedMs, 0.95));
    figures.push({ what: `${what}, p95`, value, unit: 'ms' });
  }
  return figures;
}

function besideScript(
  what: string,
  ours: WayResult,
  script: WayResult | undefined,
  goal: number | undefined,
): Figure {
  const value = valueOf(ours);
  const isProven = ours.tried > 0 && ours.recordedMs.length === ours.tried;
  const via = ours.via.length === 0 ? '' : `; by ${ours.via.join(', ')}`;
  return {
    what,
    value: value ?? 0,
    unit: 'ms',
    ...compared(value, valueOf(script), 'xdotool script'),
    ...(goal === undefined
      ? {}
      : { goal: `<= ${goal} ms`, met: isProven && value !== undefined && value <= goal }),
    note: `${said('ours', ours)}${via}; ${script === undefined ? 'no script' : said('xdotool', script)}`,
  };
}

function besidePeer(
  what: string,
  ours: WayResult,
  peer: WayResult | undefined,
  goal: number | undefined,
): Figure {
  const [value, theirs] = [valueOf(ours), valueOf(peer)];
  const compare = compared(value, theirs, 'cua-driver');
  return {
    what,
    value: value ?? 0,
    unit: 'ms',
    ...compare,
    // A peer that does not do it at all cannot be a bound for our time.
    ...(goal === undefined || compare.ratio === undefined
      ? {}
      : { goal: `<= ${goal}`, met: compare.ratio <= goal }),
    note: peer === undefined ? 'cua-driver was not measured in this run' : said('cua-driver', peer),
  };
}

function valueOf(result: WayResult | undefined): number | undefined {
  return result === undefined || result.recordedMs.length === 0
    ? undefined
    : rounded(median(result.recordedMs));
}

function compared(
  ours: number | undefined,
  theirs: number | undefined,
  beside: string,
): Pick<Figure, 'baseline' | 'ratio' | 'beside'> {
  if (theirs === undefined) return {};
  const ratio = ours === undefined ? {} : { ratio: rounded(ours / theirs, 2) };
  return { baseline: theirs, beside, ...ratio };
}

/** How often it happened by the application's own record, and what the tool said. */
function said(name: string, { tried, recordedMs, confirmed, falselyConfirmed, problem }: WayResult): string {
  if (tried === 0) return `${name}: not tried${problem === undefined ? '' : ` (${problem})`}`;
  const lies = falselyConfirmed === 0 ? '' : `, ${falselyConfirmed} falsely confirmed`;
  const why = problem === undefined ? '' : ` (${problem.slice(0, 160)})`;
  return `${name}: recorded by the application ${recordedMs.length} of ${tried}, confirmed ${confirmed}${lies}${why}`;
}

function goalOf(subject: string, act: Measured, byKeyboard: boolean): number | undefined {
  if (act === 'press') return PRESS_GOAL_MS[subject];
  if (act === 'set-value') return byKeyboard ? undefined : SET_VALUE_GOAL_MS;
  if (act === 'set a cell') return CELL_GOAL_MS;
  if (act === 'compute 7 × 6') return SUM_GOAL_MS;
  return undefined;
}

function peerGoalOf(subject: string, act: Measured): number | undefined {
  if (act === 'press' && !NOT_BESIDE_PEER.includes(subject)) return PRESS_BESIDE_PEER;
  if (act === 'compute 7 × 6') return SUM_BESIDE_PEER;
  return undefined;
}

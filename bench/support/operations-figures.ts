import { bestMedian, median, percentile, rounded, type Figure } from './figures.ts';
import type { ClientTimes, Way } from './operations-client.ts';
import type { StartTimes } from './timed-start.ts';

const OVER_PLAIN_GOAL_MS = 2;
const REPORTED_GOAL_MS = 5;
const DURABLE_GOAL_MS = 6;
const SLOWEST_GOAL = 2;

const NAMES: Readonly<Record<Way, string>> = {
  small: 'plain spawn by a small process',
  daemon: 'plain spawn by the daemon',
  bwrap: 'bubblewrap by a small process',
  confined: 'confined',
  open: 'not confined',
  reported: 'confined, with deny report',
  namespaces: 'confined by bubblewrap',
};

type Moment = keyof StartTimes;

/** The figures of a daemon of one size. */
export function startFigures(megabytes: number, times: ClientTimes): Figure[] {
  const samples = (way: Way, moment: Moment): readonly number[] | undefined =>
    times.rounds[way]?.map((each) => each[moment]);
  const size = `${megabytes} MB`;
  const plain = (moment: Moment) => samples('small', moment) ?? [];
  /** The median and the 99th percentile. */
  const pair = (way: Way, moment: Moment, what: string): Figure[] => {
    const ours = samples(way, moment);
    if (ours === undefined) return [];
    const isFloor = way === 'small';
    return [
      compared(`${size}: ${what}, ${NAMES[way]}, p50`, median(ours), isFloor ? [] : [median(plain(moment))]),
      compared(
        `${size}: ${what}, ${NAMES[way]}, p99`,
        percentile(ours, 0.99),
        isFloor ? [] : [percentile(plain(moment), 0.99)],
      ),
    ];
  };
  const runs = (way: Way): Figure[] => pair(way, 'runs', 'program runs');
  return [
    {
      what: `${size}: the daemon in memory`,
      value: rounded(times.residentMb, 0),
      unit: 'MB',
      ...(times.residentMb > megabytes * 1.2 ? { note: 'Node and the program need more than that' } : {}),
    },
    ...(['small', 'daemon', 'bwrap', 'open'] as const).flatMap(runs),
    ...runs('confined').map((figure, index) => (index === 1 ? atMost(figure, SLOWEST_GOAL) : figure)),
    over(`${size}: of it more than plain, confined, p50`, times, 'confined', OVER_PLAIN_GOAL_MS),
    ...runs('reported'),
    over(`${size}: of it more than plain, with deny report, p50`, times, 'reported', REPORTED_GOAL_MS),
    ...runs('namespaces'),
    durable(size, samples('confined', 'answered') ?? [], plain('answered')),
    ...pair('confined', 'answered', 'on record and answered').slice(1),
    ...pair('open', 'answered', 'on record and answered').slice(0, 1),
    ...(['small', 'bwrap', 'confined'] as const).flatMap((way) =>
      pair(way, 'ended', 'end is known').slice(0, 1),
    ),
    ...togetherFigures(size, times.together),
  ];
}

function togetherFigures(size: string, together: ClientTimes['together']): Figure[] {
  const last = (way: Way): number => Math.max(...(together[way] ?? []).map(({ ended }) => ended));
  return (['small', 'daemon', 'bwrap', 'open', 'confined'] as const).flatMap((way) => {
    const starts = together[way];
    if (starts === undefined) return [];
    const isFloor = way === 'small';
    const what = `${size}: ${starts.length} at once, ${NAMES[way]}`;
    const all = compared(`${what}, until all have ended`, last(way), isFloor ? [] : [last('small')]);
    if (way !== 'confined') return [all];
    const answered = starts.map((each) => each.answered);
    const note = 'includes operations that are still waiting for their turn';
    return [all, { ...compared(`${what}, answered, p50`, median(answered), []), note }];
  });
}

function compared(what: string, ours: number, floor: readonly number[]): Figure {
  const [theirs] = floor;
  const figure = { what, value: rounded(ours, 2), unit: 'ms' };
  return theirs === undefined
    ? figure
    : { ...figure, baseline: rounded(theirs, 2), ratio: rounded(ours / theirs, 2) };
}

function atMost(figure: Figure, goal: number): Figure {
  return { ...figure, goal: `<= ${goal}`, met: (figure.ratio ?? Number.NaN) <= goal };
}

function over(what: string, { rounds }: ClientTimes, way: Way, goal: number): Figure {
  const middle = (of: Way) => median((rounds[of] ?? []).map((each) => each.runs));
  const value = rounded(middle(way) - middle('small'), 2);
  return { what, value, unit: 'ms', goal: `<= ${goal} ms`, met: value <= goal };
}

function durable(size: string, ours: readonly number[], plain: readonly number[]): Figure {
  const value = rounded(bestMedian(ours), 2);
  return {
    what: `${size}: on record and answered, confined, p50`,
    value,
    unit: 'ms',
    baseline: rounded(median(plain), 2),
    ratio: rounded(value / median(plain), 2),
    goal: `<= ${DURABLE_GOAL_MS} ms`,
    met: value <= DURABLE_GOAL_MS,
    note: `the best of five medians; of all ${rounded(median(ours), 2)} ms. The baseline is a plain spawn without a record`,
  };
}

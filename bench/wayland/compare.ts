import { bestMedian, median, percentile, rounded, type Figure } from '../support/figures.ts';

/** Times of one act by us and by a tool, in turn, in milliseconds. */
export interface Samples {
  readonly what: string;
  readonly ours: readonly number[];
  readonly beside?: { readonly tool: string; readonly times: readonly number[] } | undefined;
  readonly note?: string | undefined;
}

/** @param goal the largest time of ours, judged by the best of five medians, or how many times faster than the tool we must be */
export function compared(
  { what, ours, beside, note }: Samples,
  goal: { readonly atMostMs?: number; readonly timesFaster?: number } = {},
): Figure[] {
  const value = rounded(median(ours), 2);
  const peer = beside && median(beside.times);
  const ratio = peer && rounded(peer / median(ours));
  const { atMostMs, timesFaster } = goal;
  const isAbsolute = atMostMs !== undefined;
  return [
    {
      what: `${what}, median of ${ours.length}`,
      value,
      unit: 'ms',
      ...(beside && peer && ratio ? { baseline: rounded(peer, 2), beside: beside.tool, ratio } : {}),
      ...(isAbsolute ? { goal: `<= ${atMostMs} ms`, met: bestMedian(ours) <= atMostMs } : {}),
      ...(ratio && timesFaster ? { goal: `>= ${timesFaster}`, met: ratio >= timesFaster } : {}),
      ...(note === undefined ? {} : { note }),
    },
    {
      what: `${what}, p95`,
      value: rounded(percentile(ours, 0.95), 2),
      unit: 'ms',
      ...(beside && { baseline: rounded(percentile(beside.times, 0.95), 2) }),
    },
  ];
}

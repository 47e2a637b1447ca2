/** One measured quantity, in the form that `npm run bench -- NAME --json` prints. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** The goal for the value or, if there is one, the ratio, such as `>= 12` or `<= 2`. */
  readonly goal?: string;
  readonly met?: boolean;
  /** The peer's or the floor's value in the same run. */
  readonly baseline?: number;
  /** What the baseline is, such as `cua-driver`; plots name it. */
  readonly beside?: string;
  readonly ratio?: number;
  /** The point of a curve: which one, and where on its axis. */
  readonly point?: { readonly curve: string; readonly axis: string; readonly at: number };
  /** Why a figure has no ratio, or how to read it. */
  readonly note?: string;
}

export interface Report {
  readonly name: string;
  readonly figures: readonly Figure[];
}

/** Progress for a person; never on standard output if that carries JSON. */
export type Say = (text: string) => void;

/** A benchmark cannot run here; the message explains what to install or do. */
export class CannotMeasure extends Error {
  override readonly name = 'CannotMeasure';
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[index] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The smallest median of several runs of consecutive samples, which other load disturbed least. */
export function bestMedian(samples: readonly number[], runs = 5): number {
  const length = Math.ceil(samples.length / runs);
  const medians = Array.from({ length: runs }, (_, run) =>
    median(samples.slice(run * length, (run + 1) * length)),
  );
  return Math.min(...medians.filter((value) => !Number.isNaN(value)));
}

export function rounded(value: number, digits = 1): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

/** How many times faster ours is than a peer. */
export function speedup(what: string, ours: number, peer: number, atLeast: number): Figure {
  const ratio = rounded(peer / ours);
  return {
    what,
    value: rounded(ours),
    unit: 'ms',
    baseline: rounded(peer),
    ratio,
    goal: `>= ${atLeast}`,
    met: ratio >= atLeast,
  };
}

/** Our time as a multiple of the floor. */
export function overFloor(what: string, ours: number, floor: number, atMost: number): Figure {
  const ratio = rounded(ours / floor, 2);
  return {
    what,
    value: rounded(ours),
    unit: 'ms',
    baseline: rounded(floor),
    ratio,
    goal: `<= ${atMost}`,
    met: ratio <= atMost,
  };
}

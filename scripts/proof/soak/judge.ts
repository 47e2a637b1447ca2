/** What was measured at one moment, when nothing was going on. */
export type Sample = Readonly<Record<string, number>>;

/** What one measured quantity may do during a run. */
export interface Bound {
  readonly name: string;
  readonly row: string;
  /** How much it may be higher at the end than at the beginning. */
  readonly growth: number;
  /** The most that it may ever be. */
  readonly limit?: number;
}

const MB = 1024 * 1024;
/** 500 operations and 100 terminals are kept, and those that ended since the last removal, which are at most ten minutes' worth. */
const MOST_RECORDS = 500 + 100 + 500;
/** Four sessions that each remember 4,000 elements, of less than 700 bytes; they fill up during a long run. */
const MOST_REFS_BYTES = 12 * MB;

/**
 * Growth that a healthy daemon shows from one moment to the next. A leak of one item in each life of an application exceeds them: a run of 60 s has at
 * least 20 lives.
 */
export const BOUNDS: readonly Bound[] = [
  { name: 'descriptors', row: 'descriptors of the daemon', growth: 6 },
  { name: 'threads', row: 'threads of the daemon', growth: 4 },
  { name: 'children', row: 'child processes of the daemon', growth: 2 },
  { name: 'members', row: 'processes of the whole world', growth: 2 },
  { name: 'resources', row: 'timers, sockets and watches of the daemon', growth: 6 },
  { name: 'emitters', row: 'event emitters of the daemon', growth: 12 },
  // 16 to 20 from the first to the last measurement.
  { name: 'signals', row: 'abort signals of the daemon', growth: 8 },
  { name: 'closures', row: 'functions and listeners of the daemon', growth: 1500 },
  // In a minute it grows by 1.6 MB: what V8 keeps of functions that are used more often. Objects, texts and closures stay as many.
  { name: 'heap', row: 'heap of the daemon, after collection', growth: 6 * MB, limit: 80 * MB },
  // Between 4.2 and 4.5 MB. A picture of one of the desktops has 2.6 MB.
  { name: 'buffers', row: 'buffers of the daemon, after collection', growth: 2.5 * MB, limit: 16 * MB },
  // Between 135 and 150 MB; on a busy machine it once went to 170 MB while heap and buffers stayed, because freed pages leave late. It is for what these
  // do not show, such as memory of native code.
  { name: 'rss', row: 'memory of the daemon (RSS), after collection', growth: 45 * MB, limit: 220 * MB },
  { name: 'matchRules', row: 'D-Bus match rules', growth: 4 },
  { name: 'busConnections', row: 'D-Bus connections', growth: 2 },
  { name: 'files', row: 'files below the state and runtime folders', growth: 6 },
  { name: 'stateBytes', row: 'bytes of sessions', growth: Number.POSITIVE_INFINITY, limit: MOST_REFS_BYTES },
  { name: 'temporary', row: 'temporary files outside the desktops', growth: 2 },
  { name: 'logBytes', row: 'bytes of all logs', growth: 20 * MB, limit: 25 * MB },
  {
    name: 'records',
    row: 'kept operations and terminals',
    growth: Number.POSITIVE_INFINITY,
    limit: MOST_RECORDS,
  },
  { name: 'outputBytes', row: 'bytes of kept outputs', growth: Number.POSITIVE_INFINITY, limit: 2048 * MB },
];

/** How a quantity went during a run. */
export interface Course {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  /** From the highest of the first third to the lowest of the last third. A value that goes up and down does not count as growth. */
  readonly growth: number;
  readonly problem: string | undefined;
}

/** @throws Error if there are too few samples to tell, or one lacks the quantity */
export function courseOf({ name, growth: allowed, limit }: Bound, samples: readonly Sample[]): Course {
  if (samples.length < 3) throw new Error(`${samples.length} samples are too few to tell growth`);
  const values = samples.map((sample) => {
    const value = sample[name];
    if (value === undefined || !Number.isFinite(value)) throw new Error(`a sample lacks "${name}"`);
    return value;
  });
  const third = Math.max(1, Math.floor(values.length / 3));
  const growth = Math.min(...values.slice(-third)) - Math.max(...values.slice(0, third));
  const most = Math.max(...values);
  const problem =
    growth > allowed
      ? `grew by ${growth}, where ${allowed} is allowed: ${values.join(' ')}`
      : limit !== undefined && most > limit
        ? `was ${most}, where ${limit} is allowed: ${values.join(' ')}`
        : undefined;
  return { first: values[0] ?? 0, last: values.at(-1) ?? 0, most, growth, problem };
}

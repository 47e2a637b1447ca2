import { z } from 'zod';

/** One promise and how often it held. */
export interface ProofRow {
  readonly row: string;
  readonly repeats: number;
  readonly passes: number;
  /** The first few failures. */
  readonly failures?: readonly string[];
  /** The results of the attempts, where there are more than two. */
  readonly counts?: Readonly<Record<string, number>>;
  /** Whether the promise held, if that does not mean that all attempts passed. */
  readonly holds?: boolean;
  /** The revision that it proved, if rows of different runs are kept together. */
  readonly at?: string | undefined;
  /** Hash of the sources that it proved, from `buildMark`. Rows with the same one are counted together. */
  readonly build?: string | undefined;
}

export interface ProofOptions {
  readonly say: (text: string) => void;
  /** Fewer repeats for a quick run; full counts if absent. */
  readonly repeats: number | undefined;
  /** Time limit of a proof that makes as many attempts as it can; its own default if absent. */
  readonly minutes?: number | undefined;
  /** The names of the rows to run, for a proof that can be run in parts; all if absent. */
  readonly only?: readonly string[] | undefined;
  /** Where the proof chooses at random: the beginning of its random numbers, if it is not its own. */
  readonly seed?: number | undefined;
  /** The kind of display, for a proof that exports `displays`; its own default if absent. */
  readonly display?: string | undefined;
  /** Continue what an earlier run of a part left. */
  readonly resume?: boolean | undefined;
  /** The rows that earlier runs wrote down. */
  readonly recorded?: readonly unknown[] | undefined;
  /** The revision that is being proved. */
  readonly commit?: string | undefined;
}

const KEPT_FAILURES = 5;

/** Runs `attempt` so many times; it passes if it does not throw. */
export async function repeat(
  row: string,
  repeats: number,
  say: (text: string) => void,
  attempt: (index: number) => Promise<void>,
): Promise<ProofRow> {
  const failures: string[] = [];
  let passes = 0;
  for (let index = 0; index < repeats; index++) {
    try {
      await attempt(index);
      passes++;
    } catch (error) {
      if (failures.length < KEPT_FAILURES)
        failures.push(`#${index}: ${error instanceof Error ? error.message : String(error)}`);
    }
    if ((index + 1) % 100 === 0) say(`${row}: ${passes} of ${index + 1}`);
  }
  say(`${row}: ${passes} of ${repeats}${failures[0] === undefined ? '' : `; ${failures[0]}`}`);
  return { row, repeats, passes, ...(failures.length === 0 ? {} : { failures }) };
}

const Rows = z.array(z.looseObject({ row: z.string(), repeats: z.number(), passes: z.number() }));

/** The rows of an earlier run, with those of a later one in their place or after them. */
export function mergeByName(earlier: unknown, later: readonly ProofRow[]): ProofRow[] {
  const kept = Rows.parse(earlier).filter(({ row }) => later.every((other) => other.row !== row));
  return [...kept, ...later];
}

/** The same sequence of numbers in [0, 1) at every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

import type { Bench } from './bench.ts';
import type { Random } from './random.ts';
import type { Attempt } from './verdict.ts';

/** One command as it is tried again and again. */
export interface Trial {
  readonly command: string;
  /** The page of the window that its widgets are on; the first where absent. */
  readonly page?: 'Advanced' | 'Many rows';
  readonly attempt: (on: Bench, random: Random, turn: number) => Promise<Attempt>;
}

import type { Bench } from './bench.ts';
import type { Random } from './random.ts';
import type { Toolkit } from './toolkits.ts';
import type { Attempt } from './verdict.ts';

/** One command, tried repeatedly. */
export interface Trial {
  readonly command: string;
  /** The page of the window with its widgets; the first if absent. */
  readonly page?: 'Advanced' | 'Many rows';
  /** The toolkits that have it; all with the widgets of the fixtures if absent. */
  readonly kinds?: readonly Toolkit[];
  readonly attempt: (on: Bench, random: Random, turn: number) => Promise<Attempt>;
}

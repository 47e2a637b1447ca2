import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { APP_STATES, PATTERNS, type Pattern } from '../../../src/model/patterns/pattern.ts';
import { detectPatterns } from '../../../src/model/patterns/detect-patterns.ts';
import { OutputNode } from '../../../src/model/tree/node.ts';

/** `second` and `third`: collected later, for measuring anew what the first measurement had found wanting. */
const HALVES = ['seen', 'held_out', 'second', 'third'] as const;
export type Half = (typeof HALVES)[number];

const LabelledScreen = z.object({
  id: z.string(),
  app: z.string(),
  toolkit: z.string(),
  title: z.string().optional(),
  patterns: z.array(z.enum(PATTERNS)),
  /** What the rules do not decide is not counted. */
  undecided: z.array(z.enum(PATTERNS)).default([]),
  state: z.enum(APP_STATES).optional(),
  half: z.enum(HALVES),
  tree: OutputNode,
});
export type LabelledScreen = z.output<typeof LabelledScreen>;

export function corpus(half: Half): readonly LabelledScreen[] {
  const packed = readFileSync(join(import.meta.dirname, 'corpus/screens.jsonl.gz'));
  return gunzipSync(packed)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => LabelledScreen.parse(JSON.parse(line)))
    .filter((screen) => screen.half === half);
}

export interface Score {
  readonly pattern: Pattern;
  readonly right: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** How often each pattern is said where it is, not said where it is, and said where it is not. */
export function scoresOf(screens: readonly LabelledScreen[]): readonly Score[] {
  const said = new Map(
    screens.map((screen) => [
      screen,
      detectPatterns(screen.tree, screen.title).map(({ pattern }) => pattern),
    ]),
  );
  return PATTERNS.map((pattern) => {
    const counted = screens.filter(({ undecided }) => !undecided.includes(pattern));
    const [is, isNot] = [true, false].map((is) =>
      counted.filter(({ patterns }) => patterns.includes(pattern) === is),
    );
    const saying = (among: readonly LabelledScreen[] = [], says: boolean) =>
      among.filter((screen) => said.get(screen)?.includes(pattern) === says).map(({ id }) => id);
    return { pattern, right: saying(is, true).length, missed: saying(is, false), wrong: saying(isNot, true) };
  });
}

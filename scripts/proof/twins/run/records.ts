import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Act } from '../act/act.ts';
import { Widget } from '../act/widgets.ts';
import { VERDICTS } from './judge.ts';

/** Differences that do not count, as `docs/proof/twins-harmless.json` lists and explains them. */
const HARMLESS_PICTURES = [
  'caret',
  'edge',
  'estimate',
  'focus',
  'handle',
  'highlight',
  'hint',
  'hover',
  'left',
  'letters',
  'line',
  'menu',
  'passed',
  'pending',
  'place',
  'placed',
  'selection',
  'stack',
] as const;
export type Harmless = (typeof HARMLESS_PICTURES)[number];

const Answer = z.object({
  effect: z.enum(['confirmed', 'unverified', 'failed']),
  route: z.string(),
  words: z.string(),
});

/** One act with its verdict: a line of an application's record. */
export const ActRecord = z.object({
  phase: z.enum(['calibration', 'acts']),
  act: Act,
  /** The build that acted on our side; none in calibrations. */
  build: z.string().optional(),
  /** What had an effect since the application was started. */
  trail: z.array(z.string()),
  verdict: z.enum(VERDICTS),
  toolkit: z.string(),
  reason: z.string().optional(),
  answer: Answer.optional(),
  differs: z.array(z.string()).optional(),
  twin: z.array(z.string()).optional(),
  harmless: z.enum(HARMLESS_PICTURES).optional(),
  /** A person saw an effect of it; older records do not say. */
  isVisible: z.boolean().optional(),
  shown: z.array(Widget),
  durationMs: z.number(),
});
export type ActRecord = z.output<typeof ActRecord>;

/** What the application showed when its run began. */
export const PlaceRecord = z.object({
  phase: z.literal('start'),
  toolkit: z.string(),
  widgets: z.array(Widget),
  /** Squares of the screen, and places in the tree, that change by themselves. */
  restless: z.object({
    tiles: z.array(z.int()),
    places: z.array(z.string()),
    files: z.array(z.string()).default([]),
  }),
});
export type PlaceRecord = z.output<typeof PlaceRecord>;

/** Calibrations, in which no build of ours acted, and the acts of one build. */
export function actsOfBuild(acts: readonly ActRecord[], build: string): readonly ActRecord[] {
  return acts.filter((one) => one.phase === 'calibration' || one.build === build);
}

const Line = z.union([ActRecord, PlaceRecord]);

/** The record of one application's run: a file that grows with each act, so that a run can be continued. */
export class Records {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  clear(): void {
    rmSync(this.file, { force: true });
  }

  add(line: ActRecord | PlaceRecord): void {
    mkdirSync(dirname(this.file), { recursive: true });
    appendFileSync(this.file, `${JSON.stringify(line)}\n`);
  }

  /** A last line that is not complete is left out: the run ended while it was written. */
  read(): { readonly start: PlaceRecord | undefined; readonly acts: readonly ActRecord[] } {
    if (!existsSync(this.file)) return { start: undefined, acts: [] };
    const lines = readFileSync(this.file, 'utf8')
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => Line.parse(JSON.parse(line)));
    return {
      start: lines.find((line) => line.phase === 'start'),
      acts: lines.filter((line) => line.phase !== 'start'),
    };
  }
}

import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../../tests/program-copy.ts';
import type { ProofRow } from '../row.ts';
import { WAYS, type TaskCost, type Way } from './in-new-home.ts';
import type { Task } from './task.ts';

const FILE = join(ROOT, '.cache/tasks/rounds.jsonl');
const KEPT_FAILURES = 5;

const Cost = z.object({
  calls: z.number(),
  tokens: z.number(),
  fileTokens: z.number(),
  looks: z.number(),
  wallMs: z.number(),
});

/** A task done once in one of the ways. */
const Round = z.object({
  at: z.string().optional(),
  task: z.string(),
  way: z.enum(WAYS),
  cost: Cost.optional(),
  failure: z.string().optional(),
});
export type Round = z.output<typeof Round>;

/** Each round is written down at once, so that a run that is ended loses none. */
export function record(round: Round): void {
  mkdirSync(dirname(FILE), { recursive: true });
  appendFileSync(FILE, `${JSON.stringify(round)}\n`);
}

/** What this revision has done in earlier runs. */
export function recordedRounds(at: string | undefined): Round[] {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => Round.parse(JSON.parse(line)))
    .filter((round) => round.at === at);
}

export interface TaskRow extends ProofRow {
  readonly applications: readonly string[];
  /** How often it passed in each way. */
  readonly counts: Readonly<Record<Way, number>>;
  /** The medians of the rounds that passed. */
  readonly costs: Readonly<Partial<Record<Way, TaskCost>>>;
}

export function rowOf(task: Task, all: readonly Round[]): TaskRow {
  const rounds = all.filter((round) => round.task === task.name);
  const costsOf = (way: Way): TaskCost[] =>
    rounds.flatMap((round) => (round.way === way && round.cost !== undefined ? [round.cost] : []));
  const failures = rounds.flatMap(({ way, failure }) =>
    failure === undefined ? [] : [`${way}: ${failure}`],
  );
  return {
    row: task.name,
    applications: task.applications,
    repeats: rounds.length,
    passes: rounds.length - failures.length,
    counts: { workflow: costsOf('workflow').length, plain: costsOf('plain').length },
    costs: Object.fromEntries(
      WAYS.flatMap((way) => {
        const median = medianOf(costsOf(way));
        return median === undefined ? [] : [[way, median]];
      }),
    ),
    ...(failures.length === 0 ? {} : { failures: failures.slice(0, KEPT_FAILURES) }),
  };
}

function medianOf(costs: readonly TaskCost[]): TaskCost | undefined {
  if (costs.length === 0) return undefined;
  const of = (key: keyof TaskCost): number =>
    costs.map((cost) => cost[key]).toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
  return {
    calls: of('calls'),
    tokens: of('tokens'),
    fileTokens: of('fileTokens'),
    looks: of('looks'),
    wallMs: of('wallMs'),
  };
}

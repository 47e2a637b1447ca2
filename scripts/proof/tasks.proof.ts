import { rm } from 'node:fs/promises';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { isInterrupted, onInterrupt } from './on-interrupt.ts';
import { mergeByName, type ProofOptions, type ProofRow } from './row.ts';
import { doTask, WAYS, type TaskCost, type Way } from './tasks/in-new-home.ts';
import { TASKS } from './tasks/oracles/index.ts';
import { record, recordedRounds, rowOf, type Round, type TaskRow } from './tasks/rounds.ts';
import type { Task } from './tasks/task.ts';

const REPEATS = 20;
/** Tasks that are done at the same time, each on a desktop of its own: most of one is waiting. */
const LANES = 3;
const LONGEST_FAILURE = 1000;

/**
 * The tasks of `examples/` on real applications, each as one workflow and as plain commands, judged by files, servers and the applications' own data. `only`
 * names tasks or applications; `resume` goes on with the rounds of this revision.
 */
export async function prove(options: ProofOptions): Promise<ProofRow[]> {
  const { say, only, repeats = REPEATS, minutes, commit, resume = false } = options;
  const end = minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + minutes * 60_000;
  const tasks = TASKS.filter(
    ({ name, applications }) => only?.some((part) => part === name || applications.includes(part)) ?? true,
  );
  const rounds: Round[] = resume ? recordedRounds(commit) : [];
  const doneOf = (task: Task, way: Way): number =>
    rounds.filter((round) => round.task === task.name && round.way === way).length;
  // Tasks take turns, so that all have about as many rounds when time is up.
  const due = Array.from({ length: repeats }, (_none, turn) =>
    tasks.flatMap((task) => WAYS.filter((way) => doneOf(task, way) <= turn).map((way) => ({ task, way }))),
  ).flat();
  const { folder, entry } = await builtProgram();
  const remove = () => rm(folder, { recursive: true, force: true });
  const forget = onInterrupt(remove);
  const lane = async (): Promise<void> => {
    for (;;) {
      const next = performance.now() < end ? due.shift() : undefined;
      if (next === undefined) return;
      const outcome = await played(next, entry);
      // What was interrupted has not failed; the program ends in a moment.
      if (isInterrupted()) await new Promise(() => undefined);
      const round: Round = { at: commit, task: next.task.name, way: next.way, ...outcome };
      rounds.push(round);
      record(round);
      say(`${round.task}, ${round.way}: ${round.failure ?? described(round.cost)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    await remove();
    forget();
  }
  return tasks
    .map((task): TaskRow => ({ ...rowOf(task, rounds), at: commit }))
    .filter((row) => row.repeats > 0);
}

async function played(
  { task, way }: { readonly task: Task; readonly way: Way },
  program: string,
): Promise<Pick<Round, 'cost' | 'failure'>> {
  try {
    return { cost: await doTask(task, program, way) };
  } catch (error) {
    return { failure: (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_FAILURE) };
  }
}

function described(cost: TaskCost | undefined): string {
  return cost === undefined ? 'none' : `${cost.calls} calls, ${cost.tokens} tokens, ${cost.wallMs} ms`;
}

/** The rows of an earlier run, with those of this one in their place; without tasks that are no longer in `examples/`. */
export function merge(recorded: readonly ProofRow[], run: readonly ProofRow[]): ProofRow[] {
  const all = new Map(mergeByName(recorded, run).map((row) => [row.row, row]));
  return TASKS.flatMap(({ name }) => all.get(name) ?? []);
}

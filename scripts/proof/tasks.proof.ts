import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { mergeByName, type ProofOptions, type ProofRow } from './row.ts';
import { doTask, WAYS, type TaskCost, type Way } from './tasks/in-new-home.ts';
import { TASKS } from './tasks/oracles/index.ts';
import type { Task } from './tasks/task.ts';

const REPEATS = 20;
const KEPT_FAILURES = 5;

/** What a task cost: the median of the runs that passed. */
type Costs = Readonly<Partial<Record<Way, TaskCost>>>;

interface TaskRow extends ProofRow {
  readonly applications: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly costs: Costs;
}

const Recorded = z.array(
  z.looseObject({ row: z.string(), repeats: z.number(), passes: z.number(), at: z.string().optional() }),
);

/**
 * The tasks of `examples/` on real applications, each as one workflow and as plain commands, judged by files, servers and the applications' own data. `only`
 * names tasks or applications; `resume` leaves out the tasks that this revision has proved.
 */
export async function prove(options: ProofOptions): Promise<ProofRow[]> {
  const { say, only, repeats = REPEATS, commit, resume = false } = options;
  const proved = new Set(
    resume
      ? Recorded.parse(options.recorded ?? [])
          .filter((row) => row.at === commit && row.passes === row.repeats)
          .map(({ row }) => row)
      : [],
  );
  const { folder, entry } = await builtProgram();
  const rows: TaskRow[] = [];
  try {
    for (const task of chosen(only).filter(({ name }) => !proved.has(name))) {
      const row = { ...(await proveTask(task, { program: entry, repeats, say })), at: commit };
      rows.push(row);
      say(`${row.row}: ${row.passes} of ${row.repeats}; ${described(row.costs)}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return rows;
}

function chosen(only: readonly string[] | undefined): readonly Task[] {
  return TASKS.filter(
    ({ name, applications }) => only?.some((part) => part === name || applications.includes(part)) ?? true,
  );
}

async function proveTask(
  task: Task,
  {
    program,
    repeats,
    say,
  }: { readonly program: string; readonly repeats: number; readonly say: (text: string) => void },
): Promise<TaskRow> {
  const passed: Record<Way, TaskCost[]> = { workflow: [], plain: [] };
  const failures: string[] = [];
  for (let round = 0; round < repeats; round++)
    for (const way of WAYS)
      try {
        passed[way].push(await doTask(task, program, way));
      } catch (error) {
        const failure = `${way} ${round + 1}: ${error instanceof Error ? error.message : String(error)}`;
        say(`${task.name}: ${failure}`);
        failures.push(failure);
      }
  const costs = WAYS.flatMap((way) => {
    const median = medianOf(passed[way]);
    return median === undefined ? [] : [[way, median] as const];
  });
  return {
    row: task.name,
    applications: task.applications,
    repeats: 2 * repeats,
    passes: passed.workflow.length + passed.plain.length,
    counts: { workflow: passed.workflow.length, plain: passed.plain.length },
    costs: Object.fromEntries(costs),
    ...(failures.length === 0 ? {} : { failures: failures.slice(0, KEPT_FAILURES) }),
  };
}

function medianOf(costs: readonly TaskCost[]): TaskCost | undefined {
  const of = (key: keyof TaskCost): number =>
    costs.map((cost) => cost[key]).toSorted((a, b) => a - b)[Math.floor(costs.length / 2)] ?? 0;
  if (costs.length === 0) return undefined;
  return { calls: of('calls'), tokens: of('tokens'), looks: of('looks'), wallMs: of('wallMs') };
}

function described({ workflow, plain }: Costs): string {
  const one = (cost: TaskCost | undefined): string =>
    cost === undefined ? 'none passed' : `${cost.calls} calls, ${cost.tokens} tokens, ${cost.wallMs} ms`;
  return `workflow ${one(workflow)}; plain ${one(plain)}`;
}

/** The rows of an earlier run, with those of this one in their place; without tasks that are no longer in `examples/`. */
export function merge(recorded: readonly ProofRow[], run: readonly ProofRow[]): ProofRow[] {
  const all = new Map(mergeByName(recorded, run).map((row) => [row.row, row]));
  return TASKS.flatMap(({ name }) => all.get(name) ?? []);
}

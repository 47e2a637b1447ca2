import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PrivateDesktop } from '../../src/platform/linux/private-desktop/private-desktop.ts';
import { builtProgram } from '../../tests/e2e/support/build.ts';
import { costOfGuide, runErrand, desk, type Cost } from './errands/agent.ts';
import { baselineProgram } from './errands/baseline.ts';
import { eventually, type Call, type Errand } from './errands/errand.ts';
import { ERRANDS } from './errands/tasks/index.ts';
import type { ProofOptions, ProofRow } from './row.ts';

const START_MS = 40_000;
const GOAL = { calls: 1 / 3, tokens: 1 / 2 };
const GUIDE = 'the guide, read once before the first errand';
const TOTAL = 'all errands: at most a third of the calls, half of the tokens, no picture';

type Way = 'before' | 'now';

/** An errand, in both ways. */
interface ErrandRow extends ProofRow {
  readonly application?: string;
  readonly costs?: Readonly<Partial<Record<Way, Cost>>>;
}

/** Everyday tasks on applications that are none of ours: what they cost with one command for each act, and as the guide advises. */
export async function prove({ say, only, repeats = 1, commit }: ProofOptions): Promise<ProofRow[]> {
  const { folder, entry } = await builtProgram();
  const programs = { before: await baselineProgram(), now: entry };
  const chosen = ERRANDS.filter(
    ({ application, name }) => only?.some((part) => part === application || part === name) ?? true,
  );
  const rows: ErrandRow[] = [];
  try {
    for (const errand of chosen) {
      const row = { ...(await proveErrand(errand, programs, repeats)), at: commit };
      rows.push(row);
      say(`${row.row}: ${row.failures?.[0] ?? described(row)}`);
    }
    if (only === undefined || only.includes('guide')) {
      const { cost, exitCode } = await costOfGuide(programs.now, process.env);
      rows.push({ row: GUIDE, repeats: 1, passes: exitCode === 0 ? 1 : 0, costs: { now: cost }, at: commit });
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return rows;
}

async function proveErrand(
  errand: Errand,
  programs: Readonly<Record<Way, string>>,
  repeats: number,
): Promise<ErrandRow> {
  const costs: Partial<Record<Way, Cost>> = {};
  const failures: string[] = [];
  let passes = 0;
  for (let round = 0; round < repeats; round++)
    for (const way of ['before', 'now'] as const)
      try {
        costs[way] = await inNewHome(errand, programs[way], errand[way]);
        passes++;
      } catch (error) {
        failures.push(`${way}: ${error instanceof Error ? error.message : String(error)}`);
      }
  return {
    row: errand.name,
    application: errand.application,
    repeats: 2 * repeats,
    passes,
    costs,
    ...(failures.length === 0 ? {} : { failures }),
  };
}

async function inNewHome(errand: Errand, program: string, calls: readonly Call[]): Promise<Cost> {
  const home = await mkdtemp(join(tmpdir(), 'errand-'));
  for (const [path, text] of Object.entries(errand.files ?? {})) {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  }
  const desktop = await PrivateDesktop.start({ deadlineMs: START_MS, home });
  const { environment } = desktop;
  const server = await errand.serve?.(home);
  const withUrl = (text: string): string => text.replaceAll('{url}', server?.url ?? '');
  try {
    const cost = await runErrand(program, environment, {
      task: withUrl(errand.task),
      calls: calls.map((call) => call.map((arg) => withUrl(arg))),
    });
    // Applications may write a moment after their dialog has closed, or when they end.
    await eventually(() => errand.check(home));
    return cost;
  } finally {
    await desk(program, environment, ['daemon', 'stop']);
    await desktop.stop();
    server?.stop();
    if (existsSync(home)) await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** All errands together, and the guide. */
export function total(rows: readonly ErrandRow[]): ErrandRow {
  const sum = (way: Way): Cost => {
    const all = rows.flatMap(({ costs }) => costs?.[way] ?? []);
    const of = (key: 'calls' | 'tokens' | 'looks' | 'pictures'): number =>
      all.reduce((last, cost) => last + cost[key], 0);
    return {
      calls: of('calls'),
      tokens: of('tokens'),
      looks: of('looks'),
      pictures: of('pictures'),
      guesses: [...new Set(all.flatMap(({ guesses }) => guesses))],
    };
  };
  const costs = { before: sum('before'), now: sum('now') };
  const passed = new Set(rows.filter(({ passes, repeats }) => passes === repeats).map(({ row }) => row));
  const holds =
    [GUIDE, ...ERRANDS.map(({ name }) => name)].every((name) => passed.has(name)) &&
    costs.now.calls <= costs.before.calls * GOAL.calls &&
    costs.now.tokens <= costs.before.tokens * GOAL.tokens &&
    costs.now.pictures === 0;
  return { row: TOTAL, repeats: 1, passes: holds ? 1 : 0, costs };
}

function described({ costs }: ErrandRow): string {
  const { before, now } = costs ?? {};
  return `calls ${before?.calls} → ${now?.calls}, tokens ${before?.tokens} → ${now?.tokens}, looks ${before?.looks} → ${now?.looks}`;
}

/** The rows of an earlier run, with those of this one in their place; without rows that are no longer proved. */
export function merge(recorded: readonly ProofRow[], run: readonly ProofRow[]): ProofRow[] {
  const all = new Map([...recorded, ...run].map((row) => [row.row, row]));
  return [...ERRANDS.map(({ name }) => name), GUIDE].flatMap((name) => all.get(name) ?? []);
}

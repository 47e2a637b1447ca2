import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { ROOT } from '../../../tests/program-copy.ts';
import { desk, runErrand } from '../errands/agent.ts';
import { eventually, type Call } from '../errands/errand.ts';
import { onInterrupt } from '../on-interrupt.ts';
import { withParams, type Task } from './task.ts';

const START_MS = 40_000;

/** As one workflow, or as an agent that types one command after the other. */
export const WAYS = ['workflow', 'plain'] as const;
export type Way = (typeof WAYS)[number];

/** What a task cost in one of the ways. */
export interface TaskCost {
  readonly calls: number;
  /** Of what was typed and what was answered (o200k). */
  readonly tokens: number;
  /** Of the workflow file, which whoever writes it pays once. */
  readonly fileTokens: number;
  readonly looks: number;
  readonly wallMs: number;
}

/** Does a task once, in a new HOME on a private desktop of its own. @throws Error if a call fails, or the judge of the task says no */
export async function doTask(task: Task, program: string, way: Way): Promise<TaskCost> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'task-')));
  const ends: (() => unknown)[] = [
    () => rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  ];
  // What was begun last ends first.
  const end = async (): Promise<void> => {
    const next = ends.pop();
    if (next === undefined) return;
    try {
      await next();
    } finally {
      await end();
    }
  };
  const forget = onInterrupt(end);
  try {
    for (const [path, text] of Object.entries(task.files ?? {})) {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    }
    await task.prepare?.(home);
    // A session that a reader of the examples has chosen is not one of this desktop.
    const inherit = { ...process.env, DESKTERITY_SESSION: undefined };
    const desktop = await PrivateDesktop.start({ deadlineMs: START_MS, home, inherit });
    const { environment } = desktop;
    ends.push(() => desktop.stop());
    ends.push(() => desk(program, environment, ['daemon', 'stop']));
    const server = await task.serve?.(home);
    ends.push(() => server?.stop());
    const params = task.params({ home, url: server?.url ?? '' });
    const calls: readonly Call[] =
      way === 'workflow' ? [workflowCall(task, params)] : withParams(task.plain, params);
    const started = performance.now();
    const { calls: made, tokens, looks } = await runErrand(program, environment, { task: '', calls });
    const wallMs = Math.round(performance.now() - started);
    const fileTokens = way === 'workflow' ? await tokensOfFile(task) : 0;
    // Applications may write a moment after their dialog has closed.
    await eventually(() => task.check(home));
    return { calls: made, tokens, fileTokens, looks, wallMs };
  } finally {
    await end();
    forget();
  }
}

function workflowCall(task: Task, params: Readonly<Record<string, string>>): Call {
  const given = Object.entries(params).flatMap(([key, value]) => ['--param', `${key}=${value}`]);
  return ['workflow', fileOf(task), ...given];
}

function fileOf({ name }: Task): string {
  return join(ROOT, 'examples', `${name}.json`);
}

/** Without the white space that makes it readable. */
async function tokensOfFile(task: Task): Promise<number> {
  const text = await readFile(fileOf(task), 'utf8');
  return encode(JSON.stringify(JSON.parse(text))).length;
}

import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { bestMedian, median, percentile, rounded, type Figure, type Say } from './figures.ts';
import { PipeAsker } from './mcp-lines.ts';
import { Program } from './program.ts';

const ROUNDS = 100;
const WARM_UP_ROUNDS = 15;
const LIMIT_MS = 20_000;
const TOOL = 'sandboxed_shell';
const CONFINED = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--'] as const;

/**
 * `true` as a sandboxed shell command over MCP, from the request to its answer, in turn with bubblewrap's own start of `true`, from spawning it to its
 * end.
 */
export async function shellCallFigures(bubblewrap: string | undefined, say: Say): Promise<Figure[]> {
  say(`${TOOL} over MCP`);
  const program = await Program.build();
  try {
    // The sandbox needs koffi, which is a package beside the program.
    await symlink(path.resolve('node_modules'), path.join(program.folder, 'node_modules'));
    const user = await program.user('shell', {});
    // Its folder, and so the sandbox's, is the working folder.
    const asker = PipeAsker.start(user, 'legacy', ['--toolsets', 'all']);
    try {
      await asker.greet();
      return figuresOf(await inTurn(() => asker.call(TOOL, { command: 'true' }), bubblewrap));
    } finally {
      await asker.close();
      await user.stop();
    }
  } finally {
    await program.remove();
  }
}

interface Times {
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

async function inTurn(call: () => Promise<unknown>, bubblewrap: string | undefined): Promise<Times> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const execute = promisify(execFile);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const own = await timed(call);
    if (round >= 0) ours.push(own);
    if (bubblewrap === undefined) continue;
    const its = await timed(() => execute(bubblewrap, [...CONFINED, '/bin/true'], { timeout: LIMIT_MS }));
    if (round >= 0) theirs.push(its);
  }
  return { ours, theirs };
}

async function timed(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await action();
  return performance.now() - began;
}

export function figuresOf({ ours, theirs }: Times): Figure[] {
  const value = rounded(bestMedian(ours), 2);
  const baseline = rounded(bestMedian(theirs), 2);
  const what = `${TOOL} of true over MCP, whole call`;
  const p95: Figure = { what: `${what}, p95`, value: rounded(percentile(ours, 0.95), 2), unit: 'ms' };
  if (theirs.length === 0)
    return [{ what: `${what}, p50`, value, unit: 'ms', note: 'without bubblewrap to compare it with' }, p95];
  const ratio = rounded(value / baseline, 2);
  const note = `the best of five medians; of all ${rounded(median(ours), 2)} ms beside ${rounded(median(theirs), 2)} ms`;
  return [
    {
      what: `${what}, p50`,
      value,
      unit: 'ms',
      baseline,
      beside: "bubblewrap's own start",
      ratio,
      goal: '<= 1',
      met: ratio <= 1,
      note,
    },
    p95,
  ];
}

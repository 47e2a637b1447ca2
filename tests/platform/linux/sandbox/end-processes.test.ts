import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readProcess, type ProcessEntry } from '../../../../src/platform/linux/process/facts.ts';
import { loadKernel } from '../../../../src/platform/linux/sandbox/libc-library.ts';
import { endProcesses } from '../../../../src/platform/linux/sandbox/processes/end-processes.ts';

const kernel = await loadKernel();
const KILL_ONLY = { interruptMs: 0, terminateMs: 0 };

/** A running process; ready when its script has printed something. */
async function started(script: string): Promise<{ readonly entry: ProcessEntry; isRunning(): boolean }> {
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const entry = readProcess(child.pid ?? 0);
  if (entry === undefined) throw new Error('It has ended.');
  return { entry, isRunning: () => /^[^ZX]/.test(readProcess(entry.pid)?.state ?? 'X') };
}

describe('ending processes', () => {
  it('waits for one that later looks do not see', async () => {
    const slow = await started(`trap 'sleep 0.3; exit' TERM; echo; while :; do sleep 0.01; done`);
    const looks = [[slow.entry]];
    const count = await endProcesses(kernel, () => looks.shift() ?? [], {
      interruptMs: 0,
      terminateMs: 5000,
    });
    expect([count, slow.isRunning()]).toEqual([1, false]);
  });

  it('believes that none is left only when it looks after all that were seen have exited', async () => {
    const [first, late] = [await started('echo; sleep 100'), await started('echo; sleep 100')];
    let hasMissed = false;
    const find = () => {
      if (first.isRunning()) return [first.entry];
      const isMissed = !hasMissed;
      hasMissed = true;
      return isMissed || !late.isRunning() ? [] : [late.entry];
    };
    expect(await endProcesses(kernel, find, KILL_ONLY)).toBe(2);
    expect(late.isRunning()).toBe(false);
  });

  it('fails and names those that cannot be killed', async () => {
    const { entry } = await started('echo; sleep 100');
    const powerless = { ...kernel, call: () => -1 };
    await expect(endProcesses(powerless, () => [entry], KILL_ONLY, 50)).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      message: `Processes still run 0.05 s after they were killed: ${entry.pid}.`,
      delivered: true,
    });
  });
});

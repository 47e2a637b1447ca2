import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { operationProcesses } from '../../../../src/platform/linux/sandbox/processes/operation-processes.ts';
import { readProcess } from '../../../../src/platform/linux/process/facts.ts';

/** Of a holder that has never started anything. */
const noMarks = { knows: () => false, operationOf: () => undefined };

it('processes of a session are found by its leader, but not if its pid was reused', async () => {
  const child = spawn('/bin/sh', ['-c', 'sleep 300 & wait'], { detached: true, stdio: 'ignore', env: {} });
  const { pid = 0 } = child;
  onTestFinished(() => void process.kill(-pid, 'SIGKILL'));
  const found = (startTime: string) =>
    operationProcesses(noMarks, 'op-aaaaaa', { pid, startTime }).map((entry) => entry.session);
  const startTime = readProcess(pid)?.startTime ?? '';
  await expect.poll(() => found(startTime)).toEqual([pid, pid]);
  // As it was named by a record of long ago.
  expect(found(String(Number(startTime) - 1))).toEqual([]);
});

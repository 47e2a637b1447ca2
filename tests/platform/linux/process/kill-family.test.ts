import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { allProcesses, commandLine, readProcess } from '../../../../src/platform/linux/process/facts.ts';
import { killSession, ownTree, ProcessFamily } from '../../../../src/platform/linux/process/kill-family.ts';

/** What runs with this text in its command line. */
function running(text: string): number[] {
  return allProcesses()
    .filter(({ pid, state }) => !/[ZX]/.test(state) && commandLine(pid).join(' ').includes(text))
    .map(({ pid }) => pid);
}

/** A shell that leads a session, and a number of seconds by which what it starts is found. */
function started(script: (seconds: string) => string) {
  const seconds = `86${process.pid}${Math.floor(performance.now())}`;
  const { pid = 0 } = spawn('/bin/sh', ['-c', script(seconds)], { detached: true, stdio: 'ignore' });
  onTestFinished(() => {
    for (const left of running(seconds)) process.kill(left, 'SIGKILL');
  });
  return { pid, startTime: readProcess(pid)?.startTime ?? '', seconds };
}

it('all that a program has started is killed, in any session, while it starts more', async () => {
  const { seconds, ...root } = started(
    (time) =>
      `setsid sh -c 'while :; do setsid sleep ${time} & sleep 0.01; done' & while :; do sleep ${time} & sleep 0.01; done`,
  );
  await expect.poll(() => running(`sleep ${seconds}`).length).toBeGreaterThan(10);
  const killed = new ProcessFamily([root]).kill();
  expect(killed.length).toBeGreaterThan(10);
  await expect.poll(() => running(seconds)).toEqual([]);
});

it('what was seen is killed although its parent has exited and it leads a session', async () => {
  const { seconds, ...root } = started((time) => `setsid sleep ${time} & wait`);
  const family = new ProcessFamily([root]);
  await expect.poll(() => family.look().length).toBe(2);
  await expect.poll(() => running(`sleep ${seconds}`).length).toBeGreaterThan(0);
  process.kill(root.pid, 'SIGKILL');
  await expect.poll(() => running(`setsid sleep ${seconds} &`)).toEqual([]);
  expect(family.kill()).toHaveLength(1);
  await expect.poll(() => running(seconds)).toEqual([]);
});

it('a session is killed although its leader has exited; other sessions are not', async () => {
  const { pid, seconds } = started((time) => `sleep ${time} & setsid sleep ${time}0 & sleep 0.1`);
  await expect.poll(() => readProcess(pid)).toBeUndefined();
  // Until then, a shell or setsid that has not begun it yet names it, too.
  await expect.poll(() => running(`setsid sleep ${seconds}0`)).toEqual([]);
  await expect.poll(() => running(`sleep ${seconds}`).length).toBe(2);
  expect(killSession(pid)).toHaveLength(1);
  await expect.poll(() => running(`sleep ${seconds}`)).toHaveLength(1);
});

it('this process and those above it are never in a family', () => {
  const { pid, startTime, parent } = readProcess(process.pid) ?? { pid: 0, startTime: '', parent: 0 };
  const above = { pid: parent, startTime: readProcess(parent)?.startTime ?? '' };
  const found = new ProcessFamily([{ pid, startTime }, above]).look().map((entry) => entry.pid);
  expect(found.filter((one) => one === pid || one === parent)).toEqual([]);
  expect([...ownTree()].slice(0, 2)).toEqual([pid, parent]);
});

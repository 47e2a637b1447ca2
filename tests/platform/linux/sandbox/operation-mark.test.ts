import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadKernel } from '../../../../src/platform/linux/sandbox/libc-library.ts';
import { operationMarks } from '../../../../src/platform/linux/sandbox/processes/operation-mark.ts';

/** Of this very process, which has no other use for its limit of file locks. */
const marks = operationMarks(await loadKernel());

/** A process that is there until the test is over. */
async function started(): Promise<number> {
  const child = spawn('/bin/sleep', ['600'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.once('spawn', resolve));
  if (child.pid === undefined) throw new Error('it did not start');
  return child.pid;
}

/** As the kernel says it. */
function limit(pid: number): string | undefined {
  return /^Max file locks\s+\S+\s+(\S+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1];
}

/** A task that has begun and that ends when it is let. */
function held<T>(end: () => Promise<T>): {
  readonly task: () => Promise<T>;
  readonly begun: Promise<void>;
  readonly go: () => void;
} {
  const news = new EventEmitter();
  const begun = once(news, 'begun').then(() => undefined);
  const gate = once(news, 'go');
  const task = async () => {
    news.emit('begun');
    await gate;
    return end();
  };
  return { task, begun, go: () => void news.emit('go') };
}

describe('the mark of an operation', () => {
  it('is on its own processes, and not on earlier or later ones', async () => {
    const before = await marks.alone(started);
    const process = await marks.during('op-one', started);
    const after = await marks.alone(started);
    expect(marks.operationOf(process)).toBe('op-one');
    expect([before, process, after].map((pid) => marks.isMarked(pid))).toEqual([false, true, false]);
    expect(new Set([before, process, after].map(limit)).size).toBe(3);
    marks.forget('op-one');
    expect(marks.operationOf(process)).toBeUndefined();
    expect(marks.isMarked(process)).toBe(true);
  });

  it('is not on other processes started during a start', async () => {
    const slow = held(started);
    const operation = marks.during('op-slow', slow.task);
    await slow.begun;
    const alone = marks.alone(started);
    // Time in which one that does not wait would have started.
    await sleep(50);
    slow.go();
    const [marked, unmarked] = await Promise.all([operation, alone]);
    expect(marks.operationOf(marked)).toBe('op-slow');
    expect(marks.operationOf(unmarked)).toBeUndefined();
    expect(marks.isMarked(unmarked)).toBe(false);
    expect(limit(unmarked)).not.toBe(limit(marked));
  });

  it('is not set while another process is starting', async () => {
    const slow = held(started);
    const alone = marks.alone(slow.task);
    await slow.begun;
    const operation = marks.during('op-later', started);
    // Time in which one that does not wait would have started.
    await sleep(50);
    slow.go();
    const [unmarked, marked] = await Promise.all([alone, operation]);
    expect(marks.isMarked(unmarked)).toBe(false);
    expect(marks.operationOf(marked)).toBe('op-later');
  });

  it('survives a failed start', async () => {
    const failing = marks.during('op-failing', () => Promise.reject(new Error('no')));
    const alone = marks.alone(() => Promise.reject(new Error('nor this')));
    const next = marks.during('op-next', started);
    await expect(failing).rejects.toThrow('no');
    await expect(alone).rejects.toThrow('nor this');
    expect(marks.operationOf(await next)).toBe('op-next');
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { collectAtRest } from '../../src/processes/daemon/collect-at-rest.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function process() {
  let cpuMs = 0;
  const collections: ('new' | 'all')[] = [];
  const collect = (which: 'new' | 'all'): void => {
    collections.push(which);
    cpuMs += which === 'all' ? 40 : 3;
  };
  collectAtRest({ cpuMs: () => cpuMs, collect });
  return {
    collections,
    collected: () => collections.filter((which) => which === 'all').length,
    work: (ms: number) => void (cpuMs += ms),
  };
}

describe('garbage of the daemon', () => {
  it('is collected twice, some seconds after work has ended', () => {
    const { collected, work } = process();
    work(2000);
    vi.advanceTimersByTime(5000);
    expect(collected()).toBe(0);
    vi.advanceTimersByTime(4500);
    expect(collected()).toBe(2);
    vi.advanceTimersByTime(3_600_000);
    expect(collected()).toBe(2);
    work(2000);
    vi.advanceTimersByTime(10_000);
    expect(collected()).toBe(4);
  });

  it('is young only while there is work, so that the space for it is given back afterwards', () => {
    const { collections, work } = process();
    work(2000);
    vi.advanceTimersByTime(10_000);
    expect(collections).toEqual(['new', 'all', 'all']);
  });

  it('is not collected while there is work, nor after little of it', () => {
    const { collected, work } = process();
    for (let turn = 0; turn < 60; turn++) {
      work(100);
      vi.advanceTimersByTime(1000);
    }
    expect(collected()).toBe(0);
    const other = process();
    other.work(200);
    vi.advanceTimersByTime(60_000);
    expect(other.collected()).toBe(0);
  });
});

it('is really collected by this Node', async () => {
  const held = new WeakRef({ some: 'garbage' });
  let workedMs = 0;
  vi.spyOn(globalThis.process, 'cpuUsage').mockImplementation(() => ({ user: workedMs * 1000, system: 0 }));
  collectAtRest();
  workedMs = 1000;
  // What was read from a WeakRef lives until the end of this job.
  await new Promise<void>((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(20_000);
  expect(held.deref()).toBeUndefined();
});

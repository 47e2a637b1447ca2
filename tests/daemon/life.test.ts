import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Life } from '../../src/processes/daemon/life.ts';

let kept: string[] = [];
let reasons: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  kept = [];
  reasons = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function life(): Life {
  return new Life({
    version: '1',
    keptBy: () => kept,
    idleTimeoutMs: 1000,
    leave: (reason) => reasons.push(reason),
  });
}

it('leaves when nobody has called for the idle time', () => {
  life();
  vi.advanceTimersByTime(999);
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reasons).toEqual(['idle']);
});

it('never leaves while a call is under way, and counts from its end', () => {
  const one = life();
  const finish = one.begin();
  vi.advanceTimersByTime(100_000);
  expect([reasons, one.identity().why]).toEqual([[], '1 call']);
  finish();
  // Twice is once.
  finish();
  expect(one.activeCalls).toBe(0);
  vi.advanceTimersByTime(999);
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reasons).toEqual(['idle']);
});

it('never leaves while something would be lost, and looks again', () => {
  const one = life();
  kept = ['1 private desktop'];
  vi.advanceTimersByTime(100_000);
  expect(reasons).toEqual([]);
  expect(one.retire()).toBe(false);
  one.begin();
  expect(one.identity()).toMatchObject({ isIdle: false, why: '1 call, 1 private desktop' });
  kept = [];
  vi.advanceTimersByTime(100_000);
  expect(reasons).toEqual([]);
});

it('goes by the idle time of the latest caller', () => {
  const one = life();
  one.setIdleTimeout(50_000);
  vi.advanceTimersByTime(49_999);
  expect(reasons).toEqual([]);
  one.setIdleTimeout(10);
  vi.advanceTimersByTime(10);
  expect(reasons).toEqual(['idle']);
});

it('leaves once, for one reason', () => {
  const one = life();
  expect(one.retire()).toBe(true);
  one.leave('asked to stop');
  vi.advanceTimersByTime(100_000);
  expect(reasons).toEqual(['retired for another version']);
  expect(one.isLeaving).toBe(true);
});

it('never leaves while somebody is there who must not be left alone, and counts from when they go', () => {
  const one = life();
  const [first, second, server] = [one.hold('MCP client'), one.hold('MCP client'), one.hold('HTTP server')];
  vi.advanceTimersByTime(100_000);
  expect([reasons, one.identity().why]).toEqual([[], '2 MCP clients, 1 HTTP server']);
  expect(one.retire()).toBe(false);
  server();
  first();
  // Twice is once.
  first();
  expect(one.identity().why).toBe('1 MCP client');
  second();
  expect(one.identity().isIdle).toBe(true);
  vi.advanceTimersByTime(999);
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reasons).toEqual(['idle']);
});

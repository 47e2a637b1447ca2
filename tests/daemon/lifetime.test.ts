import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Lifetime } from '../../src/processes/daemon/lifetime.ts';

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

function lifetime(): Lifetime {
  return new Lifetime({
    version: '1',
    keptBy: () => kept,
    idleTimeoutMs: 1000,
    leave: (reason) => reasons.push(reason),
  });
}

it('exits after the idle time without calls', () => {
  lifetime();
  vi.advanceTimersByTime(999);
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reasons).toEqual(['idle']);
});

it('never exits during a call and counts from its end', () => {
  const one = lifetime();
  const finish = one.begin();
  vi.advanceTimersByTime(100_000);
  expect([reasons, one.identity().why]).toEqual([[], '1 call']);
  finish();
  // A second release has no effect.
  finish();
  expect(one.activeCalls).toBe(0);
  vi.advanceTimersByTime(999);
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reasons).toEqual(['idle']);
});

it('never exits while something would be lost and checks again', () => {
  const one = lifetime();
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

it('uses the idle time of the latest caller', () => {
  const one = lifetime();
  one.setIdleTimeout(50_000);
  vi.advanceTimersByTime(49_999);
  expect(reasons).toEqual([]);
  one.setIdleTimeout(10);
  vi.advanceTimersByTime(10);
  expect(reasons).toEqual(['idle']);
});

it('exits once, for one reason', () => {
  const one = lifetime();
  expect(one.retire()).toBe(true);
  one.leave('asked to stop');
  vi.advanceTimersByTime(100_000);
  expect(reasons).toEqual(['retired for another version']);
  expect(one.isLeaving).toBe(true);
});

it('never exits while it is held and counts from the release', () => {
  const one = lifetime();
  const [first, second, server] = [one.hold('MCP client'), one.hold('MCP client'), one.hold('HTTP server')];
  vi.advanceTimersByTime(100_000);
  expect([reasons, one.identity().why]).toEqual([[], '2 MCP clients, 1 HTTP server']);
  expect(one.retire()).toBe(false);
  server();
  first();
  // A second release has no effect.
  first();
  expect(one.identity().why).toBe('1 MCP client');
  second();
  expect(one.identity().isIdle).toBe(true);
  vi.advanceTimersByTime(999);
  expect(reasons).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reasons).toEqual(['idle']);
});

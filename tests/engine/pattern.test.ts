import { afterEach, expect, it, vi } from 'vitest';
import { compilePattern } from '../../src/engine/tree/search/pattern.ts';

const timeouts: number[] = [];
let late = 0;

/** The first attempts run out of time, as on a machine that gives this process no processor time. */
function lately(_context: unknown, timeoutMs: number): unknown {
  timeouts.push(timeoutMs);
  late -= 1;
  if (late >= 0) throw Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
  return '100';
}

afterEach(() => {
  vi.restoreAllMocks();
  timeouts.length = 0;
  late = 0;
});

const TEXTS = [['Save', 'a button'], ['Print'], []];

it('a pattern that got no processor time is tried again for longer', () => {
  late = 2;
  expect(compilePattern('^s', lately)(TEXTS)).toEqual([true, false, false]);
  expect(timeouts).toEqual([250, 500, 1000]);
});

it('one that never gets any is given up', () => {
  late = 10;
  expect(() => compilePattern('^s', lately)(TEXTS)).toThrowError(/takes too long/);
  expect(timeouts).toEqual([250, 500, 1000]);
});

it('one that has used its processor time is not tried again', () => {
  late = 10;
  let calls = 0;
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({
    user: calls++ === 0 ? 0 : 240_000,
    system: 20_000,
  }));
  expect(() => compilePattern('^(a+)+$', lately)([['a'.repeat(40)]])).toThrowError(/takes too long/);
  expect(timeouts).toEqual([250]);
});

it('one that backtracks without end is given up by the real timer', () => {
  expect(() => compilePattern('^(a+)+$')([['a'.repeat(40) + '!']])).toThrowError(/takes too long/);
});

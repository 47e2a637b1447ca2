import type * as Vm from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { compilePattern } from '../../src/engine/tree/search/pattern.ts';

const timeouts: (number | undefined)[] = [];
let late = 0;

/** The first attempts run out of time, as on a machine that gives this process no processor time. */
vi.mock('node:vm', async (original) => {
  const vm = await original<typeof Vm>();
  class Late extends vm.Script {
    override runInContext(...[context, options]: Parameters<InstanceType<typeof vm.Script>['runInContext']>) {
      timeouts.push(typeof options === 'object' ? options.timeout : undefined);
      late -= 1;
      if (late >= 0) throw Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
      const found: unknown = super.runInContext(context, options);
      return found;
    }
  }
  return { ...vm, Script: Late };
});
afterEach(() => {
  vi.restoreAllMocks();
  timeouts.length = 0;
  late = 0;
});

const TEXTS = [['Save', 'a button'], ['Print'], []];

it('a pattern that got no processor time is tried again for longer', () => {
  late = 2;
  expect(compilePattern('^s')(TEXTS)).toEqual([true, false, false]);
  expect(timeouts).toEqual([250, 500, 1000]);
});

it('one that never gets any is given up', () => {
  late = 10;
  expect(() => compilePattern('^s')(TEXTS)).toThrowError(/takes too long/);
  expect(timeouts).toEqual([250, 500, 1000]);
});

it('one that has used its processor time is not tried again', () => {
  late = 10;
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 240_000, system: 20_000 });
  expect(() => compilePattern('^(a+)+$')([['a'.repeat(40)]])).toThrowError(/takes too long/);
  expect(timeouts).toEqual([250]);
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { killPlan, longestKillMs, nextKillMove } from '../../src/terminal/sessions/held/kill-plan.ts';
import type { Remaining } from '../../src/terminal/sessions/held/kill-plan.ts';

const PLAN = killPlan({ interruptMs: 2000, terminateMs: 3000 });

/** What is done where each signal leaves so many processes. */
function run(first: Remaining, after: (step: string) => Partial<Remaining>) {
  const done: string[] = [];
  let remaining = first;
  let index = 0;
  for (;;) {
    const move = nextKillMove(PLAN, index, remaining);
    if (move.type !== 'signal') return [...done, move.type];
    const name = `${move.step.signal} ${move.step.target}`;
    done.push(name);
    remaining = { ...remaining, ...after(name) };
    index = move.index + 1;
  }
}

describe('ending what runs', () => {
  it('asks with INT, then TERM, then does it, each with its wait', () => {
    expect(PLAN.map(({ signal, target, waitMs }) => [signal, target, waitMs])).toEqual([
      ['SIGINT', 'foreground', 2000],
      ['SIGTERM', 'foreground', 3000],
      ['SIGKILL', 'foreground', 1000],
      ['SIGINT', 'tree', 2000],
      ['SIGTERM', 'tree', 3000],
      ['SIGKILL', 'tree', 1000],
    ]);
    expect(longestKillMs(PLAN)).toBe(12_000);
  });

  it('stops where nothing is left', () => {
    expect(run({ foreground: 0, tree: 0 }, () => ({}))).toEqual(['ended']);
    expect(run({ foreground: 2, tree: 0 }, () => ({ foreground: 0 }))).toEqual([
      'SIGINT foreground',
      'ended',
    ]);
  });

  it('goes on to what was left behind, and skips what is gone', () => {
    expect(
      run({ foreground: 1, tree: 1 }, (step) =>
        step === 'SIGTERM foreground' ? { foreground: 0 } : step === 'SIGINT tree' ? { tree: 0 } : {},
      ),
    ).toEqual(['SIGINT foreground', 'SIGTERM foreground', 'SIGINT tree', 'ended']);
    expect(run({ foreground: 0, tree: 3 }, () => ({ tree: 0 }))).toEqual(['SIGINT tree', 'ended']);
  });

  it('says so where something survives everything', () => {
    expect(run({ foreground: 1, tree: 1 }, () => ({}))).toEqual([
      ...PLAN.map(({ signal, target }) => `${signal} ${target}`),
      'survived',
    ]);
  });

  it('never sends a weaker signal after a stronger one to the same, and always comes to an end', () => {
    const strength = ['SIGINT', 'SIGTERM', 'SIGKILL'];
    const counts = fc.record({ foreground: fc.nat(3), tree: fc.nat(3) });
    fc.assert(
      fc.property(counts, fc.array(counts, { maxLength: 8 }), (first, later) => {
        const outcomes = [...later];
        const done = run(first, () => outcomes.shift() ?? {});
        for (const target of ['foreground', 'tree']) {
          const sent = done
            .filter((name) => name.endsWith(target))
            .map((name) => strength.indexOf(name.split(' ')[0] ?? ''));
          expect(sent).toEqual(sent.toSorted((a, b) => a - b));
          expect(new Set(sent).size).toBe(sent.length);
        }
        expect(['ended', 'survived']).toContain(done.at(-1));
      }),
    );
  });
});

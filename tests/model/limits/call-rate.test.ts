import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CallLimits } from '../../../src/model/limits/call-limits.ts';
import { CallRate, type RateSettings } from '../../../src/model/limits/call-rate.ts';
import { FailingCalls } from '../../../src/model/limits/failing-calls.ts';

const FREE: RateSettings = { perSecond: 0, perMinute: 0, atOnce: 0 };

describe('the rate of calls', () => {
  it('never lets more through in any second or minute than is allowed, and says when the next may come', () => {
    const settings = { perSecond: 5, perMinute: 40, atOnce: 0 };
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 900 }), { minLength: 50, maxLength: 300 }), (pauses) => {
        const rate = new CallRate();
        const allowed: number[] = [];
        let now = 0;
        let isRight = true;
        for (const pause of pauses) {
          now += pause;
          const passed = rate.passed(now, 1, settings, false);
          if (passed === undefined) {
            allowed.push(now);
            rate.begin(now, 1, false)();
            continue;
          }
          // Until just before, it is still refused.
          const before = now + passed.retryAfterMs - 1;
          isRight &&= rate.passed(before, 1, { ...FREE, [passed.limit]: passed.most }, false) !== undefined;
        }
        expect(isRight).toBe(true);
        for (const [index, at] of allowed.entries()) {
          const later = (span: number) => allowed.slice(index).filter((other) => other - at < span).length;
          expect(later(1000)).toBeLessThanOrEqual(5);
          expect(later(60_000)).toBeLessThanOrEqual(40);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('counts calls in progress until they end, but no steps of theirs', () => {
    const rate = new CallRate();
    const settings = { ...FREE, atOnce: 2 };
    const end = rate.begin(0, 1, false);
    rate.begin(0, 1, true);
    expect(rate.passed(0, 1, settings, false)).toBeUndefined();
    rate.begin(0, 1, false);
    expect(rate.passed(0, 1, settings, false)).toMatchObject({ limit: 'atOnce', most: 2 });
    expect(rate.passed(0, 1, settings, true)).toBeUndefined();
    end();
    end();
    expect(rate.passed(0, 1, settings, false)).toBeUndefined();
    rate.begin(0, 1, false);
    expect(rate.passed(0, 1, settings, false)).toBeDefined();
  });
});

describe('the limits of all sessions', () => {
  const limits = { session: { ...FREE, perSecond: 5 }, all: { ...FREE, perSecond: 8 } };
  const call = (now: number) => ({ now, cost: 1, isStep: false });

  it('are not evaded by other sessions', () => {
    const counts = new CallLimits();
    const begun = Array.from({ length: 20 }, (_, at) => counts.begin(`s${at}`, call(0), limits));
    expect(begun.filter((one) => typeof one === 'function')).toHaveLength(8);
    expect(begun.at(-1)).toMatchObject({ of: 'all', limit: 'perSecond', most: 8, retryAfterMs: 1000 });
  });

  it('leave other sessions alone if only one calls too often, and make no flood of news', () => {
    const counts = new CallLimits();
    const of = (session: string, now = 0) => counts.begin(session, call(now), limits);
    const begun = Array.from({ length: 12 }, () => of('busy'));
    const refused = begun.filter((one) => typeof one !== 'function');
    expect(refused).toHaveLength(7);
    expect(refused.filter(({ isNews }) => isNews)).toHaveLength(1);
    expect(of('other')).toBeTypeOf('function');
    expect(of('busy', 1001)).toBeTypeOf('function');
  });

  it('forget idle sessions', () => {
    const counts = new CallLimits();
    for (let at = 0; at < 5000; at += 1) {
      const end = counts.begin(`s${at}`, call(at * 1000), { session: FREE, all: FREE });
      if (typeof end === 'function') end();
    }
    expect(Reflect.get(counts, 'sessions').size).toBeLessThanOrEqual(1001);
  });
});

it('calls that fail in a row are counted, whatever is read between them', () => {
  const failing = new FailingCalls();
  expect(failing.failed('a')).toBe(1);
  failing.succeeded('read', true);
  expect(failing.failed('a')).toBe(2);
  expect(failing.failed('b')).toBe(1);
  expect(failing.failed('a')).toBe(1);
  failing.succeeded('act', false);
  expect(failing.failed('a')).toBe(1);
  failing.succeeded('a', true);
  expect(failing.failed('a')).toBe(1);
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServerClock } from '../../../../../src/platform/linux/display/x11/server-clock.ts';

/** The server's clock wraps after this many milliseconds: 49 days and 17 hours. */
const ROUND = 2 ** 32;
const LONGEST_GAP = 2 ** 31 - 1;

describe('the clock of an X server', () => {
  it('continues when server time wraps', () => {
    const clock = new ServerClock();
    const before = clock.milliseconds(ROUND - 5);
    expect(clock.milliseconds(10) - before).toBe(15);
    expect(clock.milliseconds(ROUND - 5)).toBe(before);
  });

  it('orders any times that are less than half a wrap apart', () => {
    const gap = fc.integer({ min: -LONGEST_GAP, max: LONGEST_GAP });
    fc.assert(
      fc.property(fc.nat(ROUND - 1), fc.array(gap, { maxLength: 20 }), (start, gaps) => {
        const clock = new ServerClock();
        let time = start;
        let told = clock.milliseconds(start);
        for (const step of gaps) {
          time = (((time + step) % ROUND) + ROUND) % ROUND;
          const next = clock.milliseconds(time);
          expect(next - told).toBe(step);
          told = next;
        }
      }),
    );
  });
});

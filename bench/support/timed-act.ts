import { createEngine } from '../../src/engine/create-engine.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createClock } from '../../src/platform/node/clock.ts';
import type { ClockPort } from '../../src/ports/clock.ts';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import { memoryStore } from '../../scripts/proof/stage.ts';

/** Where the time of one act went, in milliseconds. */
export interface ActTimes {
  readonly total: number;
  /** Before sending: finding and checking the element, reading the window. */
  readonly resolve: number;
  /** Until the application replied. */
  readonly act: number;
  /** Waiting for the application to settle. */
  readonly settle: number;
  /** Reading again, comparing, writing the receipt. */
  readonly diff: number;
}

/** An engine measured from outside: its desktop and clock are wrapped, the product is unchanged. */
export class TimedEngine {
  readonly engine: Engine;
  private readonly seen: { sentAt: number; answeredAt: number; slept: number };

  private constructor(engine: Engine, seen: TimedEngine['seen']) {
    this.engine = engine;
    this.seen = seen;
  }

  static async on(desktop: DesktopPort): Promise<TimedEngine> {
    const seen = { sentAt: 0, answeredAt: 0, slept: 0 };
    const clock = createClock();
    const watched: ClockPort = {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        const began = performance.now();
        try {
          await clock.sleep(ms, signal);
        } finally {
          if (seen.answeredAt > 0) seen.slept += performance.now() - began;
        }
      },
    };
    const timed = new Proxy(desktop, {
      get: (target, property) => {
        const value: unknown = Reflect.get(target, property);
        if (typeof value !== 'function') return value;
        if (property !== 'press') return value.bind(target);
        return async (...args: unknown[]): Promise<unknown> => {
          seen.sentAt = performance.now();
          try {
            return await Reflect.apply(value, target, args);
          } finally {
            seen.answeredAt = performance.now();
          }
        };
      },
    });
    return new TimedEngine(
      await createEngine({ desktop: timed, session: memoryStore(), clock: watched }),
      seen,
    );
  }

  /** Clicks through accessibility. */
  async click(ref: string): Promise<ActTimes> {
    const { seen } = this;
    Object.assign(seen, { sentAt: 0, answeredAt: 0, slept: 0 });
    const began = performance.now();
    await this.engine.click({ ref, mode: 'background', deadlineMs: 20_000 });
    const ended = performance.now();
    return {
      total: ended - began,
      resolve: seen.sentAt - began,
      act: seen.answeredAt - seen.sentAt,
      settle: seen.slept,
      diff: ended - seen.answeredAt - seen.slept,
    };
  }
}

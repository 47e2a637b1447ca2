import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Subscription } from '../../../../src/surfaces/mcp/resources/subscription.ts';
import type { Pace, SubscriptionParts } from '../../../../src/surfaces/mcp/resources/subscription.ts';

const PACE: Pace = { debounceMs: 100, silenceMs: 5000, longestPauseMs: 30_000 };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a subscription does, and a world for it to look at. */
class Scene {
  content = 'a';
  looks = 0;
  told = 0;
  unannounced = 0;
  /** How long a reading takes. */
  tookMs = 0;
  underWay = 0;
  /** Most readings there were at a time. */
  most = 0;
  readonly listeners = new Set<() => void>();
  readonly subscription: Subscription;

  constructor(changes: Partial<SubscriptionParts>) {
    this.subscription = new Subscription({
      pace: PACE,
      listen: async (onEvent) => {
        this.listeners.add(onEvent);
        return () => this.listeners.delete(onEvent);
      },
      look: () => this.look(),
      onChange: () => (this.told += 1),
      onUnannounced: () => (this.unannounced += 1),
      ...changes,
    });
  }

  event(): void {
    for (const listener of this.listeners) listener();
  }

  async pass(ms: number): Promise<void> {
    await vi.advanceTimersByTimeAsync(ms);
  }

  private async look(): Promise<string> {
    this.looks += 1;
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    const seen = this.content;
    await new Promise((resolve) => setTimeout(resolve, this.tookMs));
    this.underWay -= 1;
    return seen;
  }
}

/** The first reading takes a timer too. */
async function begun(changes: Partial<SubscriptionParts> = {}): Promise<Scene> {
  const made = new Scene(changes);
  const beginning = made.subscription.begin();
  await made.pass(1);
  await beginning;
  return made;
}

describe('events', () => {
  it('lead to one read a moment later, and to a report if something changed', async () => {
    const on = await begun();
    on.content = 'b';
    for (let count = 0; count < 50; count++) on.event();
    await on.pass(19);
    expect(on).toMatchObject({ looks: 1, told: 0 });
    await on.pass(2);
    expect(on).toMatchObject({ looks: 2, told: 1 });
    await on.pass(1000);
    expect(on).toMatchObject({ looks: 2, told: 1, unannounced: 0 });
  });

  it('soon after a read wait for the debounce', async () => {
    const on = await begun();
    on.event();
    await on.pass(21);
    on.content = 'b';
    on.event();
    await on.pass(98);
    expect(on).toMatchObject({ looks: 2, told: 0 });
    await on.pass(3);
    expect(on).toMatchObject({ looks: 3, told: 1 });
  });

  it('are read from what they have brought up to date; polls, and a read now and then, ask anew', async () => {
    const mirrored: boolean[] = [];
    const look = async (_: AbortSignal, rests: boolean): Promise<string> => {
      mirrored.push(rests);
      return 'a';
    };
    const on = await begun({ look });
    on.event();
    await on.pass(21);
    expect(mirrored).toEqual([false, true]);
    await on.pass(5010);
    expect(mirrored).toEqual([false, true, false]);
    for (let at = 0; at < 6000; at += 50) {
      on.event();
      await on.pass(50);
    }
    expect(mirrored.slice(3)).toContain(true);
    expect(mirrored.slice(3).filter((rests) => !rests)).toHaveLength(1);
  });

  it('without a change are not reported', async () => {
    const on = await begun();
    on.event();
    await on.pass(1000);
    expect(on).toMatchObject({ looks: 2, told: 0 });
  });

  it('without end lead to one read per debounce', async () => {
    const on = await begun();
    for (let at = 0; at < 10_000; at += 10) {
      on.content = String(at);
      on.event();
      await on.pass(10);
    }
    expect(on.looks).toBeGreaterThan(80);
    expect(on.looks).toBeLessThanOrEqual(101);
  });

  it('during a read lead to another one; pauses are three times as long as reads', async () => {
    const on = await begun();
    on.tookMs = 400;
    for (let at = 0; at < 16_000; at += 50) {
      on.content = String(at);
      on.event();
      await on.pass(50);
    }
    expect(on.most).toBe(1);
    expect(on.looks).toBeGreaterThan(8);
    expect(on.looks).toBeLessThanOrEqual(12);
    on.content = 'last';
    on.event();
    const before = on.told;
    await on.pass(3000);
    expect(on.told).toBeGreaterThan(before);
    const after = on.told;
    await on.pass(3000);
    expect(on.told).toBe(after);
  });
});

describe('silence', () => {
  it('leads to polls at growing intervals while nothing changes', async () => {
    const on = await begun();
    await on.pass(4990);
    expect(on.looks).toBe(1);
    // After 5, then 1, 2, 4, 8, 16, 30, 30 … seconds.
    await on.pass(20);
    expect(on.looks).toBe(2);
    await on.pass(31_000);
    expect(on.looks).toBe(7);
    await on.pass(90_000);
    expect(on.looks).toBe(10);
    expect(on.told).toBe(0);
  });

  it('with changes is polled every second and reported once as unannounced', async () => {
    const on = await begun();
    await on.pass(5010);
    for (let second = 0; second < 10; second++) {
      on.content = `at ${second}`;
      await on.pass(1002);
    }
    expect(on.told).toBe(10);
    expect(on.unannounced).toBe(1);
  });

  it('is polled from the start if there are no events', async () => {
    const on = await begun({ pace: { debounceMs: 500, silenceMs: 0, longestPauseMs: 5000 } });
    on.content = 'b';
    await on.pass(1010);
    expect(on.told).toBe(1);
    await on.pass(100_000);
    expect(on.looks).toBeLessThan(27);
  });
});

describe('failures', () => {
  it('that are temporary are not reported; the first success is, if the first read failed', async () => {
    let isBroken = true;
    const on = await begun({
      look: async () => {
        if (isBroken) throw new Error('busy');
        return 'a';
      },
    });
    on.event();
    await on.pass(200);
    expect(on.told).toBe(0);
    isBroken = false;
    on.event();
    await on.pass(200);
    expect(on.told).toBe(1);
    isBroken = true;
    on.event();
    await on.pass(200);
    isBroken = false;
    on.event();
    await on.pass(200);
    expect(on.told).toBe(1);
  });

  it('to listen are retried at the next poll', async () => {
    let failures = 1;
    const listeners: (() => void)[] = [];
    const on = await begun({
      listen: async (onEvent) => {
        if (failures-- > 0) throw new Error('no bus');
        listeners.push(onEvent);
        return () => undefined;
      },
    });
    expect(listeners).toHaveLength(0);
    await on.pass(5010);
    expect(listeners).toHaveLength(1);
    await on.pass(60_000);
    expect(listeners).toHaveLength(1);
  });
});

describe('an end', () => {
  it('stops timers, listeners and running reads', async () => {
    const on = await begun();
    on.event();
    on.subscription.end();
    on.subscription.end();
    expect(on.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    await on.pass(100_000);
    expect(on).toMatchObject({ looks: 1, told: 0 });
  });

  it('during a read suppresses its report', async () => {
    const on = await begun();
    on.tookMs = 500;
    on.content = 'b';
    on.event();
    await on.pass(200);
    expect(on.underWay).toBe(1);
    on.subscription.end();
    await on.pass(100_000);
    expect(on).toMatchObject({ looks: 2, told: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('during set-up stops the new listener', async () => {
    const on = new Scene({});
    const beginning = on.subscription.begin();
    on.subscription.end();
    await on.pass(1);
    await beginning;
    expect(on.listeners.size).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

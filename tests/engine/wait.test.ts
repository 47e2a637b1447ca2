import { describe, expect, it } from 'vitest';
import { EventLog } from '../../src/engine/evidence/settle.ts';
import { waitFor } from '../../src/engine/wait.ts';
import { SimulatedClock } from '../simulated/simulated-clock.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';
import { button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';

const EVENT: DesktopEvent = {
  kind: 'name-changed',
  node: { app: 'app', path: 'n' },
  detail: '',
  atMs: 0,
};

describe('settling', () => {
  /** How long it takes with events at these moments. */
  async function settled(activationDelayMs: number, eventsAt: readonly number[]): Promise<number> {
    const clock = new SimulatedClock();
    const log = new EventLog(clock);
    for (const at of eventsAt) clock.after(at, () => log.add(EVENT));
    await log.settle(activationDelayMs, undefined);
    return clock.now();
  }

  it.each<[string, number, number[], number]>([
    ['ends after a short quiet when nothing is said', 0, [], 80],
    ['waits for quiet after the last event', 0, [20, 60, 120], 200],
    ['does not wait for what comes after the quiet', 0, [20, 200], 100],
    ['waits for the toolkit to act, then for quiet', 250, [], 330],
    ['is not cut short by an early event', 250, [10], 330],
    ['waits on after the handler has spoken', 250, [250, 300], 380],
    ['never takes more than a second', 0, Array.from({ length: 100 }, (_, beat) => beat * 40), 1000],
  ])('%s', async (_, delay, events, expected) => {
    expect(await settled(delay, events)).toBe(expected);
  });

  it('respects custom limits', async () => {
    const clock = new SimulatedClock();
    const log = new EventLog(clock, { quietMs: 300, limitMs: 2000 });
    await log.settle(0, undefined);
    expect(clock.now()).toBe(300);
    for (let at = 0; at < 4000; at += 100) clock.after(at, () => log.add(EVENT));
    await log.settle(0, undefined);
    expect(clock.now()).toBe(2300);
  });

  it('ends when it is cancelled', async () => {
    const clock = new SimulatedClock();
    const abort = new AbortController();
    clock.after(30, () => abort.abort());
    await expect(new EventLog(clock).settle(250, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('another event of a kind is awaited, others are ignored', async () => {
    const clock = new SimulatedClock();
    const log = new EventLog(clock);
    clock.after(20, () => log.add({ ...EVENT, detail: 'other' }));
    clock.after(50, () => log.add({ ...EVENT, detail: 'wanted' }));
    expect(await log.next(({ detail }) => detail === 'wanted', 500, undefined)).toBe(true);
    expect(clock.now()).toBe(50);
    expect(await log.next(() => true, 200, undefined)).toBe(false);
    expect(clock.now()).toBe(250);
  });
});

describe('waiting', () => {
  it('looks again at an event, without waiting', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    // Time stands still: only an event can end this.
    const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };
    let looks = 0;
    const found = waitFor({ desktop: on.desktop, clock }, { ...DEADLINE, what: 'It' }, async () => {
      looks++;
      return on.world.node('app', 'b').name === 'New' ? 'seen' : undefined;
    });
    await new Promise((resolve) => setImmediate(resolve));
    on.world.emit('app', 'b', 'state-changed', 'busy=1');
    await new Promise((resolve) => setImmediate(resolve));
    on.world.change('app', 'b', { name: 'New' });
    expect(await found).toBe('seen');
    expect(looks).toBe(3);
  });

  it('does not miss changes between subscribing and looking', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const clock = { now: () => 0, sleep: () => new Promise<void>(() => undefined) };
    let first = true;
    const found = await waitFor({ desktop: on.desktop, clock }, { ...DEADLINE, what: 'It' }, async () => {
      const answer = first ? undefined : 'seen';
      if (first) on.world.emit('app', 'b', 'name-changed', '');
      first = false;
      return answer;
    });
    expect(found).toBe('seen');
  });

  it('looks periodically if no event arrives or events are unavailable', async () => {
    const on = await stage(oneWindow([button('b', 'B', { states: ['offscreen'] })]));
    on.desktop.watch = async () => {
      throw new Error('no events');
    };
    on.world.clock.after(600, () => void (on.world.node('app', 'b').states = []));
    const found = await on.engine.find({ ...DEADLINE, by: 'exact', query: 'B', limit: 1, wholeTree: true });
    const element = found.matches[0]?.ref ?? '';
    expect(await on.engine.waitForElement({ ...DEADLINE, element })).toMatchObject({ name: 'B' });
    expect(on.world.clock.now()).toBeLessThan(1000);
  });

  it('has time for a look even if subscribing took all of it', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const watch = on.desktop.watch.bind(on.desktop);
    on.desktop.watch = async (listener, options) => {
      await on.world.clock.sleep(300);
      return watch(listener, options);
    };
    const given: number[] = [];
    const found = waitFor(
      { desktop: on.desktop, clock: on.world.clock },
      { deadlineMs: 300, what: 'It' },
      async (ms) => {
        given.push(ms);
        return undefined;
      },
    );
    expect(await failureOf(found)).toMatchObject({ code: 'TIMEOUT' });
    expect(given).toEqual([250]);
  });

  it('ends at its deadline and reports what was last seen', async () => {
    const on = await stage(oneWindow([button('b', 'B', { states: ['offscreen'] })]));
    const found = await on.engine.find({ ...DEADLINE, by: 'exact', query: 'B', limit: 1, wholeTree: true });
    const element = found.matches[0]?.ref ?? '';
    const error = await failureOf(on.engine.waitForElement({ deadlineMs: 700, element }));
    expect(error).toMatchObject({ code: 'TIMEOUT', retryable: true });
    expect(error.message).toContain('within 700 ms. Last seen: button offscreen.');
    expect(on.world.clock.now()).toBe(700);
  });

  it('continues while the element is missing, and finds it when it is recreated', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const element = await refOf(on.engine, 'B');
    on.world.remove('app', 'b');
    on.world.clock.after(400, () => on.world.insert('app', 'win-root', button('b2', 'B')));
    expect(await on.engine.waitForElement({ ...DEADLINE, element })).toMatchObject({
      ref: element,
      name: 'B',
    });
  });

  it('for a ref that was never issued fails immediately', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    expect(await failureOf(on.engine.waitForElement({ ...DEADLINE, element: '@e9' }))).toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
    });
    expect(on.world.clock.now()).toBe(0);
  });

  it('is cancelled with CANCELLED, and unsubscribes', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const abort = new AbortController();
    on.world.clock.after(300, () => abort.abort());
    expect(
      await failureOf(on.engine.waitForWindow({ ...DEADLINE, title: 'Never', signal: abort.signal })),
    ).toMatchObject({ code: 'CANCELLED' });
    expect(on.world.clock.now()).toBeLessThan(600);
  });

  it('for a window ends when one of the requested application opens', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const other = {
      id: 'other',
      name: 'Other',
      pid: 2,
      windows: [windowWith([], { id: 'o', title: 'Export' })],
    };
    on.world.apps.push(other);
    on.world.clock.after(300, () => {
      on.world.apps[0]?.windows.push(windowWith([], { id: 'e', title: 'Export as…' }));
      on.world.emit('app', 'e-root', 'window-opened', '');
    });
    const window = await on.engine.waitForWindow({ ...DEADLINE, title: 'export', app: 'editor' });
    expect(window).toMatchObject({ title: 'Export as…', pid: 100 });
    const error = await failureOf(on.engine.waitForWindow({ deadlineMs: 300, title: 'Nope' }));
    expect(error.message).toMatch(/No window with "Nope".*Last seen: .*Document/);
  });
});

import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import type { TreeResult } from '../../src/ports/desktop/elements.ts';
import { button, DEADLINE, failureOf, oneWindow, stage } from './support/stage.ts';
import type { Stage } from './support/stage.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';

const BOUNDS = { x: 10, y: 50, width: 80, height: 30 };
const SAVED: SimulatedNode = { id: 't', role: 'text', name: 'Saved', bounds: BOUNDS };

/** Readings, in order: whether they rested on what is known. */
interface Readings {
  readonly mirrored: boolean[];
}

/** A desktop on which nothing that is known is brought up to date: mirrored readings return the window as it was at the first one. */
function withStaleMirror(on: Stage): Readings {
  const mirrored: boolean[] = [];
  const read = on.desktop.readTree.bind(on.desktop);
  let known: TreeResult | undefined;
  on.desktop.readTree = async (request) => {
    mirrored.push(request.mirrored === true);
    const result = await read(request);
    known ??= structuredClone(result);
    return request.mirrored === true ? structuredClone(known) : result;
  };
  return { mirrored };
}

/** Something is reported that has nothing to do with what is waited for. */
function tell(on: Stage): void {
  on.world.emit('app', 'b', 'state-changed', 'busy=1');
}

describe('the looks of a waiter', () => {
  it('ask everything anew at first and when polling, and rest on what is known after an event', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const { mirrored } = withStaleMirror(on);
    on.world.clock.after(100, () => tell(on));
    const error = await failureOf(on.engine.waitForText({ deadlineMs: 900, text: 'Saved' }));
    expect(error.code).toBe('TIMEOUT');
    expect(mirrored.slice(0, 3)).toEqual([false, true, false]);
  });

  it('ask anew now and then in an application that never stops sending events', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const { mirrored } = withStaleMirror(on);
    for (let at = 20; at < 3000; at += 20) on.world.clock.after(at, () => tell(on));
    on.world.clock.after(1000, () => (on.world.node('app', 'b').name = 'Saved'));
    await on.engine.waitForText({ ...DEADLINE, text: 'saved' });
    expect(on.world.clock.now()).toBeLessThan(1600);
    expect(mirrored).toContain(true);
  });
});

describe('the windows of a waiter', () => {
  async function listings(kind: 'state-changed' | 'window-changed'): Promise<number> {
    const on = await stage(oneWindow([button('b', 'B')]));
    let count = 0;
    const list = on.desktop.listWindows.bind(on.desktop);
    on.desktop.listWindows = async (options) => {
      count += 1;
      return list(options);
    };
    on.world.clock.after(100, () => on.world.emit('app', 'b', kind, 'busy=1'));
    await failureOf(on.engine.waitForText({ deadlineMs: 600, text: 'Saved' }));
    return count;
  }

  it('are listed again after an event about windows, and not after others', async () => {
    expect(await listings('window-changed')).toBe((await listings('state-changed')) + 1);
  });
});

describe('what is known but no longer so', () => {
  it('is no text that has appeared', async () => {
    const on = await stage(oneWindow([button('b', 'B'), { ...SAVED, name: 'Working' }]));
    withStaleMirror(on);
    // The first look makes "Working" known; then it changes without a report.
    const waiting = on.engine.waitForText({ deadlineMs: 700, text: 'Saved' });
    await waiting.catch(() => undefined);
    on.world.node('app', 't').name = 'Idle';
    on.world.clock.after(50, () => tell(on));
    const error = await failureOf(on.engine.waitForText({ deadlineMs: 700, text: 'Working' }));
    expect(error.code).toBe('TIMEOUT');
  });

  it('is no element that matches', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const { mirrored } = withStaleMirror(on);
    await on.engine.waitForText({ ...DEADLINE, text: 'b' });
    on.world.node('app', 'b').name = 'Working';
    for (let at = 30; at < 400; at += 30) on.world.clock.after(at, () => tell(on));
    const element = 'role:button[name="B"]';
    expect((await failureOf(on.engine.waitForElement({ deadlineMs: 600, element }))).code).toBe('TIMEOUT');
    expect(mirrored).toContain(true);
  });

  it('is no second element that matches', async () => {
    const on = await stage(oneWindow([button('b', 'B'), button('c', 'B')]));
    const { mirrored } = withStaleMirror(on);
    await on.engine.waitForText({ ...DEADLINE, text: 'b' });
    on.world.node('app', 'c').name = 'C';
    on.world.clock.after(50, () => tell(on));
    on.world.clock.after(100, () => on.world.focus('app', 'b'));
    const element = 'role:button[name="B"]';
    await on.engine.waitForElement({ deadlineMs: 900, element, until: 'focused' });
    expect(mirrored).toContain(true);
  });

  it('is no proof that an element is gone, after a look that found out nothing', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    withStaleMirror(on);
    await on.engine.waitForText({ ...DEADLINE, text: 'b' });
    on.world.insert('app', 'win-root', button('c', 'C'));
    const list = on.desktop.listWindows.bind(on.desktop);
    let isFirst = true;
    on.desktop.listWindows = async (options) => {
      const answers = !isFirst;
      isFirst = false;
      if (answers) return list(options);
      throw new DeskterityError('APP_UNRESPONSIVE', 'It is busy.', { suggestion: 'Wait.', retryable: true });
    };
    on.world.clock.after(50, () => tell(on));
    const waiting = on.engine.waitUntilGone({ deadlineMs: 600, ref: 'role:button[name="C"]' });
    expect((await failureOf(waiting)).code).toBe('TIMEOUT');
  });

  it('is not what a wait ends with', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const { mirrored } = withStaleMirror(on);
    for (let at = 20; at < 2000; at += 20) on.world.clock.after(at, () => tell(on));
    on.world.clock.after(700, () => (on.world.node('app', 'b').name = 'Saved'));
    await on.engine.waitForText({ deadlineMs: 900, text: 'saved' });
    expect(mirrored).toContain(true);
  });

  it('is no proof that an element is gone', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    const { mirrored } = withStaleMirror(on);
    await on.engine.waitForText({ ...DEADLINE, text: 'b' });
    on.world.insert('app', 'win-root', button('c', 'C'));
    on.world.clock.after(50, () => tell(on));
    const expecting = { deadlineMs: 600, ref: 'role:button[name="C"]', expected: { exists: false } };
    expect((await failureOf(on.engine.expect(expecting))).code).toBe('EXPECTATION_FAILED');
    expect(mirrored).toContain(true);
  });

  it('does not hide for long what a toolkit does not report', async () => {
    const on = await stage(oneWindow([button('b', 'B')]));
    withStaleMirror(on);
    on.world.clock.after(100, () => {
      on.world.node('app', 'b').name = 'Done';
      tell(on);
    });
    await on.engine.waitForElement({ ...DEADLINE, element: 'role:button[name="Done"]' });
    expect(on.world.clock.now()).toBeLessThanOrEqual(500);
  });
});

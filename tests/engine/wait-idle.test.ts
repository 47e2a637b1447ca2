import { describe, expect, it } from 'vitest';
import { button, DEADLINE, failureOf, oneWindow, stage, type Stage } from './support/stage.ts';

const IDLE = { ...DEADLINE, app: 'Editor', quietMs: 500 };

/** Something happens so often, from now on. */
function repeatedly(on: Stage, times: number, everyMs: number, happen: (round: number) => void): void {
  for (let round = 1; round <= times; round++) on.world.clock.after(round * everyMs, () => happen(round));
}

describe('waiting until an application is idle', () => {
  it('takes the quiet time, and tells what was seen', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    const idle = await on.engine.waitUntilIdle(IDLE);
    expect(idle).toMatchObject({ app: 'Editor', pid: 100, quietMs: 500 });
    expect(idle.evidence.join('; ')).toMatch(
      /^no event for 500 ms; it answered within \d+ ms; its windows looked the same in 4 pictures$/,
    );
    expect(on.world.clock.now()).toBe(500);
  });

  it('begins anew with each event', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    repeatedly(on, 5, 400, (round) => on.world.change('app', 'ok', { name: `OK ${round}` }));
    await on.engine.waitUntilIdle(IDLE);
    expect(on.world.clock.now()).toBe(2500);
  });

  it('fails with the last event if there is always one', async () => {
    const on = await stage(oneWindow([button('ok', 'Clock')]));
    repeatedly(on, 100, 100, (round) => on.world.change('app', 'ok', { value: `${round}` }));
    const error = await failureOf(on.engine.waitUntilIdle({ ...IDLE, deadlineMs: 3000 }));
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toContain('"Editor" was not idle for 500 ms within 3000 ms');
    expect(error.message).toContain('value-changed of button "Clock"');
    expect(on.world.clock.now()).toBeLessThanOrEqual(3200);
  });

  it('counts what moves without an event, but no caret', async () => {
    const apps = oneWindow([
      { id: 'bar', role: 'progressbar', name: 'Copying', bounds: { x: 10, y: 100, width: 200, height: 20 } },
      { id: 't', role: 'text', name: '', bounds: { x: 10, y: 200, width: 200, height: 20 } },
    ]);
    const on = await stage(apps);
    const [window] = apps[0]?.windows ?? [];
    const draw = (round: number): void => {
      const caret = { bounds: { x: 20, y: 202, width: 1, height: 16 }, grey: round % 2 === 0 ? 0 : 255 };
      const piece = { bounds: { x: 10 + Math.min(round, 20) * 9, y: 100, width: 9, height: 20 }, grey: 0 };
      if (window) window.drawn = [piece, caret];
    };
    repeatedly(on, 200, 100, draw);
    const short = await failureOf(on.engine.waitUntilIdle({ ...IDLE, deadlineMs: 1200 }));
    expect(short.message).toContain('in progressbar "Copying" moves');
    await on.engine.waitUntilIdle(IDLE);
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(2400);
    expect(on.world.clock.now()).toBeLessThan(4000);
  });

  it('counts what is marked as busy', async () => {
    const page = { id: 'doc', role: 'document' as const, name: 'Page', states: ['busy' as const] };
    const on = await stage(oneWindow([{ ...page, bounds: { x: 0, y: 0, width: 100, height: 100 } }]));
    const short = await failureOf(on.engine.waitUntilIdle({ ...IDLE, deadlineMs: 1500 }));
    expect(short.message).toContain('document "Page" is marked as busy');
    on.world.clock.after(1000, () => on.world.change('app', 'doc', { states: [] }));
    await on.engine.waitUntilIdle(IDLE);
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(2500);
  });

  it('needs an answer: an application that hangs is not idle', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    on.world.freeze('app', 2000);
    const idle = await on.engine.waitUntilIdle(IDLE);
    expect(idle.quietMs).toBe(500);
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(2500);
    on.world.freeze('app', 60_000);
    const error = await failureOf(on.engine.waitUntilIdle({ ...IDLE, deadlineMs: 3000 }));
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toMatch(/did not answer|to answer/);
  });

  it('ends with its application, and needs one', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    repeatedly(on, 10, 200, (round) => {
      on.world.change('app', 'ok', { name: `OK ${round}` });
      if (round === 5) on.world.apps.splice(0, 1);
    });
    expect((await failureOf(on.engine.waitUntilIdle(IDLE))).message).toContain('ended during the wait');
    expect((await failureOf(on.engine.waitUntilIdle({ ...IDLE, app: 'No' }))).code).toBe('APP_NOT_FOUND');
  });

  it('stops watching in the end', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    let watches = 0;
    const watch = on.desktop.watch.bind(on.desktop);
    on.desktop.watch = async (listener, options) => {
      const stop = await watch(listener, options);
      watches += 1;
      return () => {
        watches -= 1;
        stop();
      };
    };
    await on.engine.waitUntilIdle(IDLE);
    expect(watches).toBe(0);
  });
});

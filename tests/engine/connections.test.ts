import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/engine/create-engine.ts';
import { app, button, DEADLINE, failureOf, snapshot, stage, windowWith } from './support/stage.ts';

const named = (id: string, name: string, pid: number, title = name) =>
  app({ id, name, pid, windows: [windowWith([button(`${id}-ok`, 'OK')], { id: `w${pid}`, title })] });

describe('a connection', () => {
  it('names one of two processes wherever an application is named', async () => {
    const on = await stage([named('a', 'Mail', 10, 'Left'), named('b', 'Mail', 20, 'Right')]);
    const { engine } = on;
    expect((await failureOf(snapshot(engine, { app: 'Mail' }))).code).toBe('AMBIGUOUS_APP');
    const connected = await engine.connect({ ...DEADLINE, app: '20', alias: 'second' });
    expect(connected).toMatchObject({ alias: 'second', app: 'Mail', pid: 20, windows: [{ title: 'Right' }] });
    expect((await snapshot(engine, { app: 'Second' })).window?.title).toBe('Right');
    expect((await engine.listApps(DEADLINE)).map(({ aliases }) => aliases)).toEqual([undefined, ['second']]);
    const all = { ...DEADLINE, focusedOnly: false, includeMinimized: true };
    expect(await engine.listWindows({ ...all, app: 'second' })).toMatchObject([{ pid: 20 }]);
    const ref = 'app:second >> role:button[name="OK"]';
    const { node } = await engine.describe({ ...DEADLINE, ref });
    expect(node.name).toBe('OK');
    const seen: string[] = [];
    const stop = await engine.watch({ ...DEADLINE, app: 'second' }, ({ node: { app: id } }) => seen.push(id));
    on.world.change('a', 'a-ok', { name: 'Later' });
    on.world.change('b', 'b-ok', { name: 'Later' });
    stop();
    expect(new Set(seen)).toEqual(new Set(['b']));
  });

  it('is stored with the session, and only for its desktop', async () => {
    const on = await stage([named('a', 'Mail', 10)]);
    await on.engine.connect({ ...DEADLINE, app: 'mail', alias: 'post' });
    const again = await createEngine({ desktop: on.desktop, session: on.store, clock: on.world.clock });
    expect((await snapshot(again, { app: 'post' })).window?.title).toBe('Mail');
    on.desktop.desktopId = async () => 'another';
    const elsewhere = await createEngine({ desktop: on.desktop, session: on.store, clock: on.world.clock });
    expect((await failureOf(snapshot(elsewhere, { app: 'post' }))).code).toBe('APP_NOT_FOUND');
  });

  it('never names a later process, even one with the same name and pid', async () => {
    const on = await stage([named('a', 'Mail', 10)]);
    const { engine, world } = on;
    expect(await engine.connect({ ...DEADLINE, app: 'Mail' })).toMatchObject({ alias: 'mail' });
    world.apps.splice(0, 1);
    const gone = await failureOf(snapshot(engine, { app: 'mail' }));
    expect(gone).toMatchObject({ code: 'STALE_REF', retryable: false });
    expect(gone.message).toContain('has ended');
    world.apps.push(named('b', 'Mail', 10));
    const error = await failureOf(snapshot(engine, { app: 'mail' }));
    expect(error).toMatchObject({ code: 'STALE_REF', candidates: [{ name: 'Mail', pid: 10 }] });
    // A wait does not go on until its deadline: nothing can come.
    const began = world.clock.now();
    const waiting = engine.waitForWindow({ ...DEADLINE, title: 'Mail', app: 'mail' });
    expect((await failureOf(waiting)).code).toBe('STALE_REF');
    expect(world.clock.now() - began).toBeLessThan(1000);
    expect(await engine.connect({ ...DEADLINE, app: 'mail' })).toMatchObject({ alias: 'mail', pid: 10 });
    expect((await snapshot(engine, { app: 'mail' })).window?.title).toBe('Mail');
  });

  it('keeps its alias from another process while its own runs', async () => {
    const on = await stage([named('a', 'Mail', 10), named('b', 'Notes', 20)]);
    await on.engine.connect({ ...DEADLINE, app: 'Mail', alias: 'one' });
    expect(await on.engine.connect({ ...DEADLINE, app: 'one', alias: 'one' })).toMatchObject({ pid: 10 });
    const error = await failureOf(on.engine.connect({ ...DEADLINE, app: 'Notes', alias: 'ONE' }));
    expect(error.code).toBe('CONFLICT');
    on.world.apps.splice(0, 1);
    expect(await on.engine.connect({ ...DEADLINE, app: 'Notes', alias: 'one' })).toMatchObject({ pid: 20 });
  });

  it('never takes the name of another application that is running', async () => {
    const on = await stage([named('a', 'Mail', 10), named('b', 'Notes', 20)]);
    const error = await failureOf(on.engine.connect({ ...DEADLINE, app: 'Mail', alias: 'notes' }));
    expect(error).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('pid 20') });
    expect((await snapshot(on.engine, { app: 'Notes' })).window?.title).toBe('Notes');
    expect(await on.engine.connect({ ...DEADLINE, app: 'Mail', alias: 'mail' })).toMatchObject({ pid: 10 });
  });

  it('is forgotten by its alias, or with all others', async () => {
    const on = await stage([named('a', 'Mail', 10), named('b', 'Notes', 20)]);
    const { engine } = on;
    await engine.connect({ ...DEADLINE, app: 'Mail', alias: 'one' });
    await engine.connect({ ...DEADLINE, app: 'Notes', alias: 'two' });
    const wrong = await failureOf(engine.disconnect({ alias: 'ones' }));
    expect(wrong).toMatchObject({ code: 'APP_NOT_FOUND' });
    expect(wrong.suggestion).toContain('one');
    expect(await engine.disconnect({ alias: 'One' })).toEqual([{ alias: 'one', app: 'Mail', pid: 10 }]);
    expect((await failureOf(snapshot(engine, { app: 'one' }))).code).toBe('APP_NOT_FOUND');
    expect(await engine.disconnect({})).toMatchObject([{ alias: 'two' }]);
    expect(await engine.disconnect({})).toEqual([]);
  });
});

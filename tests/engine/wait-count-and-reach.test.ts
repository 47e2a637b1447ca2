import { describe, expect, it } from 'vitest';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import { button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith, app } from './support/stage.ts';

const row = (id: string) => button(id, `Row ${id}`, { role: 'listitem' });

describe('waiting for a number of matches', () => {
  const locator = 'role:listitem';

  it('ends once there are exactly so many, and returns them with references', async () => {
    const on = await stage(oneWindow([row('a'), row('b')]));
    on.world.clock.after(700, () => on.world.insert('app', 'win-root', row('c')));
    const found = await on.engine.waitForCount({ ...DEADLINE, locator, count: 3 });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(700);
    expect(on.world.clock.now()).toBeLessThan(1200);
    expect(found.map(({ name }) => name)).toEqual(['Row a', 'Row b', 'Row c']);
    const ref = found[2]?.ref ?? '';
    expect((await on.engine.describe({ ...DEADLINE, ref })).node.name).toBe('Row c');
  });

  it('is not satisfied by more, and says how many there are', async () => {
    const on = await stage(oneWindow([row('a'), row('b')]));
    const error = await failureOf(on.engine.waitForCount({ deadlineMs: 600, locator, count: 1 }));
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toContain('Last seen: 2 elements (listitem "Row a", listitem "Row b").');
  });

  it('may be for none, which a window that is not there does not prove', async () => {
    const on = await stage(oneWindow([row('a')]));
    on.world.clock.after(300, () => on.world.remove('app', 'a'));
    expect(await on.engine.waitForCount({ ...DEADLINE, locator, count: 0 })).toEqual([]);
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(300);
    const elsewhere = { ...DEADLINE, locator: 'app:Nobody >> role:button', count: 0 };
    const error = await failureOf(on.engine.waitForCount({ ...elsewhere, deadlineMs: 600 }));
    expect(error).toMatchObject({ code: 'APP_NOT_FOUND', suggestion: expect.stringContaining('gone') });
    expect(error.message).toContain('nothing was counted');
    const window = { deadlineMs: 600, locator: 'window:Nothing >> role:button', count: 0 };
    expect((await failureOf(on.engine.waitForCount(window))).code).toBe('WINDOW_NOT_FOUND');
    expect((await failureOf(on.engine.waitForCount({ ...window, count: 1 }))).code).toBe('TIMEOUT');
    const closing = on.engine.waitForCount({ ...DEADLINE, locator: 'app:Late >> role:button', count: 0 });
    on.world.clock.after(300, () =>
      on.world.apps.push(
        app({ id: 'late', name: 'Late', pid: 9, windows: [windowWith([], { id: 'lw', title: 'Late' })] }),
      ),
    );
    expect(await closing).toEqual([]);
  });

  it('refuses a reference', async () => {
    const on = await stage(oneWindow([row('a')]));
    const error = await failureOf(on.engine.waitForCount({ ...DEADLINE, locator: '@e1', count: 1 }));
    expect(error.code).toBe('INVALID_ARGUMENT');
  });
});

describe('waiting until an element can be acted on', () => {
  it('ends at once if a click would reach it', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    const ref = await refOf(on.engine, 'OK');
    expect(await on.engine.waitUntilActionable({ ...DEADLINE, ref })).toMatchObject({ ref, name: 'OK' });
    expect(on.world.clock.now()).toBeLessThan(200);
  });

  it('goes on while it is disabled, and does nothing to it', async () => {
    let presses = 0;
    const ok = button('ok', 'OK', { states: ['disabled'], onPress: () => (presses += 1) });
    const on = await stage(oneWindow([ok]));
    const ref = await refOf(on.engine, 'OK');
    const short = await failureOf(on.engine.waitUntilActionable({ deadlineMs: 500, ref }));
    expect(short.message).toContain('button "OK" is disabled');
    on.world.clock.after(600, () => on.world.change('app', 'ok', { states: [] }));
    await on.engine.waitUntilActionable({ ...DEADLINE, ref });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(1000);
    expect(presses).toBe(0);
  });

  it('goes on while it moves', async () => {
    const on = await stage(oneWindow([button('ok', 'OK')]));
    const ref = await refOf(on.engine, 'OK');
    for (let step = 1; step <= 40; step++)
      on.world.clock.after(step * 20, () =>
        on.world.change('app', 'ok', { bounds: { x: 10 + step, y: 10, width: 80, height: 30 } }),
      );
    const short = await failureOf(on.engine.waitUntilActionable({ deadlineMs: 500, ref }));
    expect(short.message).toContain('button "OK" is moving');
    await on.engine.waitUntilActionable({ ...DEADLINE, ref });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(800);
  });

  it('goes on while another window covers it or a modal dialog blocks its own', async () => {
    const cover = { x: 0, y: 0, width: 800, height: 600 };
    const other = windowWith([], { id: 'other', title: 'Note', focused: true, bounds: cover });
    const on = await stage([
      app({ windows: [windowWith([button('ok', 'OK')])] }),
      app({ id: 'note', name: 'Note', pid: 200, windows: [other] }),
    ]);
    const ref = 'app:Editor >> role:button[name="OK"]';
    const covered = await failureOf(on.engine.waitUntilActionable({ deadlineMs: 500, ref }));
    expect(covered.message).toContain('button "OK" is covered by the window "Note"');
    on.world.clock.after(500, () => on.world.apps.splice(1, 1));
    await on.engine.waitUntilActionable({ ...DEADLINE, ref });
    const corner = { x: 600, y: 500, width: 10, height: 10 };
    on.world.apps[0]?.windows.push(
      windowWith([], { id: 'ask', title: 'Sure?', modal: true, transientFor: 'win', bounds: corner }),
    );
    const own = 'window:Document >> role:button[name="OK"]';
    const blocked = await failureOf(on.engine.waitUntilActionable({ deadlineMs: 500, ref: own }));
    expect(blocked.message).toContain('the modal dialog "Sure?" blocks it');
  });

  it('goes on while a menu or list is open beside it', async () => {
    const on = await stage(oneWindow([button('ok', 'OK'), button('file', 'File', { role: 'menuitem' })]));
    const contentAt = on.desktop.contentAt.bind(on.desktop);
    const desktop: DesktopPort = on.desktop;
    let open: 'menus' | 'lists' | undefined = 'menus';
    desktop.contentAt = async (point, options) => ({
      ...(await contentAt(point)),
      ...(open !== undefined && options[open] === true ? { isBehindMenu: true } : {}),
    });
    const ref = 'role:button[name="OK"]';
    for (const what of ['menus', 'lists'] as const) {
      open = what;
      const short = await failureOf(on.engine.waitUntilActionable({ deadlineMs: 500, ref }));
      expect(short.message).toContain('button "OK" is behind an open menu or list');
    }
    on.world.clock.after(400, () => (open = undefined));
    const from = on.world.clock.now();
    await on.engine.waitUntilActionable({ ...DEADLINE, ref });
    expect(on.world.clock.now() - from).toBeGreaterThanOrEqual(400);
    open = 'menus';
    await on.engine.waitUntilActionable({ ...DEADLINE, ref: 'role:menuitem[name="File"]' });
  });

  it('goes on until it exists', async () => {
    const on = await stage(oneWindow([]));
    on.world.clock.after(400, () => on.world.insert('app', 'win-root', button('ok', 'OK')));
    await on.engine.waitUntilActionable({ ...DEADLINE, ref: 'role:button[name="OK"]' });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(400);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { flatten, Focused, Is, ListedWindows, Snapshot, Waited } from './support/answers.ts';
import { useFixtures } from './support/fixtures.ts';
import { activate } from './support/subjects.ts';
import { until } from '../until.ts';
import { z } from 'zod';

const place = usePlace();
const bench = useFixtures(place);
const LeftOut = z.looseObject({ minimized_left_out: z.number() });

/** Longer than the program takes to start under load, so that a wait that ends only at its deadline is noticed. */
const WAIT_MS = 20_000;
/** Usually enough for a command to be waiting, which nothing outside shows; the test is valid either way. */
const UNDER_WAY_MS = 700;

describe.each(FIXTURE_KINDS)('changes in %s', (kind) => {
  it('waits for, lists and reads a dialog that opens, and no longer lists it when it has closed', async () => {
    const app = bench(kind);
    const waiting = app.desk('wait', '--window', 'Confirm', '--app', app.app, '--timeout', String(WAIT_MS));
    await sleep(UNDER_WAY_MS);
    await app.fixture.control('open_dialog');
    const window = (await waiting).ok(Waited).window;
    expect(window).toMatchObject({ pid: app.fixture.pid, accessible: true });
    const dialog = (await app.desk('snapshot', '--window', window?.ref ?? '')).ok(Snapshot);
    const buttons = flatten(dialog.tree).filter((node) => node.role === 'button');
    expect(buttons.map((node) => node.name)).toEqual(expect.arrayContaining(['OK', 'Cancel']));
    await app.fixture.control('close_dialog', { response: 'cancel' });
    await until(async () => {
      const { windows } = (await app.desk('list-windows', '--app', app.app)).ok(ListedWindows);
      return !windows.some(({ title }) => title.startsWith('Confirm'));
    }, 'the dialog to go');
  });

  it('reports the same focus as the application', async () => {
    const app = bench(kind);
    await activate(place(), app.fixture.title);
    for (const [id, role] of [['name', 'textbox'] as const, ['press', 'button'] as const]) {
      await app.set(id, 'focused', true);
      const focused = async () => (await app.desk('focused', '--app', app.app)).ok(Focused).element;
      // The application hears of its active window after the window manager has set it.
      await until(async () => {
        const element = await focused();
        return element?.role === role && element.name === app.widget(id).name;
      }, `the focus on ${id}`);
      const element = await focused();
      expect((await app.desk('is', 'focused', element?.ref ?? '')).ok(Is).answer).toBe(true);
    }
  });

  it('ends a wait at once when the element becomes visible, otherwise at the deadline', async () => {
    const app = bench(kind);
    const ref = await app.ref('enable_later');
    await app.set('enable_later', 'visible', false);
    const late = await app.desk('wait', '--element', ref, '--timeout', '600');
    expect(late.error('TIMEOUT').retryable).toBe(true);
    const waiting = app.desk('wait', '--element', ref, '--timeout', String(WAIT_MS));
    await sleep(UNDER_WAY_MS);
    await app.set('enable_later', 'visible', true);
    const waited = (await waiting).ok(Waited);
    expect(waited.element).toMatchObject({ role: 'button', name: 'Enable later' });
    expect(waited.waited_ms).toBeLessThan(WAIT_MS / 2);
  });

  it('reads a changed label, value and state', async () => {
    const app = bench(kind);
    const [box, slider] = await Promise.all([app.ref('agree'), app.ref('volume')]);
    await app.set('agree', 'checked', true);
    await app.set('volume', 'value', 77);
    const value = z.looseObject({ value: z.literal('77') });
    expect((await app.desk('is', 'checked', box)).ok(Is).answer).toBe(true);
    expect((await app.desk('get', 'value', slider)).ok(value).value).toBe('77');
    await app.set('agree', 'checked', false);
    expect((await app.desk('is', 'checked', box)).ok(Is, 1).answer).toBe(false);
  });

  it('omits and counts a minimised window, and lists it on request', async () => {
    const app = bench(kind);
    await app.fixture.control('window', { action: 'minimize' });
    await until(async () => {
      const { minimized_left_out } = (await app.desk('list-windows', '--app', app.app)).ok(LeftOut);
      return minimized_left_out === 1;
    }, 'the window to be minimised');
    const all = await app.desk('list-windows', '--app', app.app, '--include-minimized');
    expect(all.ok(ListedWindows).windows).toMatchObject([{ minimized: true, pid: app.fixture.pid }]);
    await app.fixture.control('window', { action: 'restore' });
    await until(async () => {
      const { windows } = (await app.desk('list-windows', '--app', app.app)).ok(ListedWindows);
      return windows.length === 1;
    }, 'the window to be back');
    expect((await app.desk('snapshot', '--app', app.app)).ok(Snapshot).complete).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { FIXTURE_KINDS } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { flatten, ListedWindows, Snapshot } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';
import { until } from '../until.ts';
import { z } from 'zod';

const place = usePlace();
const bench = useFixtures(place);
const State = z.object({ value: z.unknown(), text: z.string().nullish(), checked: z.unknown() });

/** The state of a widget as the application itself reports it. */
async function stateOf(app: Bench, widget: string): Promise<z.output<typeof State>> {
  return State.parse(await app.fixture.control('get', { widget }));
}

describe.each(FIXTURE_KINDS)('acting on %s', (kind) => {
  it('presses a button once, and the receipt reports the effect', async () => {
    const app = bench(kind);
    const { reply, pressed } = await app.click(await app.ref('press'));
    expect(pressed).toEqual(['press']);
    expect(reply.receipt).toMatchObject({ effect: 'confirmed', delivered: true, retry_safe: false });
    expect(reply.receipt.changes?.some(({ after }) => after?.includes('pressed'))).toBe(true);
  });

  it('reports a button without a visible effect as unverified, neither done nor failed', async () => {
    const app = bench(kind);
    const { tree } = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
    const odd = flatten(tree).find((node) => node.role === 'button' && node.name?.startsWith('Odd'));
    const { reply, pressed } = await app.click(odd?.ref ?? '');
    expect(pressed).toEqual(['odd']);
    expect(reply.receipt.effect).toBe('unverified');
    expect(reply.exitCode).toBe(0);
  });

  it('takes a changing clock for no confirmation', async () => {
    const app = bench(kind);
    const { tree } = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
    const odd = flatten(tree).find((node) => node.role === 'button' && node.name?.startsWith('Odd'));
    for (const beatMs of [90, 700]) {
      let beat = 0;
      const clock = setInterval(() => {
        beat++;
        void app.fixture.control('rename', { widget: 'counter', label: `12:00:${10 + (beat % 50)}` });
        void app.set('progress', 'value', beat % 100);
      }, beatMs);
      try {
        const { reply, pressed } = await app.click(odd?.ref ?? '');
        expect(pressed).toEqual(['odd']);
        expect(reply.receipt).toMatchObject({ effect: 'unverified' });
      } finally {
        clearInterval(clock);
      }
    }
  });

  it('toggles a check box, with the pointer if its toolkit has no action that does the same', async () => {
    const app = bench(kind);
    await app.set('agree', 'checked', false);
    const ref = await app.ref('agree');
    const { result: reply, events } = await app.recording(() => app.desk('click', ref));
    const toggles = events.filter((event) => event.widget === 'agree' && event.event === 'toggled');
    expect(reply.receipt.effect).toBe('confirmed');
    // GTK 4.8 gives check boxes no action at all; that of Qt does not report a click to the application.
    expect(reply.receipt.via.includes('pointer:')).toBe(kind !== 'gtk3');
    expect(toggles).toHaveLength(1);
    expect((await stateOf(app, 'agree')).checked).toBe(true);
  });

  it('leaves a disabled button alone', async () => {
    const app = bench(kind);
    const ref = await app.ref('disabled');
    const { result: reply, events } = await app.recording(() => app.desk('click', ref, '--timeout', '1000'));
    const pressed = events.filter(({ event }) => event === 'clicked');
    expect(reply.error('NOT_ACTIONABLE')).toMatchObject({ delivered: false });
    expect(pressed).toEqual([]);
  });

  it.for([
    ['volume', '64', 64],
    ['count', '123', 123],
  ] as const)('%s is set to a number, which the application then holds', async ([widget, value, held]) => {
    const app = bench(kind);
    const ref = await app.ref(widget);
    const reply = await app.desk('set-value', ref, value);
    expect(reply.receipt).toMatchObject({ effect: 'confirmed', retry_safe: true });
    expect((await stateOf(app, widget)).value).toBe(held);
    const again = await app.desk('set-value', ref, value);
    expect(again.receipt.evidence).toContain('already');
  });

  it('never reports a number beyond the range as set', async () => {
    const app = bench(kind);
    const reply = await app.desk('set-value', await app.ref('volume'), '500');
    expect((await stateOf(app, 'volume')).value).toBeLessThanOrEqual(100);
    expect([4, 5]).toContain(reply.exitCode);
    // At its limit the toolkit ignores the request; keys would enter some of the digits.
    await app.set('count', 'value', 999);
    const { result, events } = await app.recording(async () =>
      app.desk('set-value', await app.ref('count'), '5000'),
    );
    expect(result.error('ACTION_FAILED').message).toContain('the element accepts 0 to 999');
    expect(events).toEqual([]);
    expect(await stateOf(app, 'count')).toMatchObject({ value: 999, text: '999' });
  });

  it.for([
    ['name', 'zażółć 日本 😀'],
    ['notes', 'first\nsecond\tline'],
    ['name', ''],
  ] as const)('%s takes the text %j', async ([widget, text]) => {
    const app = bench(kind);
    await app.set(widget, 'text', 'before');
    const reply = await app.desk('set-value', await app.ref(widget), text);
    expect(reply.receipt.effect).toBe('confirmed');
    expect((await stateOf(app, widget)).text ?? '').toBe(text);
  });

  it('sets a password without ever showing it', async () => {
    const app = bench(kind);
    await app.set('password', 'text', '');
    const ref = await app.ref('password');
    const reply = await app.desk('set-value', ref, 'correct-horse');
    expect(['confirmed', 'unverified']).toContain(reply.receipt.effect);
    expect((await stateOf(app, 'password')).text).toBe('correct-horse');
    expect(reply.stdout + reply.stderr).not.toContain('correct-horse');
    const told = await Promise.all(
      ['value', 'text', 'attributes', 'states'].map((what) => app.desk('get', what, ref)),
    );
    expect(told.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain('correct-horse');
  });

  it('cannot write to a label', async () => {
    const app = bench(kind);
    const { tree } = (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
    expect(flatten(tree).some((node) => node.name === 'Press')).toBe(true);
    const reply = await app.desk('set-value', await app.ref('press'), 'text');
    expect([4, 9]).toContain(reply.exitCode);
    expect(reply.stdout).toContain('"ok":false');
  });

  it('does not hang after a dialog that runs its own main loop', async () => {
    const app = bench(kind);
    const { reply } = await app.click(await app.ref('run_dialog'));
    expect(reply.receipt.effect).toBe('confirmed');
    expect(reply.durationMs).toBeLessThan(8000);
    const { windows } = (await app.desk('list-windows', '--app', app.app)).ok(ListedWindows);
    const dialog = windows.find(({ title }) => title === 'Confirm run');
    expect(dialog).toMatchObject({ accessible: true });
    const main = await app.desk('snapshot', '--window', app.fixture.title);
    expect(main.ok(Snapshot)).toMatchObject({ complete: true });
    const { tree } = (await app.desk('snapshot', '--window', dialog?.ref ?? '')).ok(Snapshot);
    const ok = flatten(tree).find((node) => node.role === 'button' && node.name === 'OK');
    const closed = await app.desk('click', ok?.ref ?? '');
    expect(closed.receipt.effect).toBe('confirmed');
    await until(
      async () =>
        (await app.fixture.events()).some(
          (event) =>
            event.widget === 'nested_dialog' && event.event === 'dialog-closed' && event.value === 'ok',
        ),
      'the dialog to close',
    );
  });
});

import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ErrorBody, ErrorCode } from '../../src/model/effects/errors.ts';
import { InputDisplay } from '../linux/x11/input-display.ts';
import { usePlace } from './harness.ts';
import { Found } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import type { Reply } from './support/reply.ts';
import { until } from '../until.ts';

const KINDS = ['gtk3', 'qt6'] as const;
/** GTK 4 implements dialogs differently. */
const WITH_DIALOGS = [...KINDS, 'gtk4'] as const;
const place = usePlace();
const benches = new Map<string, Bench>();
let display: InputDisplay;
const State = z.object({ text: z.string().nullish(), value: z.unknown().optional() });
const ErrorReply = z.object({ error: z.object({ code: z.string(), delivered: z.boolean().optional() }) });

beforeAll(async () => {
  const { environment } = place().desktop;
  display = await InputDisplay.open(place().desktop.display, environment['XAUTHORITY']);
  for (const fixture of await Promise.all(WITH_DIALOGS.map((kind) => place().fixture(kind))))
    benches.set(fixture.kind, new Bench(place(), fixture));
});
afterAll(() => display.close());

function bench(kind: string): Bench {
  const found = benches.get(kind);
  if (!found) throw new Error(`${kind} did not start`);
  return found;
}

async function stateOf(app: Bench, widget: string): Promise<z.output<typeof State>> {
  return State.parse(await app.fixture.control('get', { widget }));
}

/** Runs a command and returns the reply with the user events that the application recorded. */
async function perform(app: Bench, ...args: string[]) {
  const { result: reply, events } = await app.recording(() => app.desk(...args));
  return { reply, told: events.filter(({ event }) => event !== 'focus-in') };
}

/** The command refuses with this code, has sent nothing, and the application recorded nothing. */
async function refused(app: Bench, code: ErrorCode, ...args: string[]): Promise<ErrorBody> {
  const { reply, told } = await perform(app, ...args);
  const error = reply.error(code);
  expect([error.delivered, told]).toEqual([false, []]);
  expect(await display.held()).toEqual([]);
  return error;
}

function codeOf(reply: Reply): string {
  return ErrorReply.parse(reply.json).error.code;
}

/** The effect, or the code. */
function saidOf(reply: Reply): string {
  return reply.exitCode === 0 ? reply.receipt.effect : codeOf(reply);
}

async function untilReleased(): Promise<void> {
  await until(async () => (await display.held()).length === 0, 'everything to be let go');
}

describe.each(WITH_DIALOGS)('behind a modal dialog of %s', (kind) => {
  it('refuses acts in any mode and names the dialog, which can be read and answered', async () => {
    const app = bench(kind);
    const [press, name] = [await app.ref('press'), await app.ref('name')];
    // Open in its own main loop, which is modal for the whole application.
    await app.fixture.control('open_dialog', { widget: 'nested_dialog' });
    await app.fixture.waitForEvent(({ event }) => event === 'dialog-opened', 3000);
    let next = '';
    for (const act of [
      ['click', press, '--mode', 'background'],
      ['click', press, '--mode', 'pointer'],
      ['set-value', name, 'x'],
      ['press', 'x', '--ref', name],
    ]) {
      const { message, suggestion } = await refused(app, 'NOT_ACTIONABLE', ...act, '--timeout', '700');
      expect([act, message]).toEqual([act, expect.stringContaining('modal dialog "Confirm run" blocks it')]);
      next = suggestion;
    }
    expect((await app.desk('get', 'text', press)).exitCode).toBe(0);
    // Window managers give the focus to the dialog instead, and the answer reports that.
    const focused = await app.desk('focus-window', '--window', app.fixture.title);
    expect(['confirmed', 'no_op']).toContain(focused.receipt.effect);
    const window = /--window (\S+)"/.exec(next)?.[1] ?? '';
    const shown = await app.desk('snapshot', '--window', window);
    expect([shown.exitCode, shown.stdout]).toEqual([0, expect.stringContaining('Do you want to go on?')]);
    const cancel = await app.desk('find', 'Cancel', '--window', window, '--role', 'button');
    const { reply, told: events } = await perform(app, 'click', cancel.ok(Found).matches[0]?.ref ?? '');
    expect(reply.receipt.effect).toBe('confirmed');
    expect(events).toContainEqual(expect.objectContaining({ event: 'dialog-closed', value: 'cancel' }));
  });

  it('waits with an act until the dialog is closed, and then acts once', async () => {
    const app = bench(kind);
    const press = await app.ref('press');
    await app.fixture.control('open_dialog');
    await app.fixture.waitForEvent(
      ({ event, widget }) => event === 'dialog-opened' && widget === 'dialog',
      3000,
    );
    const [{ reply, told }] = await Promise.all([
      perform(app, 'click', press),
      sleep(400).then(() => app.fixture.control('close_dialog')),
    ]);
    expect(reply.receipt.effect).toBe('confirmed');
    expect(told.filter(({ event }) => event === 'clicked').map(({ widget }) => widget)).toEqual(['press']);
    expect(reply.durationMs).toBeGreaterThan(400);
  });
});

describe.each(KINDS)('%s', (kind) => {
  it('sends nothing to disabled or hidden elements, and reports the reason', async () => {
    const app = bench(kind);
    const soon = ['--timeout', '1500'];
    const disabled = await refused(app, 'NOT_ACTIONABLE', 'click', await app.ref('disabled'), ...soon);
    expect(disabled.message).toContain('disabled');
    const odd = await app.ref('enable_later');
    await app.set('enable_later', 'visible', false);
    const hidden = await perform(app, 'click', odd, '--mode', 'pointer', ...soon);
    await app.set('enable_later', 'visible', true);
    expect([ErrorReply.parse(hidden.reply.json).error.delivered, hidden.told]).toEqual([false, []]);
    expect(['NOT_ACTIONABLE', 'STALE_REF']).toContain(codeOf(hidden.reply));
  });

  it('clicks a moving element at its current position, once', async () => {
    const app = bench(kind);
    const press = await app.ref('press');
    const moving = (async () => {
      for (let step = 0; step < 8; step++) {
        await app.fixture.control('window', { action: 'move', x: 40 + 30 * step, y: 40 + 15 * step });
        await sleep(60);
      }
    })();
    const { reply, told } = await perform(app, 'click', press, '--mode', 'pointer');
    await moving;
    const pressed = told.filter(({ event }) => event === 'clicked').map(({ widget }) => widget);
    expect(pressed).toEqual(reply.exitCode === 0 ? ['press'] : []);
    expect(['confirmed', 'unverified', 'NOT_ACTIONABLE']).toContain(saidOf(reply));
  });

  it('names unknown keys, read-only text and values out of range', async () => {
    const app = bench(kind);
    for (const args of [
      ['press', 'Hyperspace'],
      ['press', 'ctrl+Nothing'],
      ['key-down', 'Foo'],
    ])
      expect((await app.desk(...args)).error('INVALID_ARGUMENT').message).toMatch(/Hyperspace|Nothing|Foo/);
    const label = await app.refOf((await stateOf(app, 'counter')).text ?? '', 'text');
    for (const args of [
      ['type', label, 'x'],
      ['set-value', label, 'x'],
      ['clear', label],
    ]) {
      const { reply, told } = await perform(app, ...args);
      expect(['ACTION_NOT_SUPPORTED', 'NOT_ACTIONABLE']).toContain(codeOf(reply));
      expect(told).toEqual([]);
    }
    await app.set('volume', 'value', 30);
    const beyond = await app.desk('set-value', await app.ref('volume'), '500');
    expect(beyond.error('ACTION_FAILED').delivered).toBe(true);
    // The toolkit accepts as much as possible, and the receipt reports how much.
    expect(beyond.receipt.effect).toBe('partial');
    expect(beyond.receipt.evidence.join()).toContain('"100" instead of "500"');
    expect(Number((await stateOf(app, 'volume')).value)).toBe(100);
  });

  it('does not take another element for a target that is destroyed meanwhile', async () => {
    const app = bench(kind);
    const ref = await app.ref('run_dialog');
    const [{ reply, told }] = await Promise.all([
      perform(app, 'click', ref, '--mode', 'pointer', '--timeout', '3000'),
      sleep(250).then(() => app.fixture.control('remove', { widget: 'run_dialog' })),
    ]);
    expect(told.filter(({ widget }) => widget !== 'run_dialog' && widget !== 'nested_dialog')).toEqual([]);
    const clicks = told.filter(({ event }) => event === 'clicked').length;
    expect([clicks, saidOf(reply)]).not.toEqual([0, 'confirmed']);
    await app.fixture.control('close_dialog', { widget: 'nested_dialog' }).catch(() => undefined);
    expect((await app.desk('click', ref, '--timeout', '1500')).exitCode).toBe(8);
  });

  it('types the text into an application that freezes meanwhile, or fails and reports how much was typed', async () => {
    const app = bench(kind);
    await app.set('name', 'text', '');
    const text = 'the quick brown fox';
    const [reply] = await Promise.all([
      app.desk('type', await app.ref('name'), text, '--delay', '20', '--timeout', '6000'),
      sleep(500).then(() => app.fixture.control('freeze_ms', { ms: 1200 })),
    ]);
    await untilReleased();
    const held = (await stateOf(app, 'name')).text ?? '';
    expect(reply.exitCode === 0 ? text : text.slice(0, held.length)).toBe(held);
  });

  it('leaves nothing held when a caller is killed while it types or drags', async () => {
    const app = bench(kind);
    await app.set('name', 'text', '');
    const name = await app.ref('name');
    const slider = await app.ref('volume');
    const length = async (): Promise<number> => ((await stateOf(app, 'name')).text ?? '').length;
    const kill = async (args: readonly string[], isUnderWay: () => Promise<boolean>): Promise<void> => {
      const { environment } = place().desktop;
      const child = spawn(process.execPath, [place().entry, ...args], { env: environment, stdio: 'ignore' });
      await until(isUnderWay, `${args[0]} to be under way`);
      child.kill('SIGKILL');
      await untilReleased();
    };
    await kill(['type', name, 'abcdefghij'.repeat(30), '--delay', '20'], async () => (await length()) > 3);
    const so = await length();
    // Time in which it would have continued typing.
    await sleep(300);
    expect((await length()) - so).toBeLessThanOrEqual(1);
    const drag = ['drag', '--from-ref', slider, '--to-xy', '900,700', '--duration', '5000'];
    await kill(drag, async () => (await display.held()).includes('left button'));
  });

  it('refuses a position outside the screen before anything is pressed', async () => {
    const app = bench(kind);
    const volume = await app.ref('volume');
    for (const args of [
      ['drag', volume, '9999,300'],
      ['mouse', 'move', '300', '-1'],
      ['mouse', 'click', '300', '9999'],
    ]) {
      const { reply, told } = await perform(app, ...args);
      expect(reply.error('INVALID_ARGUMENT').message).toMatch(/outside the screen, which is \d+x\d+ pixels/);
      expect(told).toEqual([]);
    }
  });

  it('ends a drag and releases the button when the window closes during it', async () => {
    const app = bench(kind);
    const drag = ['drag', '--from-ref', await app.ref('volume'), '--to-xy', '900,700', '--duration', '4000'];
    const dragging = app.desk(...drag);
    await until(async () => (await display.held()).includes('left button'), 'the drag to be under way');
    await app.fixture.control('quit');
    const reply = await dragging;
    const { error } = ErrorReply.parse(reply.json);
    expect(error.delivered).toBe(true);
    expect(['WINDOW_NOT_FOUND', 'STALE_REF', 'APP_NOT_FOUND']).toContain(error.code);
    expect(reply.durationMs).toBeLessThan(4000);
    await untilReleased();
  });
});

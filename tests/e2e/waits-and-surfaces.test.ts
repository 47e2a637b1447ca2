import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FixtureKind } from '../../fixtures/driver.ts';
import { Check } from '../../src/model/effects/expectation.ts';
import { Surface } from '../../src/model/refs/surface.ts';
import { OutputNode } from '../../src/model/tree/node.ts';
import { sendNotification } from '../linux/dbus/support/send-notification.ts';
import { usePlace } from './harness.ts';
import { Bench } from './support/fixtures.ts';
import { Snapshot } from './support/answers.ts';
import type { Reply } from './support/reply.ts';
import { until } from '../until.ts';

const KINDS: readonly FixtureKind[] = ['gtk3', 'gtk4', 'qt5', 'qt6'];
const PATIENT = ['--timeout', '20000'] as const;

const Waited = z.looseObject({
  waited_ms: z.number(),
  count: z.number().optional(),
  elements: z.array(OutputNode).optional(),
  idle: z.looseObject({ pid: z.number(), evidence: z.array(z.string()) }).optional(),
  menu: Surface.optional(),
  notification: z.looseObject({ app: z.string(), summary: z.string(), is_shown: z.boolean() }).optional(),
});
const Surfaces = z.looseObject({ surfaces: z.array(Surface), complete: z.boolean() });
const Passed = z.looseObject({ passed: z.literal(true), checks: z.array(Check) });
const Failed = z.looseObject({ passed: z.literal(false), failures: z.array(Check), checks: z.array(Check) });
const Connected = z.looseObject({ alias: z.string(), pid: z.number() });

const place = usePlace();

describe.each(KINDS)('on %s', (kind) => {
  let app: Bench;
  const surfaces = async () => (await app.desk('list-surfaces', app.app)).ok(Surfaces).surfaces;

  beforeAll(async () => {
    app = new Bench(place(), await place().fixture(kind, `Surfaces ${kind}`));
  });

  it('idle comes after the last change, and not at all while changes go on', async () => {
    let changedAt = 0;
    const idle = app.desk('wait', '--idle', '--app', app.app, '--quiet', '600', ...PATIENT);
    for (let round = 1; round <= 12; round++) {
      await app.fixture.control('rename', { widget: 'counter', label: `Round ${round}` });
      changedAt = performance.now();
      await sleep(200);
    }
    const reply = await idle;
    expect(performance.now() - changedAt).toBeGreaterThanOrEqual(600);
    expect(reply.ok(Waited).idle).toMatchObject({ pid: app.fixture.pid });
    const busy = app.desk('wait', '--idle', '--app', app.app, '--quiet', '600', '--timeout', '2000');
    for (let round = 1; round <= 16; round++) {
      await app.fixture.control('rename', { widget: 'counter', label: `Again ${round}` });
      await sleep(200);
    }
    expect((await busy).error('TIMEOUT').message).toContain('was not idle for 600 ms');
  });

  it('an element becomes actionable when it is enabled, and is not pressed by that', async () => {
    const ref = await app.ref('later');
    const early = await app.desk('wait', '--actionable', ref, '--timeout', '800');
    expect(early.error('TIMEOUT').message).toContain('is disabled');
    const { result, events } = await app.recording(async () => {
      const waiting = app.desk('wait', '--actionable', ref, ...PATIENT);
      await sleep(900);
      await app.set('later', 'enabled', true);
      return waiting;
    });
    result.ok(Waited);
    expect(events.filter(({ event }) => event === 'clicked')).toEqual([]);
  });

  it('a count is waited for until it is exact', async () => {
    const locator = `app:${app.app} >> role:checkbox`;
    const now = (await app.desk('find', '--role', 'checkbox', '--app', app.app)).ok(
      z.looseObject({ total: z.number() }),
    ).total;
    const same = await app.desk('wait', '--count', locator, String(now));
    expect(same.ok(Waited)).toMatchObject({ count: now });
    expect(same.ok(Waited).elements?.every(({ ref }) => ref !== undefined)).toBe(true);
    const waiting = app.desk('wait', '--count', locator, String(now - 1), ...PATIENT);
    await sleep(900);
    await app.fixture.control('remove', { widget: 'select_all' });
    expect((await waiting).ok(Waited).count).toBe(now - 1);
    const late = await app.desk('wait', '--count', locator, '99', '--timeout', '3000');
    expect(late.error('TIMEOUT').message).toContain(`${now - 1} element`);
  });

  it('an open menu is waited for, listed and read alone', async () => {
    await app.desk('focus-window', '--title', app.fixture.title);
    (await app.desk('wait', '--menu', '--app', app.app, '--timeout', '400')).error('TIMEOUT');
    const waiting = app.desk('wait', '--menu', '--app', app.app, ...PATIENT);
    await sleep(500);
    const entry = `app:${app.app} >> role:menuitem[name=${JSON.stringify(app.widget('menu_file').name)}]`;
    (await app.desk('click', entry, '--mode', 'pointer')).ok(z.looseObject({}));
    const { menu } = (await waiting).ok(Waited);
    expect(menu).toMatchObject({ kind: 'menu', pid: app.fixture.pid, modal: false });
    expect((await surfaces()).map(({ ref, kind: what }) => [ref, what])).toContainEqual([menu?.ref, 'menu']);
    const read = (await app.desk('snapshot', '--surface', 'menu', '--app', app.app)).ok(Snapshot);
    const names = JSON.stringify(read.tree);
    expect(names).toContain(app.widget('file_save').name);
    expect(names).not.toContain(app.widget('press').name);
    const byRef = (await app.desk('snapshot', '--surface', menu?.ref ?? '')).ok(Snapshot);
    expect(JSON.stringify(byRef.tree)).toContain(app.widget('file_save').name);
    await app.desk('press', 'Escape');
    await until(
      async () => (await surfaces()).every(({ kind: what }) => what !== 'menu'),
      'the menu to close',
    );
  });

  it('an open dialog and an open list are listed with the window they belong to', async () => {
    await app.fixture.control('open_dialog');
    const isDialog = ({ kind: what }: Surface) => what === 'dialog';
    await until(async () => (await surfaces()).some(isDialog), 'the dialog to be listed');
    const dialog = (await surfaces()).find(isDialog);
    expect(dialog?.ref).toMatch(/^@w/);
    const read = (await app.desk('snapshot', '--surface', 'dialog', '--app', app.app)).ok(Snapshot);
    expect(read.window?.ref).toBe(dialog?.ref);
    await app.fixture.control('close_dialog', { response: 'ok' });
    await until(async () => !(await surfaces()).some(isDialog), 'the dialog to be gone');
    (await app.desk('click', await app.ref('colour'), '--mode', 'pointer')).ok(z.looseObject({}));
    await until(async () => (await surfaces()).length > 0, 'the list to be listed');
    const [list] = await surfaces();
    expect(['list', 'menu', 'popover']).toContain(list?.kind);
    expect(list?.items).toBeGreaterThan(1);
    await app.desk('press', 'Escape');
  });

  it('several expectations are met together, or all failures are told', async () => {
    const [name, notes] = [await app.ref('name'), await app.ref('notes')];
    await app.set('name', 'text', 'Ada Lovelace');
    const given = ['expect', name, '--value', 'Ada Lovelace', '--and', `${notes} value="one two" enabled`];
    await app.set('notes', 'text', 'nothing');
    const failed = await app.desk(...given, '--and', `${name} disabled`, '--timeout', '500');
    failed.error('EXPECTATION_FAILED');
    expect(failed.exitCode).toBe(1);
    const { failures, checks } = Failed.parse(failed.json);
    expect(failures).toMatchObject([
      { target: notes, property: 'value', expected: 'one two', actual: 'nothing', passed: false },
      { target: name, property: 'enabled', expected: false, actual: true, passed: false },
    ]);
    expect(checks).toHaveLength(4);
    const waiting = app.desk(...given, ...PATIENT);
    await sleep(900);
    await app.set('notes', 'text', 'one two');
    expect((await waiting).ok(Passed).checks).toHaveLength(3);
  });
});

describe('a connection', () => {
  it('names one of two instances, until that has ended', async () => {
    const one = new Bench(place(), await place().fixture('gtk3', 'Twin one'));
    const two = new Bench(place(), await place().fixture('gtk3', 'Twin two'));
    (await one.desk('connect', one.app, '--alias', 'first')).ok(Connected);
    (await one.desk('connect', two.app, '--alias', 'second')).ok(Connected);
    await two.set('name', 'text', 'of two');
    const read = await one.desk('snapshot', '--app', 'second');
    expect(read.ok(Snapshot).window?.title).toBe('Twin two');
    const { name, role } = two.widget('name');
    const locator = `app:first >> role:${role}[name=${JSON.stringify(name)}]`;
    (await one.desk('set-value', locator, 'of one')).ok(z.looseObject({}));
    expect((await one.fixture.events()).some(({ event }) => event === 'text-changed')).toBe(true);
    const info = (await one.desk('session', 'info')).ok(
      z.looseObject({ connections: z.array(z.looseObject({ alias: z.string() })) }),
    );
    expect(info.connections.map(({ alias }) => alias)).toEqual(['first', 'second']);
    await one.fixture.stop();
    await until(async () => {
      const reply = await two.desk('snapshot', '--app', 'first');
      return reply.exitCode === 8;
    }, 'it to have ended');
    const gone = await two.desk('snapshot', '--app', 'first');
    expect(gone.error('STALE_REF').message).toContain('has ended');
    (await two.desk('snapshot', '--app', 'second')).ok(Snapshot);
    (await two.desk('disconnect', '--all')).ok(z.looseObject({}));
    (await two.desk('snapshot', '--app', 'second')).error('APP_NOT_FOUND');
  });
});

describe('a notification', () => {
  it('is waited for on a desktop without a service, and that is said', async () => {
    const address = place().desktop.environment['DBUS_SESSION_BUS_ADDRESS'];
    const send = (summary: string) => sendNotification(address, summary, 'All files');
    const waiting = place().desk(['wait', '--notification', 'done', ...PATIENT]);
    // Nothing outside tells when it has begun to listen.
    const sending = setInterval(() => void send('It is DONE'), 200);
    await send('Other');
    await waiting.finally(() => clearInterval(sending));
    expect((await waiting).ok(Waited).notification).toMatchObject({
      app: 'Contract',
      summary: 'It is DONE',
      is_shown: false,
    });
    const none = await place().desk(['wait', '--notification', '--timeout', '600']);
    expect(none.error('TIMEOUT').message).toContain('none was sent');
  });
});

describe('what moves without telling anybody', () => {
  it('keeps its application from being idle until it stops', async () => {
    const script = join(import.meta.dirname, 'support', 'spinner.py');
    const program = spawn('/usr/bin/python3', [script, '4'], {
      env: { ...place().desktop.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
    try {
      expect((await lines.next()).value).toBe('turning');
      await place().untilReadable(program.pid ?? 0);
      const app = String(program.pid);
      const reply: Promise<Reply> = place().desk(['wait', '--idle', '--app', app, ...PATIENT]);
      expect((await lines.next()).value).toBe('stopped');
      const stoppedAt = performance.now();
      (await reply).ok(Waited);
      expect(performance.now()).toBeGreaterThan(stoppedAt);
    } finally {
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
    }
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { FixtureEvent } from '../../fixtures/driver.ts';
import { JournalEntry } from '../../src/model/journal/entry.ts';
import { estimateTokens } from '../../src/model/tree/budget.ts';
import { usePlace } from './harness.ts';
import { Snapshot } from './support/answers.ts';
import { useFixtures, type Bench } from './support/fixtures.ts';
import { activate } from './support/subjects.ts';
import { until } from '../until.ts';

const Journal = z.looseObject({
  entries: z.array(JournalEntry),
  cursor: z.string(),
  notes: z.array(z.string()).optional(),
  left_out: z.looseObject({ count: z.int(), how: z.array(z.string()) }).optional(),
});

/** Longer than what happens right after an act is in doubt. */
const BEYOND_DOUBT_MS = 1500;
const SECRET = 'correct-horse-7';

const place = usePlace();
const bench = useFixtures(place, ['gtk3', 'qt5']);

async function journal(...args: string[]): Promise<z.output<typeof Journal>> {
  return (await place().desk(['journal', ...args])).ok(Journal);
}

/** The state of an application that has been read; what follows is beyond the doubt about earlier acts. */
async function begin(app: Bench): Promise<string> {
  (await app.desk('snapshot', '--app', app.app)).ok(Snapshot);
  await sleep(BEYOND_DOUBT_MS);
  return (await journal()).cursor;
}

/** The journal once it has an entry like this. */
async function untilTold(
  args: readonly string[],
  isIt: (entry: JournalEntry) => boolean,
): Promise<readonly JournalEntry[]> {
  let entries: readonly JournalEntry[] = [];
  await until(async () => {
    ({ entries } = await journal(...args));
    return entries.some(isIt);
  }, 'the entry');
  return entries;
}

async function countOf(app: Bench, isIt: (event: FixtureEvent) => boolean): Promise<number> {
  return (await app.fixture.events()).filter(isIt).length;
}

describe.each(['gtk3', 'qt5'] as const)('the journal of what happens in %s', (kind) => {
  it('tells changes of a value that the application makes itself as one entry, as often as it recorded them', async () => {
    const app = bench(kind);
    await app.set('volume', 'value', 3);
    const since = await begin(app);
    const isChange = ({ widget, event }: FixtureEvent): boolean =>
      widget === 'volume' && event === 'value-changed';
    const before = await countOf(app, isChange);
    for (let value = 29; value <= 40; value++) await app.set('volume', 'value', value);
    const recorded = (await countOf(app, isChange)) - before;
    const isSlider = ({ kind: what, element }: JournalEntry): boolean =>
      what === 'value_changed' && element?.startsWith('slider') === true;
    const entries = await untilTold(['--since', since], (entry) => isSlider(entry) && entry.after === '40');
    const sliders = entries.filter(isSlider);
    expect(sliders).toEqual([
      expect.objectContaining({
        count: recorded,
        before: '3',
        after: '40',
        by: 'application',
        pid: app.fixture.pid,
      }),
    ]);
    expect(sliders[0]?.what).toMatch(/^12 changes of value of slider "[^"]+", 3 → 40$/);
    expect(sliders[0]?.ref).toMatch(/^@e\d+$/);
  });

  it('tells a dialog that opens by itself, with a reference that can be read, and its end', async () => {
    const app = bench(kind);
    const since = await begin(app);
    await app.fixture.control('open_dialog');
    const entries = await untilTold(['--since', since], ({ kind: what }) => what === 'dialog_appeared');
    const opened = entries.find(({ kind: what }) => what === 'dialog_appeared');
    expect(opened).toMatchObject({ by: 'application', pid: app.fixture.pid });
    expect(await countOf(app, ({ event }) => event === 'dialog-opened')).toBeGreaterThan(0);
    const { window } = (await app.desk('snapshot', '--window', opened?.ref ?? '')).ok(Snapshot);
    expect(window?.title).toBe(opened?.window);
    const { cursor } = await journal();
    await app.fixture.control('close_dialog', { response: 'cancel' });
    await untilTold(
      ['--since', cursor],
      (entry) => entry.kind === 'dialog_closed' && entry.window === opened?.window && entry.ref === undefined,
    );
  });

  it('tells a dialog as the act’s own that its receipt has told', async () => {
    const app = bench(kind);
    const since = await begin(app);
    (await app.desk('click', await app.ref('open_dialog'))).ok(
      z.looseObject({ effect: z.literal('confirmed') }),
    );
    const entries = await untilTold(['--since', since], ({ kind: what }) => what === 'dialog_appeared');
    expect(entries.find(({ kind: what }) => what === 'dialog_appeared')).toMatchObject({
      by: 'own',
      command: 'click',
      pid: app.fixture.pid,
    });
    await app.fixture.control('close_dialog', { response: 'cancel' });
    await app.fixture.waitForEvent(({ event }) => event === 'dialog-closed', 5000);
  });

  it('tells an own act with its command, and no act as own that was not', async () => {
    const app = bench(kind);
    await app.set('agree', 'checked', false);
    const since = await begin(app);
    const ref = await app.ref('agree');
    (await app.desk('click', ref)).ok(z.looseObject({ effect: z.literal('confirmed') }));
    await sleep(BEYOND_DOUBT_MS);
    await app.set('agree', 'checked', false);
    const isBox = ({ kind: what, element }: JournalEntry): boolean =>
      what === 'state_changed' && element?.startsWith('checkbox') === true;
    const entries = await untilTold(
      ['--since', since],
      (entry) => isBox(entry) && entry.what.includes('not'),
    );
    expect(
      entries.filter(isBox).map(({ by, command, what }) => ({ by, command, what: what.split(' is ')[1] })),
    ).toEqual([
      { by: 'own', command: 'click', what: 'checked' },
      { by: 'application', command: undefined, what: 'not checked' },
    ]);
  });

  it('tells what the user does as the user’s, without the text', async () => {
    const app = bench(kind);
    await app.set('name', 'text', '');
    const since = await begin(app);
    await activate(place(), app.fixture.title);
    await app.set('name', 'focused', true);
    await app.fixture.waitForEvent(({ widget, event }) => widget === 'name' && event === 'focus-in', 5000);
    await place().run('xdotool', ['type', '--delay', '30', 'hidden words']);
    await app.fixture.waitForEvent(
      ({ widget, event, value }) => widget === 'name' && event === 'text-changed' && value === 'hidden words',
      5000,
    );
    const isText = ({ kind: what }: JournalEntry): boolean => what === 'text_changed';
    const entries = await untilTold(['--since', since], isText);
    expect(entries.filter((entry) => isText(entry) && entry.by !== 'application')).toEqual([
      expect.objectContaining({ by: 'user', element: expect.stringContaining('textbox') }),
    ]);
    expect(JSON.stringify(entries)).not.toContain('hidden');
  });

  it('never tells a password, nor a secret that was written into a plain field', async () => {
    const app = bench(kind);
    const since = await begin(app);
    const field = await app.ref('password');
    const plain = await app.ref('name');
    for (const ref of [field, plain]) {
      const reply = await place().desk(['set-value', ref, '--from-env', 'SECRET'], { SECRET });
      reply.ok(z.looseObject({}));
    }
    await app.set('password', 'text', `${SECRET}${SECRET}`);
    const entries = await untilTold(['--since', since], ({ kind: what }) => what === 'text_changed');
    expect(JSON.stringify(entries)).not.toContain(SECRET);
    expect(JSON.stringify(entries)).not.toContain('•');
  });
});

describe('the journal of the desktop', () => {
  it('tells an application that starts and exits, by whom, and what it left out of a small answer', async () => {
    const { cursor: since } = await journal();
    const launched = (await place().desk(['launch', 'xterm', '--wait'])).ok(
      z.looseObject({ pid: z.number() }),
    );
    const { entries } = await journal('--since', since, '--kind', 'app_started');
    expect(entries).toEqual([expect.objectContaining({ by: 'own', command: 'launch', pid: launched.pid })]);
    await sleep(BEYOND_DOUBT_MS);
    process.kill(launched.pid, 'SIGTERM');
    const ended = await untilTold(['--since', since], ({ kind }) => kind === 'app_exited');
    expect(ended.find(({ kind }) => kind === 'app_exited')).toMatchObject({
      by: 'application',
      pid: launched.pid,
    });
    const small = await place().desk(['journal', '--max-tokens', '400']);
    expect(estimateTokens(small.stdout)).toBeLessThanOrEqual(400);
    const { left_out: leftOut } = small.ok(Journal);
    expect(leftOut?.count).toBeGreaterThan(0);
    expect(leftOut?.how[0]).toMatch(/^--max-tokens \d+$/);
  });

  it('tells an application of somebody else that starts as the application’s own doing', async () => {
    const { cursor: since } = await journal();
    await sleep(BEYOND_DOUBT_MS);
    const other = await place().fixture('gtk3', 'Another');
    const entries = await untilTold(
      ['--since', since, '--app', String(other.pid)],
      ({ kind }) => kind === 'app_started',
    );
    expect(entries[0]).toMatchObject({ kind: 'app_started', pid: other.pid, by: 'application' });
    await other.stop();
    await untilTold(['--since', since, '--app', String(other.pid)], ({ kind }) => kind === 'app_exited');
  });

  it('tells notifications', async () => {
    const { cursor: since } = await journal();
    const method = [
      '--dest',
      'org.freedesktop.Notifications',
      '--object-path',
      '/org/freedesktop/Notifications',
    ];
    const args = ['"mail"', 'uint32 0', '""', '"New message"', '"From Ada"', '@as []', '@a{sv} {}', '1000'];
    // There is no notification service on this desktop, so the call itself fails.
    await place()
      .run('gdbus', [
        'call',
        '--session',
        ...method,
        '--method',
        'org.freedesktop.Notifications.Notify',
        ...args,
      ])
      .catch(() => undefined);
    const entries = await untilTold(['--since', since], ({ kind }) => kind === 'notification_appeared');
    expect(entries.find(({ kind }) => kind === 'notification_appeared')).toMatchObject({
      app: 'mail',
      what: 'notification "New message": "From Ada"',
    });
  });

  it('says that a call without a daemon has no journal', async () => {
    const { entries, notes } = (await place().desk(['journal', '--no-daemon'])).ok(Journal);
    expect(entries).toEqual([]);
    expect(notes?.join()).toContain('without a daemon');
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/model/effects/errors.ts';
import { openApp } from '../../src/app/open-app.ts';
import { usePlace } from './harness.ts';
import { Found, Picture } from './support/answers.ts';
import { Bench } from './support/fixtures.ts';
import { inTime } from './support/in-time.ts';
import { Reply } from './support/reply.ts';

const place = usePlace();
let app: Bench;
beforeAll(async () => {
  app = new Bench(place(), await place().fixture('gtk3'));
});

const WRONG: readonly (readonly [args: string, code: ErrorCode])[] = [
  ['snapshot --app no-such-app', 'APP_NOT_FOUND'],
  ['snapshot --app 4194000', 'APP_NOT_FOUND'],
  ['snapshot --window no-such-window', 'WINDOW_NOT_FOUND'],
  ['snapshot --window @w999', 'WINDOW_NOT_FOUND'],
  ['snapshot --window x11:0xdead', 'WINDOW_NOT_FOUND'],
  ['snapshot --max-depth -1', 'INVALID_ARGUMENT'],
  ['snapshot --max-depth one', 'INVALID_ARGUMENT'],
  ['snapshot --max-tokens 0', 'INVALID_ARGUMENT'],
  ['snapshot --timeout 0', 'INVALID_ARGUMENT'],
  ['snapshot --no-such-flag', 'INVALID_ARGUMENT'],
  ['snapshot --root @w1', 'INVALID_ARGUMENT'],
  ['snapshot --root @e9999', 'ELEMENT_NOT_FOUND'],
  ['no-such-command', 'INVALID_ARGUMENT'],
  ['find x --role no-such-role', 'INVALID_ARGUMENT'],
  ['find [ --by regex', 'INVALID_ARGUMENT'],
  ['find //nope[ --by path', 'INVALID_ARGUMENT'],
  ['find x --by magic', 'INVALID_ARGUMENT'],
  ['find', 'INVALID_ARGUMENT'],
  ['get colour @e1', 'INVALID_ARGUMENT'],
  ['get text', 'INVALID_ARGUMENT'],
  ['get text @e9999', 'ELEMENT_NOT_FOUND'],
  ['get text e1;rm', 'INVALID_ARGUMENT'],
  ['is purple @e1', 'INVALID_ARGUMENT'],
  ['is visible @e9999', 'ELEMENT_NOT_FOUND'],
  ['click @e0', 'INVALID_ARGUMENT'],
  ['click @e9999', 'ELEMENT_NOT_FOUND'],
  ['click', 'INVALID_ARGUMENT'],
  ['set-value @e9999 x', 'ELEMENT_NOT_FOUND'],
  ['wait', 'INVALID_ARGUMENT'],
  ['wait 5 --window x', 'INVALID_ARGUMENT'],
  ['wait -5', 'INVALID_ARGUMENT'],
  ['wait --window never-there --timeout 300', 'TIMEOUT'],
  ['screenshot /proc/nope/x.png', 'INVALID_ARGUMENT'],
  ['screenshot --element @e1 --screen', 'INVALID_ARGUMENT'],
  ['launch no-such-program', 'APP_NOT_FOUND'],
  ['close-app no-such-app', 'APP_NOT_FOUND'],
  ['list-apps --session ../../etc', 'INVALID_ARGUMENT'],
  ['focused --app no-such-app', 'APP_NOT_FOUND'],
];

describe('wrong arguments', () => {
  it.for(WRONG)('%s: %s', async ([line, code]) => {
    const reply = await place().desk(line.split(' '));
    expect(reply.error(code).message).not.toBe('');
    expect(reply.stderr).not.toContain(' at ');
  });

  it('lists candidates when an application or window is not found', async () => {
    const error = (await place().desk(['snapshot', '--app', 'deskterity-fixtur-gtk3x'])).error(
      'APP_NOT_FOUND',
    );
    expect(error.candidates?.map(({ pid }) => pid)).toContain(app.fixture.pid);
    const window = (await place().desk(['snapshot', '--window', 'zzz'])).error('WINDOW_NOT_FOUND');
    expect(window.candidates?.map(({ name }) => name)).toContain(app.fixture.title);
  });
});

describe('patterns and sizes', () => {
  it('limits the time of a pattern that backtracks without end', async () => {
    await app.set('name', 'text', `${'a'.repeat(60)}!`);
    const find = ['find', '(a+)+$', '--by', 'regex', '--app', app.app, '--timeout', '3000'];
    const reply = inTime(await place().desk(find), 3000);
    expect(reply.error('TIMEOUT').suggestion).toContain('contains');
    // And the next command is not affected.
    expect((await place().desk(['find', 'Press', '--app', app.app])).ok(Found).count).toBe(1);
  });

  it('answers the longest argument that the system allows', async () => {
    const long = 'x'.repeat(120_000);
    expect((await place().desk(['find', long, '--app', app.app])).ok(Found).count).toBe(0);
    const ref = await app.ref('notes');
    expect((await place().desk(['set-value', ref, long])).receipt.effect).toBe('confirmed');
  });

  it('refuses ten megabytes in process, where the system sets no limit', async () => {
    const app = openApp({ environment: place().desktop.environment, cwd: place().folder, version: '0' });
    const started = performance.now();
    const input = { ref: '@e1', value: 'y'.repeat(10 * 1024 * 1024) };
    const answer = await app.execute('default', 'set-value', input, { format: 'json' });
    await app.close();
    const facts = { args: ['set-value'], durationMs: performance.now() - started };
    expect(new Reply({ ...facts, ...answer }).error('INVALID_ARGUMENT').message).toContain('1048576');
    expect(answer.stdout.length).toBeLessThan(2000);
  });

  it('cuts a name of several megabytes in an application', async () => {
    // Split into lines, because GTK needs minutes for one line of this length.
    await app.set('notes', 'text', `${'z'.repeat(60)}\n`.repeat(20_000));
    const reply = await place().desk(['snapshot', '--app', app.app, '--timeout', '8000']);
    expect(inTime(reply, 8000).exitCode).toBe(0);
    expect(reply.stdout.length).toBeLessThan(200_000);
    await app.set('notes', 'text', '');
  });
});

describe('without what a desktop has', () => {
  const LACKING: readonly (readonly [
    what: string,
    env: Record<string, string | undefined>,
    code: ErrorCode,
  ])[] = [
    // The daemon would start a private one.
    ['no display', { DISPLAY: undefined, DESKTERITY_NO_DAEMON: '1' }, 'DISPLAY_UNAVAILABLE'],
    ['a display that is not there', { DISPLAY: ':64999' }, 'DISPLAY_UNAVAILABLE'],
    ['a display that makes no sense', { DISPLAY: 'no display' }, 'DISPLAY_UNAVAILABLE'],
    ['no bus', { DBUS_SESSION_BUS_ADDRESS: undefined }, 'BUS_UNAVAILABLE'],
    ['a bus that is not there', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' }, 'BUS_UNAVAILABLE'],
    ['a bus address that makes no sense', { DBUS_SESSION_BUS_ADDRESS: '\u0007' }, 'BUS_UNAVAILABLE'],
  ];

  it.for(LACKING)('%s', async ([, environment, code]) => {
    for (const command of ['list-apps', 'snapshot', 'screenshot']) {
      const reply = inTime(await place().desk([command, '--timeout', '2000'], environment), 2000);
      expect(reply.error(code).suggestion).not.toBe('');
    }
    const status = await place().desk(['status', '--timeout', '2000'], environment);
    expect(inTime(status, 2000).json).toMatchObject({ ok: true, desktop: null, problem: { code } });
    expect((await place().desk(['version'], environment)).exitCode).toBe(0);
    const ref = await app.ref('press');
    expect(
      (await place().desk(['click', ref, '--timeout', '2000'], environment)).error(code).delivered,
    ).not.toBe(true);
  });

  it('uses a desktop of the daemon without a display, and every answer names it', async () => {
    const nobody = { DISPLAY: undefined, XDG_STATE_HOME: `${place().folder}/nobody` };
    const windows = await place().desk(['list-windows'], nobody);
    expect(windows.json).toMatchObject({
      ok: true,
      windows: [],
      private_desktop: expect.stringMatching(/^:\d+$/),
    });
    expect((await place().desk(['session', 'kill', 'default'], nobody)).exitCode).toBe(0);
  });

  it('names a state folder that cannot be written, and the command works', async () => {
    const reply = await place().desk(['find', 'Press', '--app', app.app], { XDG_STATE_HOME: '/proc/state' });
    expect(reply.ok(Found).count).toBe(1);
    expect(reply.stderr).toMatch(/^note: .*\/proc\/state/);
  });

  it('works without HOME', async () => {
    const none = { HOME: undefined, XDG_STATE_HOME: undefined, XDG_CACHE_HOME: undefined };
    const environment = { ...none, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined };
    const reply = await place().desk(['list-apps'], environment);
    expect(reply.exitCode).toBe(0);
    const picture = await place().desk(['screenshot', 'here.png', '--screen'], environment);
    expect(picture.ok(Picture).path).toBe(`${place().folder}/here.png`);
  });
});

import { mentionCommand } from '../../../src/model/text/mention.ts';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { decodePng } from '../../image/decode-png.ts';
import { openApp } from '../../../src/app/open-app.ts';
import { taggedProcesses } from '../private-desktop/support.ts';

const NAMES = ['one', 'two'] as const;
const Stored = z.object({ environment: z.record(z.string(), z.string()), display: z.string() });
const Matches = z.object({ matches: z.array(z.object({ ref: z.string() })) });
const World = z.object({ pressed: z.number() });

const state = mkdtempSync(path.join(tmpdir(), 'sessions-'));
const environment = { PATH: process.env['PATH'], XDG_STATE_HOME: state, XDG_CONFIG_HOME: state };
const app = openApp({ environment, cwd: state, version: '0.0.0', isPersistent: true });
const desktops = new Map<string, z.output<typeof Stored>>();
const fixtures = new Map<string, Fixture>();

function reach(name: string): z.output<typeof Stored> {
  const folder = path.join(state, 'deskterity', 'sessions', name, 'session.json');
  return Stored.parse(JSON.parse(readFileSync(folder, 'utf8')));
}

/** What is left of a session's desktop. */
function remains(name: string): unknown[] {
  const desktop = desktops.get(name);
  if (desktop === undefined) throw new Error(`${name} was never started`);
  const id = desktop.environment['DESKTERITY_PRIVATE_DESKTOP'] ?? '';
  const number = desktop.display.slice(1);
  return [
    ...taggedProcesses(`DESKTERITY_PRIVATE_DESKTOP=${id}`),
    ...readdirSync('/tmp').filter((entry) => entry.includes(id)),
    ...[`/tmp/.X${number}-lock`, `/tmp/.X11-unix/X${number}`].filter((file) => existsSync(file)),
  ];
}

async function presses(name: string): Promise<number> {
  return World.parse(await fixtures.get(name)?.control('state')).pressed;
}

/** The reference of the fixture's one button, by the name it has in this session. */
async function button(name: string): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const found = await app
      .call(name, 'find', { query: 'Press me', role: 'button' })
      .then((answer) => Matches.parse(answer).matches[0]?.ref)
      .catch(() => undefined);
    if (found !== undefined) return found;
    if (attempt === 50) throw new Error('the fixture has no button "Press me"');
    await sleep(100);
  }
}

beforeAll(async () => {
  await Promise.all(
    NAMES.map(async (name) => {
      await app.call(name, 'session new', { name, private: true, size: '800x600' });
      desktops.set(name, reach(name));
    }),
  );
  await Promise.all(
    NAMES.map(async (name) => {
      const fixture = await startFixture('gtk3', {
        environment: { ...reach(name).environment },
        deadlineMs: 20_000,
      });
      fixtures.set(name, fixture);
    }),
  );
});

afterAll(async () => {
  await Promise.all([...fixtures.values()].map((fixture) => fixture.stop()));
  await app.close();
  rmSync(state, { recursive: true, force: true });
});

describe('two sessions with private desktops', () => {
  it('are on separate displays, which every answer names', async () => {
    const answers = await Promise.all(NAMES.map((name) => app.call(name, 'list-apps', {})));
    const displays = answers.map((answer) => answer['private_desktop']);
    expect(displays).toEqual(NAMES.map((name) => desktops.get(name)?.display));
    expect(new Set(displays).size).toBe(2);
  });

  it('have independent references, and a click in one changes only its own application', async () => {
    const ref = await button('one');
    await expect(app.call('two', 'click', { ref })).rejects.toMatchObject({
      code: 'ELEMENT_NOT_FOUND',
      delivered: false,
    });
    await app.call('one', 'click', { ref });
    expect(await Promise.all(NAMES.map((name) => presses(name)))).toEqual([1, 0]);
    await app.call('two', 'click', { ref: await button('two') });
    expect(await Promise.all(NAMES.map((name) => presses(name)))).toEqual([1, 1]);
  });

  it('have complete screenshots', async () => {
    const file = path.join(state, 'one.png');
    const answer = await app.call('two', 'session view', { name: 'one', path: file });
    expect(answer).toMatchObject({ name: 'one', path: file, width: 800, height: 600 });
    const { width, height, bgrx } = decodePng(readFileSync(file));
    expect([width, height]).toEqual([800, 600]);
    // The window stands out from an empty screen.
    expect(new Set(bgrx).size).toBeGreaterThan(20);
  });

  it('have live pages that end with them', async () => {
    const { url } = z
      .object({ url: z.string() })
      .parse(await app.call('two', 'session view', { name: 'one', live: true }));
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('one')]);

    await app.call('two', 'session kill', { name: 'one' });
    expect((await fetch(url)).status).toBe(404);
    expect(remains('one')).toEqual([]);
    expect(await presses('two')).toBe(1);
    await app.call('two', 'click', { ref: await button('two') });
    expect(await presses('two')).toBe(2);
    await expect(app.call('one', 'list-apps', {})).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
  });
});

describe('a private session whose X server is killed', () => {
  it('is an error with a suggestion, and leaves nothing behind', async () => {
    await app.call('two', 'session new', { name: 'three', private: true });
    const desktop = reach('three');
    desktops.set('three', desktop);
    await app.call('three', 'list-apps', {});
    const id = desktop.environment['DESKTERITY_PRIVATE_DESKTOP'] ?? '';
    const lock = readFileSync(`/tmp/.X${desktop.display.slice(1)}-lock`, 'utf8');
    const server = taggedProcesses(`DESKTERITY_PRIVATE_DESKTOP=${id}`).find((line) => line.includes('Xvfb'));
    expect(server, `X server of ${desktop.display}, lock of ${lock.trim()}`).toBeDefined();
    process.kill(Number.parseInt(server ?? '', 10), 'SIGKILL');
    const isLost = () =>
      app.call('three', 'list-apps', {}).then(
        () => false,
        ({ code }) => code === 'SESSION_NOT_FOUND',
      );
    await expect.poll(isLost, { timeout: 10_000 }).toBe(true);
    await expect(app.call('three', 'list-apps', {})).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      suggestion: expect.stringContaining(mentionCommand('session new', { name: 'three', private: true })),
    });
    expect(remains('three')).toEqual([]);
    expect(await app.call('two', 'session info', { name: 'three' })).toMatchObject({ ended: true });
  });
});

it('closing the app leaves nothing behind', async () => {
  await app.close();
  expect(NAMES.flatMap((name) => remains(name))).toEqual([]);
});

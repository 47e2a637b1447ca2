import { copyFileSync, chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openApp } from '../../src/app/open-app.ts';
import type { App } from '../../src/app/app.ts';
import { findProgram } from '../../src/platform/node/find-program.ts';
import { createPlatform } from '../../src/platform/select.ts';
import { usePlace } from './harness.ts';
import { useFixtures } from './support/fixtures.ts';

const place = usePlace();
const form = useFixtures(place, ['gtk3']);

/** The program that asks: a real one, or a stand-in for it. */
const GIVEN = process.env['DESKTERITY_TEST_DIALOGS'];
const REAL = ['zenity', 'kdialog', 'yad'].some((name) => findProgram(name, '/usr/bin') !== undefined);
const FOLDER = GIVEN ?? (REAL ? '/usr/bin' : mkdtempSync(join(tmpdir(), 'dialogs-')));
if (GIVEN === undefined && !REAL) {
  copyFileSync(join(import.meta.dirname, 'support/dialog-stand-in.py'), join(FOLDER, 'zenity'));
  chmodSync(join(FOLDER, 'zenity'), 0o755);
}

const opened: App[] = [];
afterAll(async () => {
  for (const app of opened) await app.close();
});

/** Deskterity as on the user's own desktop: on a private one nobody would be asked. */
function openDesk() {
  const platform = createPlatform();
  const ask = platform.askOnDesktop;
  const seen: { picture: Uint8Array | undefined } = { picture: undefined };
  const environment = {
    ...place().desktop.environment,
    DESKTERITY_PRIVATE_DESKTOP: undefined,
    DESKTERITY_CONFIRM_DESTRUCTIVE: 'require',
  };
  const app = openApp({
    environment,
    cwd: place().folder,
    version: '0',
    isPersistent: true,
    platform: {
      ...platform,
      askOnDesktop: async (of, question, options) => {
        seen.picture = options.picture;
        return ask === undefined ? 'absent' : ask(of, question, { ...options, folders: FOLDER });
      },
    },
  });
  opened.push(app);
  const call = async (command: string, input: Record<string, unknown>) =>
    (await app.execute('default', command, input, { format: 'json' })).stdout;
  return { call, seen };
}

/** Ids of the windows that ask, by the display itself. */
async function dialogs(): Promise<string[]> {
  const found = await place()
    .run('xdotool', ['search', '--onlyvisible', '--name', '^Deskterity asks for your consent$'])
    .catch(() => '');
  return found.split('\n').filter((id) => id !== '');
}

it('no path of ours answers the question, a person does, and only then the button is pressed', async () => {
  const bench = form('gtk3');
  await bench.set('press', 'label', 'Delete all');
  const { call, seen } = openDesk();
  const clicks = async () => (await bench.fixture.events()).filter(({ event }) => event === 'clicked').length;
  const before = await clicks();
  const ref = `app:${bench.app} >> role:button[name="Delete all"]`;
  const acting = call('click', { ref, timeout_ms: 20_000 });
  await expect.poll(dialogs, { timeout: 15_000 }).toHaveLength(1);
  const [id = ''] = await dialogs();
  const place3 = (await place().run('xdotool', ['getwindowgeometry', '--shell', id])).match(/\d+/g) ?? [];
  const [, x = 0, y = 0, width = 0, height = 0] = place3.map(Number);

  const own = 'Deskterity asks for your consent';
  const tries: readonly [string, Record<string, unknown>][] = [
    ['click', { ref: `window:"${own}" >> role:button[name="OK"]` }],
    ['click', { ref: 'role:button[name="OK"]', mode: 'background' }],
    ['set-value', { ref: `window:"${own}" >> role:textbox`, value: '1234' }],
    ['type', { text: '1234\n' }],
    ['press', { keys: 'Enter' }],
    ['key-down', { key: 'Enter' }],
    ['mouse click', { x: x + width - 30, y: y + height - 20 }],
    ['mouse click', { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }],
    ['focus', { ref: `window:"${own}" >> role:textbox` }],
    ['focus-window', { window: own }],
    ['close-window', { window: own }],
    ['close-app', { app: 'zenity', force: true }],
    ['do', { steps: [{ command: 'press', keys: 'Enter' }] }],
    ['fill', { fields: [{ target: `window:"${own}" >> role:textbox`, value: '1234' }] }],
  ];
  for (const [command, input] of tries)
    expect(`${command}: ${await call(command, input)}`).toContain('CONFLICT');
  expect(await dialogs()).toEqual([id]);
  expect(await clicks()).toBe(before);

  // Without its number, a person's OK is no consent either; that is tested where the program is started.
  const { Picture, code } = await asSeen(id, seen.picture);
  expect(Picture).toBe('png');
  await place().run('xdotool', ['windowfocus', '--sync', id]);
  await place().run('xdotool', ['type', code]);
  await place().run('xdotool', ['key', 'Return']);
  expect(await acting).toContain('"ok":true');
  expect(await clicks()).toBe(before + 1);
});

/** What a person sees: the number in the question, and whether there is a picture. */
async function asSeen(id: string, picture: Uint8Array | undefined) {
  const pid = (await place().run('xdotool', ['getwindowpid', id])).trim();
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  return {
    code: /type (\d{4}) and press OK/.exec(words)?.[1] ?? '',
    Picture: Buffer.from(picture ?? new Uint8Array())
      .subarray(1, 4)
      .toString()
      .toLowerCase(),
  };
}

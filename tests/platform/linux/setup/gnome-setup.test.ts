import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { extensionScript } from '../../../../src/platform/linux/setup/gnome/extension-script.ts';
import { GnomeSetup } from '../../../../src/platform/linux/setup/gnome/gnome-setup.ts';
import { textsIn } from '../../../../src/platform/linux/setup/gnome/gnome-tools.ts';

const ID = 'deskterity@deskterity.io';
/** Keeps each setting in a file of its own, as the real one does in its store. */
const GSETTINGS = `#!/bin/sh
file="$HOME/setting-$3"
if [ "$1" = set ]; then printf '%s\\n' "$4" >"$file"; exit; fi
case $3 in disable-user-extensions) default=false;; *) default='@as []';; esac
cat "$file" 2>/dev/null || echo "$default"
`;

let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'setup-'));
  folder = path.join(home, '.local/share/gnome-shell/extensions', ID);
  program('gsettings', GSETTINGS);
  shell('43.9');
});
afterEach(() => rmSync(home, { recursive: true }));

function program(name: string, text: string): void {
  const file = path.join(home, 'bin', name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}
const shell = (version: string): void => program('gnome-shell', `#!/bin/sh\necho "GNOME Shell ${version}"\n`);
const setting = (key: string): string => readFileSync(path.join(home, `setting-${key}`), 'utf8').trim();
const run = (changes: { isUndo?: boolean; isTrial?: boolean } = {}) =>
  new GnomeSetup().run({
    environment: { HOME: home, PATH: `${home}/bin:/usr/bin:/bin` },
    isUndo: false,
    isTrial: false,
    ...changes,
  });

describe('the set-up for GNOME', () => {
  it('writes an extension with a secret for this user, turns it on, and is undone', async () => {
    writeFileSync(path.join(home, 'setting-enabled-extensions'), "['other@example.org']\n");
    const done = await run();
    expect(done).toMatchObject({ hasChanged: true, allows: expect.stringContaining('take pictures') });
    expect(done.next).toContain('Log out and in again');
    expect(readFileSync(path.join(folder, 'extension.js'), 'utf8')).toBe(done.content);
    expect(statSync(path.join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(folder, 'secret'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    expect(setting('enabled-extensions')).toBe(`@as ['other@example.org', '${ID}']`);
    expect(await run()).toMatchObject({ hasChanged: false });
    expect(await run({ isUndo: true })).toMatchObject({ hasChanged: true, content: undefined });
    expect(existsSync(folder)).toBe(false);
    expect(setting('enabled-extensions')).toBe(`@as ['other@example.org']`);
    expect(await run({ isUndo: true })).toMatchObject({ hasChanged: false });
  });

  it('writes and removes nothing on a trial', async () => {
    expect(await run({ isTrial: true })).toMatchObject({ hasChanged: true });
    expect(existsSync(folder)).toBe(false);
    await run();
    expect(await run({ isUndo: true, isTrial: true })).toMatchObject({ hasChanged: true });
    expect(existsSync(folder)).toBe(true);
  });

  it('keeps the secret, so that a running shell still admits us, and follows the version of the shell', async () => {
    await run();
    const secret = readFileSync(path.join(folder, 'secret'), 'utf8');
    shell('48.7');
    expect(await run()).toMatchObject({
      hasChanged: true,
      content: expect.stringContaining('export default'),
    });
    expect(readFileSync(path.join(folder, 'metadata.json'), 'utf8')).toContain('"48"');
    expect(readFileSync(path.join(folder, 'secret'), 'utf8')).toBe(secret);
  });

  it('turns on an extension that the person had turned off, and says when all are off', async () => {
    writeFileSync(path.join(home, 'setting-disabled-extensions'), `['${ID}']\n`);
    writeFileSync(path.join(home, 'setting-disable-user-extensions'), 'true\n');
    expect((await run()).next).toContain('Turn extensions on');
    expect(setting('disabled-extensions')).toBe('@as []');
  });

  it('leaves an extension of another program as it is', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'metadata.json'), '{"uuid": "other"}');
    for (const isUndo of [false, true])
      await expect(run({ isUndo })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readFileSync(path.join(folder, 'metadata.json'), 'utf8')).toBe('{"uuid": "other"}');
  });

  it('says what is missing where there is no GNOME, or nothing keeps its settings', async () => {
    program('gnome-shell', '#!/bin/sh\nexit 1\n');
    await expect(run()).rejects.toMatchObject({
      message: expect.stringContaining('GNOME Shell is not installed'),
    });
    shell('43.9');
    program('gsettings', "#!/bin/sh\necho '@as []'\n");
    await expect(run()).rejects.toMatchObject({
      message: expect.stringContaining('settings of GNOME Shell'),
    });
  });
});

it('is a script until GNOME 44, and a module from 45 on', () => {
  expect(() => new Script(extensionScript(44))).not.toThrow();
  expect(extensionScript(44)).toContain('function init(');
  expect(extensionScript(45)).toContain("from 'gi://Meta'");
  // What only modules may have.
  const body = extensionScript(45)
    .replaceAll(/^import .*/gm, '')
    .replace('export default class', 'class Ours');
  expect(() => new Script(body)).not.toThrow();
});

it('reads lists of strings as GLib writes them', () => {
  expect(textsIn('@as []')).toEqual([]);
  expect(textsIn(`['a@b', "it's", 'back\\\\slash', 'quo\\'te']`)).toEqual([
    'a@b',
    "it's",
    'back\\slash',
    "quo'te",
  ]);
});

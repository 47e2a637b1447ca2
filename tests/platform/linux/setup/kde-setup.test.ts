import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopSetup } from '../../../../src/platform/linux/setup/desktop-setups.ts';
import { desktopFile, KdeSetup } from '../../../../src/platform/linux/setup/kde-setup.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'setup-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const asked = (changes: { isUndo?: boolean; isTrial?: boolean } = {}) => ({
  environment: { HOME: home },
  isUndo: false,
  isTrial: false,
  ...changes,
});
const node = realpathSync(process.execPath);

describe('the set-up for KDE Plasma', () => {
  it('names the executable as the kernel does, says whom it admits, and is undone', async () => {
    const done = await new KdeSetup().run(asked());
    expect(done).toMatchObject({ hasChanged: true, allows: expect.stringContaining('Every program that') });
    expect(done.file).toBe(path.join(home, '.local/share/applications/io.deskterity.Deskterity.desktop'));
    const text = readFileSync(done.file, 'utf8');
    expect(text.split('\n')).toContain(`Exec=${node}`);
    expect(text).toBe(done.content);
    expect(await new KdeSetup().run(asked())).toMatchObject({ hasChanged: false });
    expect(await new KdeSetup().run(asked({ isUndo: true }))).toMatchObject({
      hasChanged: true,
      content: undefined,
    });
    expect(existsSync(done.file)).toBe(false);
    expect(readdirSync(path.dirname(done.file))).toEqual([]);
    expect(await new KdeSetup().run(asked({ isUndo: true }))).toMatchObject({ hasChanged: false });
  });

  it('writes and removes nothing on a trial', async () => {
    const shown = await new KdeSetup().run(asked({ isTrial: true }));
    expect(shown).toMatchObject({ hasChanged: true, content: expect.stringContaining('fake_input') });
    expect(readdirSync(home)).toEqual([]);
    const { file } = await new KdeSetup().run(asked());
    expect(await new KdeSetup().run(asked({ isUndo: true, isTrial: true }))).toMatchObject({
      hasChanged: true,
    });
    expect(existsSync(file)).toBe(true);
  });

  it('leaves a file of another program as it is', async () => {
    const folder = path.join(home, '.local/share/applications');
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'io.deskterity.Deskterity.desktop');
    writeFileSync(file, '[Desktop Entry]\nExec=/bin/true\n');
    for (const isUndo of [false, true])
      await expect(new KdeSetup().run(asked({ isUndo }))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readFileSync(file, 'utf8')).toContain('/bin/true');
  });

  it('uses the folder that XDG_DATA_HOME names, unless it is relative', async () => {
    const data = path.join(home, 'data');
    const set = await new KdeSetup().run({ ...asked(), environment: { HOME: home, XDG_DATA_HOME: data } });
    expect(set.file.startsWith(`${data}/applications/`)).toBe(true);
    const other = await new KdeSetup().run({
      ...asked(),
      environment: { HOME: home, XDG_DATA_HOME: 'data' },
    });
    expect(other.file.startsWith(path.join(home, '.local'))).toBe(true);
  });

  it.each(['/opt/my node/node', '/opt/node%f', '/opt/node\nX=1', 'node', '/opt/"node"'])(
    'refuses the path %j, which could say something else in the file',
    (odd) => {
      expect(() => desktopFile(odd)).toThrow('desktop file cannot name');
    },
  );

  it('is only for what needs one', () => {
    for (const name of ['xfce', 'constructor', '__proto__', ''])
      expect(() => desktopSetup(name)).toThrow('Nothing is to be set up');
  });
});

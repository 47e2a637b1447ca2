import { spawn, type ChildProcess } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interpreted } from '../../../../src/platform/linux/process/interpreted.ts';
import { isDesktopShell, isShellName, lineageOf } from '../../../../src/platform/linux/process/lineage.ts';
import { createProgramFacts } from '../../../../src/platform/linux/process/program-facts.ts';

let folder = '';
const started: ChildProcess[] = [];

async function start(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin', ...env },
  });
  started.push(child);
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  return child.pid ?? 0;
}

const facts = () =>
  createProgramFacts({ PATH: '/usr/bin:/bin', XDG_DATA_HOME: folder, XDG_DATA_DIRS: '/nowhere' });

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'facts-'));
  copyFileSync('/bin/sleep', path.join(folder, 'vault'));
  symlinkSync(path.join(folder, 'vault'), path.join(folder, 'notes'));
  writeFileSync(path.join(folder, 'tool.mjs'), 'setTimeout(() => undefined, 60_000);');
  mkdirSync(path.join(folder, 'applications'));
  const entry = (exec: string) => `[Desktop Entry]\nType=Application\nName=Any\nExec=${exec}\n`;
  writeFileSync(path.join(folder, 'applications/org.vault.Vault.desktop'), entry(`${folder}/notes %U`));
  writeFileSync(
    path.join(folder, 'applications/org.tool.Tool.desktop'),
    entry(`${process.execPath} ${folder}/tool.mjs`),
  );
});

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('facts about a program', () => {
  it('name the file that the kernel runs, not the link that it was started by', async () => {
    const pid = await start(path.join(folder, 'notes'), ['60']);
    const found = await facts().ofProcess(pid, true);
    // Everybody may write to the folder above, so that its name proves nothing; nor does the desktop file of a user.
    expect(found).toMatchObject({
      executable: path.join(folder, 'vault'),
      isInstalled: false,
      desktopIds: [],
    });
    expect(found.otherNames).toContain('org.vault.Vault');
    const command = await facts().ofCommand([path.join(folder, 'notes')]);
    expect(command).toMatchObject({ executable: path.join(folder, 'vault'), isInstalled: false });
  });

  it('know a program that was installed', async () => {
    const found = await facts().ofProcess(await start('/usr/bin/sleep', ['60']), true);
    expect(found).toMatchObject({ executable: '/usr/bin/sleep', isInstalled: true });
  });

  it('name the script of an interpreter, and its desktop file', async () => {
    const { otherNames } = await facts().ofProcess(await start(process.execPath, ['tool.mjs']), true);
    expect(otherNames).toEqual(expect.arrayContaining(['tool.mjs', 'node']));
    const whole = await facts().ofProcess(await start(process.execPath, [`${folder}/tool.mjs`]), true);
    expect(whole.otherNames).toEqual(expect.arrayContaining([`${folder}/tool.mjs`, 'org.tool.Tool']));
  });

  it('name a program whose file was removed', async () => {
    copyFileSync('/bin/sleep', path.join(folder, 'gone'));
    const pid = await start(path.join(folder, 'gone'), ['60']);
    unlinkSync(path.join(folder, 'gone'));
    expect((await facts().ofProcess(pid, false)).executable).toBe(path.join(folder, 'gone'));
  });

  it('know our own dialogs, and nothing of a process that has ended', async () => {
    const pid = await start('/usr/bin/sleep', ['60'], { DESKTERITY_DIALOG: '1' });
    expect(await facts().ofProcess(pid, false)).toMatchObject({ isOurDialog: true });
    expect(await facts().ofProcess(0, true)).toEqual({ otherNames: [] });
    expect(await facts().keyOf(process.pid)).toMatch(/^\d+$/);
  });

  it('tell what a process comes from', async () => {
    const pid = await start('/usr/bin/sleep', ['60']);
    const [own] = await facts().lineageOf(pid);
    expect(own?.slice(0, 2).map((one) => one.pid)).toEqual([pid, process.pid]);
  });

  it('do not follow what a process comes from beyond the panel that started it', async () => {
    const pid = await start('/usr/bin/sleep', ['60']);
    expect(lineageOf(pid, (one) => one === process.pid)[0]?.map((one) => one.pid)).toEqual([pid]);
    expect(lineageOf(process.pid, (one) => one === process.pid)[0]?.[0]?.pid).toBe(process.pid);
  });

  it('know a panel that was installed, not a copy that is called so', async () => {
    const copy = path.join(folder, 'openbox');
    copyFileSync('/usr/bin/sleep', copy);
    expect(isDesktopShell(await start(copy, ['60']))).toBe(false);
    expect(isShellName('/usr/bin/xfce4-panel')).toBe(true);
    expect(isShellName('/usr/bin/xterm')).toBe(false);
  });

  it('do not believe a path that only the process sees', async (context) => {
    const fake = '/usr/bin/sleep';
    // In mounts of its own, the copy is where another program is.
    const pid = await start('/usr/bin/bwrap', [
      '--ro-bind',
      '/',
      '/',
      '--ro-bind',
      path.join(folder, 'vault'),
      fake,
      '--dev',
      '/dev',
      '--',
      fake,
      '60',
    ]).catch(() => 0);
    const child = await waitForChild(pid);
    if (child === undefined) context.skip('bubblewrap cannot start programs here');
    const found = await facts().ofProcess(child ?? 0, true);
    expect(found.executable).toBeUndefined();
    expect(found.otherNames).toContain(fake);
  });

  it.each([
    [
      ['-u', '/a.py', 'b'],
      ['/a.py', 'b'],
    ],
    [['-m', 'vault'], ['vault']],
    [['-Xmx1g', '-jar', '/opt/a.jar'], ['/opt/a.jar']],
    [['/opt/Bitwarden/resources/app.asar'], ['/opt/Bitwarden/resources/app.asar', 'Bitwarden']],
    [['-c', 'print(1)'], []],
  ])('of the words %o, %o tell what runs', (words, names) => {
    expect(interpreted(words, '/w')).toEqual(names);
  });
});

async function waitForChild(pid: number): Promise<number | undefined> {
  if (pid === 0) return undefined;
  const { readlinkSync } = await import('node:fs');
  const { descendants } = await import('../../../../src/platform/linux/process/facts.ts');
  for (let tries = 0; tries < 100; tries += 1) {
    for (const one of descendants(pid)) {
      try {
        if (readlinkSync(`/proc/${one}/exe`).endsWith('/sleep')) return one;
      } catch {
        // It has ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

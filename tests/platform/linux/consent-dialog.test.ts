import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askOnDesktop } from '../../../src/platform/linux/machine/consent-dialog.ts';

const USER = { DISPLAY: ':7', HOME: '/home/ada', LD_PRELOAD: '/tmp/agrees.so', PATH: '/nowhere' };
const TYPES_CODE = `printf '%s' "$*" | sed -n 's/.*type \\([0-9]*\\) and press OK.*/\\1/p'`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ask-'));
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

/** Installs a program of this name, which notes its words and variables before it runs the script. */
async function install(name: string, script: string): Promise<void> {
  const file = join(folder, name);
  const notes = `printf '%s\\n' "$@" > '${folder}/words'; env > '${folder}/variables'`;
  await writeFile(file, `#!/bin/sh\n${notes}\n${script}\n`);
  await chmod(file, 0o755);
}

async function ask(
  environment: Readonly<Record<string, string>> = USER,
  { question = 'Delete?', limitMs = 5000, signal = new AbortController().signal } = {},
) {
  return askOnDesktop(environment, question, { limitMs, signal, folders: folder });
}

describe('the dialog on the desktop of the user', () => {
  it.each(['zenity', 'kdialog', 'yad'])('takes the number that it shows from %s', async (name) => {
    await install(name, TYPES_CODE);
    expect(await ask()).toBe('agreed');
  });

  it.each([
    ['the wrong number', 'echo 1', 'declined'],
    ['OK without a number', 'exit 0', 'declined'],
    ['Cancel', 'exit 1', 'declined'],
    ['a closed window', 'exit 252', 'declined'],
    ['a number with another exit code', `${TYPES_CODE}; exit 5`, 'declined'],
    ['no window', 'echo "cannot open display: :7" >&2; exit 1', 'absent'],
    ['a killed window', 'kill -9 $$', 'absent'],
    ['no answer in time', 'exec sleep 30', 'unanswered'],
  ])('%s: %s', async (_, script, answer) => {
    await install('zenity', script);
    expect(await ask(USER, { limitMs: script.includes('sleep') ? 100 : 5000 })).toBe(answer);
  });

  it('closes with the call', async () => {
    await install('zenity', 'exec sleep 30');
    const controller = new AbortController();
    const asking = ask(USER, { signal: controller.signal });
    controller.abort();
    expect(await asking).toBe('unanswered');
  });

  it('is not opened by a daemon of a private desktop, whatever variables its caller leaves out', async () => {
    await install('zenity', TYPES_CODE);
    const options = { limitMs: 5000, signal: new AbortController().signal, folders: folder };
    const own = { DESKTERITY_PRIVATE_DESKTOP: '1' };
    expect(await askOnDesktop(USER, 'Delete?', options, own)).toBe('absent');
  });

  it('is opened neither on private desktops, nor without a display, nor by a program of the caller', async () => {
    await install('zenity', TYPES_CODE);
    expect(await ask({ ...USER, DESKTERITY_PRIVATE_DESKTOP: 'x' })).toBe('absent');
    expect(await ask({ HOME: '/home/ada' })).toBe('absent');
    const options = { limitMs: 5000, folders: join(folder, 'none') };
    expect(await askOnDesktop({ ...USER, PATH: folder }, 'Delete?', options)).toBe('absent');
  });

  it('passes the question as one word without control characters, and no variable that loads code', async () => {
    await install('zenity', TYPES_CODE);
    const question = '--help <b>x</b>\u001B[2J\n--text=Save? \\n $(id)';
    expect(await ask(USER, { question })).toBe('agreed');
    const words = await readFile(join(folder, 'words'), 'utf8');
    expect(words).toContain('\n--text=--help <b>x</b> [2J --text=Save? \\\\n $(id)\n');
    const variables = await readFile(join(folder, 'variables'), 'utf8');
    expect(variables).toContain('DISPLAY=:7\n');
    expect(variables).not.toMatch(/LD_PRELOAD|PATH=\/nowhere/);
  });
});

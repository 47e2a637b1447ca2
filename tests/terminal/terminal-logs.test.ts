import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { terminalLogFolder, TerminalLogs } from '../../src/terminal/sessions/terminal-logs.ts';
import { logFolder } from '../../src/platform/paths.ts';
import { createPlatform } from '../../src/platform/select.ts';
import { Configuration } from '../../src/model/configuration/config.ts';

const FILES = createPlatform().logs;

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deskterity-terminal-log-')));
});
afterEach(() => rm(root, { recursive: true }));

function asking(terminal: Record<string, string> = {}, cache = join(root, 'cache')) {
  return {
    caller: { environment: { HOME: join(root, 'home'), TMPDIR: join(root, 'tmp') }, cwd: join(root, 'work') },
    configuration: Configuration.parse({ terminal }),
    usual: logFolder(cache),
  };
}

async function filesIn(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  );
}

const STEP = { level: 'info', message: 'terminal', fields: { action: 'run' } } as const;
const SECRET = { level: 'debug', message: 'terminal command', fields: { command: 'echo hush' } } as const;

describe('the log of terminals', () => {
  it('is a separate file, with commands only at level debug', async () => {
    const logs = new TerminalLogs(FILES);
    for (const level of ['info', 'debug']) {
      const log = await logs.of(asking({ log_level: level, log_dir: join(root, level) }));
      log.write(SECRET);
      log.write(STEP);
    }
    await logs.flush();
    const [[name, text] = []] = Object.entries(await filesIn(join(root, 'info')));
    expect(name).toMatch(/^deskterity-terminal-\d{4}-\d\d-\d\d\.log$/);
    expect(text).toContain('"action":"run"');
    expect(text).not.toContain('hush');
    const [debug = ''] = Object.values(await filesIn(join(root, 'debug')));
    expect(debug.split('\n').map((line) => line.replace(/.*"message":"([^"]*)".*/, '$1'))).toEqual([
      'terminal command',
      'terminal',
      '',
    ]);
    expect(debug).toContain('hush');
  });

  it('goes to the usual log folder by default, and only its owner can read it', async () => {
    const logs = new TerminalLogs(FILES);
    (await logs.of(asking())).write(STEP);
    await logs.flush();
    const folder = join(root, 'cache/logs');
    const [name = ''] = Object.keys(await filesIn(folder));
    expect((await lstat(join(folder, name))).mode & 0o777).toBe(0o600);
    expect((await lstat(folder)).mode & 0o777).toBe(0o700);
  });

  it('does not exist at level none', async () => {
    const logs = new TerminalLogs(FILES);
    const log = await logs.of(asking({ log_level: 'none', log_dir: join(root, 'never') }));
    log.write({ ...STEP, level: 'error' });
    await logs.flush();
    expect(await readdir(root)).toEqual([]);
  });

  it('leaves a configured folder and its content unchanged', async () => {
    const folder = join(root, 'shared');
    await mkdir(folder, { mode: 0o755 });
    await chmod(folder, 0o755);
    await writeFile(join(folder, 'deskterity-2020-01-01.log'), 'another log');
    await writeFile(join(folder, 'deskterity-terminal-2020-01-01.log'), 'an old one');
    const logs = new TerminalLogs(FILES);
    (await logs.of(asking({ log_dir: folder }))).write(STEP);
    await logs.flush();
    expect((await lstat(folder)).mode & 0o777).toBe(0o755);
    const names = await readdir(folder);
    expect(names).toContain('deskterity-2020-01-01.log');
    expect(names).not.toContain('deskterity-terminal-2020-01-01.log');
    expect(names).toHaveLength(2);
  });

  it('continues when the folder is created later', async () => {
    const logs = new TerminalLogs(FILES);
    const log = await logs.of(asking({ log_dir: join(root, 'a/b') }));
    log.write(STEP);
    await logs.flush();
    await rm(join(root, 'a'), { recursive: true });
    log.write(STEP);
    await logs.flush();
    expect(Object.values(await filesIn(join(root, 'a/b')))).toHaveLength(1);
  });
});

it('is refused if the configured folder cannot be used, and off without one', async () => {
  await writeFile(join(root, 'cache'), 'no folder');
  await writeFile(join(root, 'tmp'), 'none either');
  const logs = new TerminalLogs(FILES);
  for (const named of [join(root, 'cache/mine'), 'SYSTEM_TEMP'])
    await expect(logs.of(asking({ log_dir: named }))).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  (await logs.of(asking())).write(STEP);
  await logs.flush();
  await rm(join(root, 'cache'));
  await mkdir(join(root, 'cache'));
  (await logs.of(asking({ log_dir: join(root, 'cache/mine') }))).write(STEP);
  await logs.flush();
  expect(Object.values(await filesIn(join(root, 'cache/mine')))).toEqual([expect.stringContaining('run')]);
});

describe('the folder of the terminal log', () => {
  it.each([
    ['', 'cache/logs'],
    ['~/mine', 'home/mine'],
    ['here', 'work/here'],
    ['SYSTEM_TEMP', `tmp/deskterity-${process.getuid?.()}/deskterity-terminal`],
  ])('configured as %j is %s', async (asked, expected) => {
    expect(await terminalLogFolder(FILES, asking({ log_dir: asked }))).toBe(join(root, expected));
    expect((await lstat(join(root, expected))).isDirectory()).toBe(true);
  });

  it('is the fallback if the usual one cannot be used', async () => {
    await writeFile(join(root, 'cache'), 'no folder');
    expect(await terminalLogFolder(FILES, asking())).toBe(
      join(root, `tmp/deskterity-${process.getuid?.()}/deskterity-terminal`),
    );
  });

  it('is not one in which others could create links', async () => {
    const folder = join(root, 'open');
    await mkdir(folder);
    await chmod(folder, 0o777);
    await expect(terminalLogFolder(FILES, asking({ log_dir: folder }))).rejects.toThrow(
      'written by other users',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not a link in the folder for temporary files', async () => {
    const own = join(root, `tmp/deskterity-${process.getuid?.()}`);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await mkdir(join(root, 'elsewhere'), { mode: 0o700 });
    await symlink(join(root, 'elsewhere'), join(own, 'deskterity-terminal'));
    await expect(terminalLogFolder(FILES, asking({ log_dir: 'SYSTEM_TEMP' }))).rejects.toThrow(
      'is not a folder',
    );
  });
});

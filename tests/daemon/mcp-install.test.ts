import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { envelope, Lab, useLab } from './support.ts';

const lab = useLab();

/** A machine with no desktop: no DISPLAY and no bus. */
const install = async (args: readonly string[], changes: NodeJS.ProcessEnv = {}) =>
  lab().desk(['mcp', 'install', ...args], changes);

it.each([[[]], [['--no-daemon']]])('registers the built program, %j', async (how) => {
  const home = join(lab().folder, 'home');
  const file = join(home, '.codex/config.toml');
  const before = '# mine\r\nmodel = "x"\r\n';
  await mkdir(join(home, '.codex'), { recursive: true });
  await writeFile(file, before);
  await chmod(file, 0o640);

  const shown = await install(['--dry-run', '--format', 'text', ...how]);
  expect(shown.stdout).toContain('+[mcp_servers.deskterity]');
  expect(await readFile(file, 'utf8')).toBe(before);

  // The only installed client.
  const done = envelope(await install(['--toolsets', 'core,all', '--read-only', ...how]));
  const script = join(lab().program, 'desk.cjs');
  expect(done).toMatchObject({
    ok: true,
    command: 'mcp install',
    client: 'codex',
    file,
    changed: true,
    entry: {
      command: process.execPath,
      args: [script, 'mcp', '--structured', 'never', '--toolsets', 'core,all', '--read-only'],
    },
    next: expect.stringContaining('Codex'),
  });
  const after = await readFile(file, 'utf8');
  expect(after.startsWith(`${before}\r\n[mcp_servers.deskterity]\r\ncommand = `)).toBe(true);
  expect(await readFile(String(done['backup']), 'utf8')).toBe(before);

  const again = ['--client', 'codex', '--toolsets', 'core,all', '--read-only', ...how];
  expect(envelope(await install(again))).toMatchObject({ ok: true, changed: false, diff: '' });
  expect(envelope(await install(['--remove', '--client', 'codex', ...how]))).toMatchObject({ changed: true });
  expect(await readFile(file, 'utf8')).toBe(before);
  expect(lab().daemons()).toHaveLength(how.length === 0 ? 1 : 0);
});

it('registers the copy that was called, not the one whose daemon runs', async () => {
  await lab().desk(['version']);
  const copy = join(lab().folder, 'another copy', 'dist');
  await cp(lab().program, copy, { recursive: true });
  const other = new Lab(lab().folder, copy);
  const printed = await other.desk(['mcp', 'install', '--client', 'codex', '--print', '--format', 'text']);
  expect(printed.stdout).toContain(join(copy, 'desk.cjs'));
  expect(lab().daemons()).toHaveLength(1);
});

it('starts it by its name if the caller’s shell finds it', async () => {
  const bin = join(lab().folder, 'bin');
  await mkdir(bin);
  await symlink(join(lab().program, 'desk.cjs'), join(bin, 'desk'));
  const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
  const printed = await install(['--client', 'claude-code', '--print', '--format', 'text'], { PATH });
  expect(JSON.parse(printed.stdout)).toEqual({
    mcpServers: { deskterity: { type: 'stdio', command: 'desk', args: ['mcp', '--structured', 'never'] } },
  });
  const options = ['--sandbox-scope', '/srv/one', '--tools-dir', '/srv/tools', '--no-sandbox', '--sync'];
  const carried = await install(['--client', 'claude-code', '--print', ...options], { PATH });
  expect(envelope(carried)['entry']).toMatchObject({ args: ['mcp', '--structured', 'never', ...options] });
});

it('reports where a file is invalid and which clients exist', async () => {
  const home = join(lab().folder, 'home');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, '.claude.json'), '{\n  "a": 1,\n}');
  const wrong = await install(['--client', 'claude-code']);
  expect([wrong.exitCode, envelope(wrong).error?.message]).toEqual([
    2,
    `${join(home, '.claude.json')} is not valid JSON at line 3, column 1: property name expected.`,
  ]);
  const unknown = await install(['--client', 'cursr']);
  expect([unknown.exitCode, envelope(unknown).error?.suggestion]).toEqual([
    5,
    expect.stringContaining('cursor'),
  ]);
});

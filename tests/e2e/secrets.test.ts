import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture } from '../../fixtures/driver.ts';
import { usePlace } from './harness.ts';
import { Found } from './support/answers.ts';

const SECRET = 'correct-horse-Grüße-7';

let fixture: Fixture;
const place = usePlace(async (started) => {
  fixture = await started.fixture('gtk3');
});

const Status = z.object({ daemon: z.object({ pid: z.int() }) });
const State = z.object({ text: z.string() });

async function fieldRef(name = 'Password'): Promise<string> {
  const app = String(fixture.pid);
  const { matches } = (await place().desk(['find', name, '--app', app, '--exact'])).ok(Found);
  const field = matches.find(({ role }) => role === 'textbox');
  return field?.ref ?? '';
}

/** Everything stored below the home of this desktop: log, state, configuration. */
async function keptAtHome(): Promise<string> {
  const home = place().desktop.environment['HOME'] ?? '';
  const entries = await readdir(home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  expect(files.some((file) => file.includes('deskterity'))).toBe(true);
  const texts = await Promise.all(files.map((file) => readFile(file, 'latin1')));
  return texts.join('\n');
}

const proc = (pid: number, name: string) => readFile(`/proc/${pid}/${name}`, 'utf8');
const bytes = (text: string) => Buffer.from(text).toString('latin1');

async function textInTheField(): Promise<string> {
  return State.parse(await fixture.control('get', { widget: 'password' })).text;
}

it.each([
  ['standard input', []],
  ['standard input', ['--no-daemon']],
])('a password comes from %s %j, and is nowhere else', async (_from, flags) => {
  await fixture.control('set', { widget: 'password', property: 'text', value: '' });
  const ref = await fieldRef();
  const { environment } = place().desktop;
  const args = ['set-value', ref, '--from-stdin', '--verbose', ...flags];
  const child = spawn(process.execPath, [place().entry, ...args], { env: { ...environment } });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  child.stderr.setEncoding('utf8').on('data', (piece: string) => (printed += piece));
  child.stdin.write(SECRET.slice(0, 5));
  const commandLine = await proc(child.pid ?? 0, 'cmdline');
  expect(commandLine).toContain('--from-stdin');
  expect(commandLine).not.toContain(SECRET.slice(0, 5));
  child.stdin.end(`${SECRET.slice(5)}\n`);
  const exitCode = await new Promise((resolve) => child.once('close', resolve));

  expect({ exitCode, printed }).toMatchObject({ exitCode: 0 });
  expect(await textInTheField()).toBe(SECRET);
  expect(printed).toContain('set-value');
  expect(printed).not.toContain(SECRET);
  expect(await keptAtHome()).not.toContain(bytes(SECRET));
  const { pid } = (await place().desk(['status'])).ok(Status).daemon;
  expect(await proc(pid, 'cmdline')).not.toContain(SECRET);
});

it('takes a password from a variable, which the daemon does not inherit', async () => {
  await place().desk(['daemon', 'stop']);
  await fixture.control('set', { widget: 'password', property: 'text', value: '' });
  const ref = await fieldRef();
  const reply = await place().desk(['set-value', ref, '--from-env', 'SITE_PASSWORD'], {
    SITE_PASSWORD: SECRET,
  });
  expect(reply.exitCode).toBe(0);
  expect(reply.stdout + reply.stderr).not.toContain(SECRET);
  expect(await textInTheField()).toBe(SECRET);
  expect(await keptAtHome()).not.toContain(bytes(SECRET));
  const { pid } = (await place().desk(['status'])).ok(Status).daemon;
  expect(await proc(pid, 'environ')).not.toContain(SECRET);
  expect(await proc(pid, 'cmdline')).not.toContain(SECRET);
});

it('prompts for it on a terminal without showing it', async () => {
  await fixture.control('set', { widget: 'password', property: 'text', value: '' });
  const argv = [
    process.execPath,
    place().entry,
    'set-value',
    await fieldRef(),
    '--from-stdin',
    '--format',
    'json',
  ];
  const steps = [
    { keys: '', until: '(not shown): ' },
    { keys: `wrong\u0015${SECRET}x\u007F\r`, until: '"effect"' },
  ];
  const request = { argv, environment: place().desktop.environment, cwd: place().folder, steps };
  const typist = spawn('python3', [fileURLToPath(new URL('./support/type-into-shell.py', import.meta.url))]);
  let shown = '';
  typist.stdout.setEncoding('utf8').on('data', (piece: string) => (shown += piece));
  typist.stdin.end(JSON.stringify(request));
  await new Promise((resolve) => typist.once('close', resolve));
  const screens = z.array(z.string()).parse(JSON.parse(shown));
  expect(screens[0]).toBe('value (not shown): ');
  expect(screens[1]).toContain('"effect"');
  expect(screens.join('')).not.toMatch(/wrong|correct|Gr/);
  expect(await textInTheField()).toBe(SECRET);
});

it('neither sets nor repeats invalid input', async () => {
  const ref = await fieldRef();
  const missing = await place().desk(['set-value', ref, '--from-env', 'NOT_THERE']);
  expect(missing.error('INVALID_ARGUMENT').message).toContain('NOT_THERE');
  const mistaken = await place().desk(['set-value', ref, '--from-env', SECRET]);
  mistaken.error('INVALID_ARGUMENT');
  expect(mistaken.stdout).not.toContain(SECRET);
  const both = await place().desk(['set-value', ref, 'x', '--from-env', 'HOME']);
  both.error('INVALID_ARGUMENT');
  (await place().desk(['set-value', ref])).error('INVALID_ARGUMENT');
});

it('repeats the text of a field that shows it in no receipt and no file', async () => {
  const ref = await fieldRef('Name');
  const set = await place().desk(['set-value', ref, '--from-env', 'CODE'], { CODE: SECRET });
  expect(set.exitCode).toBe(0);
  expect(set.stdout).toContain('value \\"[withheld]\\"');
  const seen = await place().desk(['snapshot', '--app', String(fixture.pid)]);
  expect(seen.stdout).toContain('[withheld]');
  expect(seen.stdout).not.toContain(SECRET);
  expect(await keptAtHome()).not.toContain(bytes(SECRET));
  const open = await place().desk(['set-value', ref, 'Ada']);
  expect(open.exitCode).toBe(0);
  expect(open.stdout).toContain('Ada');
  expect(set.stdout + open.stdout).not.toContain(SECRET);
});

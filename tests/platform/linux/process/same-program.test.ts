import { spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isSameProgram } from '../../../../src/platform/linux/process/same-program.ts';
import { commandLine } from '../../../../src/platform/linux/process/facts.ts';

let folder = '';
const started: ChildProcess[] = [];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'deskterity-test-')));
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** A program that waits, at this path. */
function program(name: string): string {
  const path = join(folder, name);
  copyFileSync(realpathSync('/bin/sleep'), path);
  return path;
}

function script(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, '#!/bin/sh\nread -r line\n');
  chmodSync(path, 0o755);
  return path;
}

async function run(path: string, ...args: string[]): Promise<number> {
  const child = spawn(path, args, { stdio: ['pipe', 'ignore', 'ignore'] });
  started.push(child);
  await new Promise((resolve) => child.once('spawn', resolve));
  const pid = child.pid ?? 0;
  await expect.poll(() => commandLine(pid).some((part) => part.includes(folder))).toBe(true);
  return pid;
}

it('recognises a program by its file, through links', async () => {
  const pid = await run(program('editor'), '60');
  symlinkSync(join(folder, 'editor'), join(folder, 'vi'));
  expect(isSameProgram(join(folder, 'editor'), pid)).toBe(true);
  expect(isSameProgram(join(folder, 'vi'), pid)).toBe(true);
  expect(isSameProgram(program('viewer'), pid)).toBe(false);
});

it.each(['office.bin', 'office-server', 'office'])(
  'recognises %s as what the start script "office" runs',
  async (name) => {
    const pid = await run(program(name), '60');
    expect(isSameProgram('/elsewhere/office', pid)).toBe(true);
    expect(isSameProgram('/elsewhere/off', pid)).toBe(false);
  },
);

it('recognises a script, and not every program of its interpreter', async () => {
  const pid = await run(script('app.sh'));
  expect(isSameProgram(join(folder, 'app.sh'), pid)).toBe(true);
  expect(isSameProgram(script('other.sh'), pid)).toBe(false);
  expect(isSameProgram('/bin/sh', pid)).toBe(false);
});

it('recognises nothing in a process that has ended', () => {
  expect(isSameProgram('/bin/sleep', 2 ** 22 + 1)).toBe(false);
});

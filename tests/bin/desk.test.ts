import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deskOptions, hostOptions } from '../../scripts/build.mjs';

// The program as it is published, far from node_modules: what is not bundled is missing.
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deskterity-test-'));
  await Promise.all([build(deskOptions(folder)), build(hostOptions(folder))]);
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs it with a bare environment: no display, no HOME. */
function desk(...argv: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(folder, 'desk.js'), ...argv],
      { env: {}, cwd: folder },
      (_, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout, stderr });
      },
    );
  });
}

describe('without a display', () => {
  it('version answers', async () => {
    const { exitCode, stdout, stderr } = await desk('version');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      command: 'version',
      program: 'deskterity',
      node: process.versions.node,
    });
  });

  it('status says that there is none', async () => {
    const { exitCode, stdout } = await desk('status');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      desktop: null,
      problem: { code: expect.any(String) },
    });
  });

  it('help, and mistakes, are about the command line only', async () => {
    expect(await desk()).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await desk('click', '--help')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Usage: desk click <ref>'),
    });
    expect(await desk('click', 'seven', '--format', 'text')).toMatchObject({
      exitCode: 5,
      stderr: expect.stringContaining('INVALID_ARGUMENT'),
    });
    expect(await desk('get', 'volume', '@e1')).toMatchObject({
      exitCode: 5,
      stdout: expect.stringContaining('expected one of text'),
    });
  });
});

it('Ctrl-C cancels a command, which says so', async () => {
  // Until the program listens, the signal ends it at once; a slow machine gets more time to start.
  let ended = await interrupted(1500);
  if (ended.exitCode === null) ended = await interrupted(10_000);
  expect(ended.exitCode).toBe(1);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    ok: false,
    command: 'wait',
    error: { code: 'CANCELLED' },
  });
});

async function interrupted(afterMs: number): Promise<{ exitCode: number | null; stdout: string }> {
  const child = spawn(process.execPath, [join(folder, 'desk.js'), 'wait', '60000'], { env: {} });
  let stdout = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  setTimeout(() => child.kill('SIGINT'), afterMs);
  return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, stdout })));
}

it('a reader that goes away is no failure', async () => {
  const child = spawn(process.execPath, [join(folder, 'desk.js'), '--help'], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  expect(stderr).toBe('');
});

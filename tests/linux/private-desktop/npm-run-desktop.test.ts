import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pause, taggedProcesses } from './support.ts';

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run desktop -- …` without npm; `act` may send signals once the command has printed something. */
function runDesktop(
  args: readonly string[],
  act?: (pid: number) => void,
  input = '',
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['scripts/desktop.mjs', ...args], { env: environment });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (stdout === '' && child.pid !== undefined) act?.(child.pid);
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin.end(input);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

async function expectGone(id: string): Promise<void> {
  for (let wait = 0; wait < 60 && existsSync(`/tmp/deskterity-desktop-${id}`); wait += 1) await pause(50);
  expect(existsSync(`/tmp/deskterity-desktop-${id}`)).toBe(false);
  expect(taggedProcesses(`DESKTERITY_PRIVATE_DESKTOP=${id}`)).toEqual([]);
}

const PRINT_ID = 'echo $DESKTERITY_PRIVATE_DESKTOP';

describe('npm run desktop', () => {
  it('runs the command inside and returns its exit code', async () => {
    const outcome = await runDesktop(['sh', '-c', `${PRINT_ID}; xprop -root AT_SPI_BUS >&2; exit 7`]);
    expect(outcome).toMatchObject({ code: 7, signal: null });
    expect(outcome.stderr).toContain('unix:path=');
    await expectGone(outcome.stdout.trim());
  });

  it('ends processes that the command left running', async () => {
    const outcome = await runDesktop(['sh', '-c', `${PRINT_ID}; setsid sleep 1020 & exit 0`]);
    expect(outcome.code).toBe(0);
    await expectGone(outcome.stdout.trim());
  });

  it.each<[NodeJS.Signals, number]>([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ])('passes %s on to the command and exits after it', async (signal, code) => {
    const outcome = await runDesktop(['sh', '-c', `${PRINT_ID}; exec sleep 60`], (pid) =>
      process.kill(pid, signal),
    );
    expect(outcome.code).toBe(code);
    await expectGone(outcome.stdout.trim());
  });

  it('leaves nothing behind when it is killed', async () => {
    const outcome = await runDesktop(['sh', '-c', `${PRINT_ID}; exec sleep 60 >/dev/null 2>&1`], (pid) =>
      process.kill(pid, 'SIGKILL'),
    );
    expect(outcome.signal).toBe('SIGKILL');
    await expectGone(outcome.stdout.trim());
  });

  it('starts a shell without a command', async () => {
    const outcome = await runDesktop([], undefined, `${PRINT_ID}\nexit 5\n`, {
      ...process.env,
      SHELL: '/bin/sh',
    });
    expect(outcome.code).toBe(5);
    expect(outcome.stderr.trim().split('\n')).toHaveLength(1);
    expect(outcome.stderr).toMatch(/^Private desktop :\d+, ready in \d+ ms\./);
    await expectGone(outcome.stdout.trim());
  });

  it('returns the exit code of a shell for a missing command', async () => {
    const outcome = await runDesktop(['no-such-program']);
    expect(outcome).toMatchObject({ code: 127, stderr: 'desktop: no-such-program: no such program\n' });
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { currentOwner, isOwnerDead } from '../../src/platform/linux/private-desktop/owner.ts';
import { processStartTime } from '../../src/platform/linux/process/facts.ts';
import { isAlive } from '../../src/platform/paths.ts';
import { withFileLock } from '../../src/platform/node/file-lock.ts';

const PYTHON = '/usr/bin/python3';
/** Ends by the system call (60 on x86-64, 93 elsewhere): a process of several threads looks like that while it is being killed. */
const FIRST_THREAD_ENDS = `import ctypes, os, threading, time
threading.Thread(target=time.sleep, args=(60,)).start()
ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)`;

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

/** A process that has ended and that its parent never collects. */
async function uncollected(): Promise<number> {
  // The shell becomes a program that knows of no child; until then it would collect it.
  const parent = spawn('/bin/sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  endings.push(async () => {
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  });
  const [line]: unknown[] = await new Promise<unknown[]>((resolve) => {
    parent.stdout?.once('data', (...given: unknown[]) => resolve(given));
  });
  const pid = Number(String(line).trim());
  while ((await readFile(`/proc/${parent.pid}/comm`, 'utf8')) !== 'sleep\n') await sleep(1);
  parent.stdio[3]?.destroy();
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    if (stat.includes(') Z ')) return pid;
  }
}

describe('a killed process that was not reaped', () => {
  it('does not count as alive', async () => {
    const pid = await uncollected();
    expect(() => process.kill(pid, 0)).not.toThrow();
    expect(isAlive(pid)).toBe(false);
  });

  it('does not keep its private desktop from being cleaned up', async () => {
    const pid = await uncollected();
    const startTime = processStartTime(pid) ?? '';
    expect(isOwnerDead({ ...currentOwner(), pid, startTime })).toBe(true);
    expect(isOwnerDead(currentOwner())).toBe(false);
  });

  it('does not keep a lock', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lock-'));
    endings.push(() => rm(folder, { recursive: true }));
    const lock = join(folder, 'lock');
    await writeFile(lock, `${await uncollected()} 0123456789abcdef`);
    await expect(withFileLock(lock, async () => 'taken')).resolves.toBe('taken');
  });
});

describe('a process', () => {
  it.skipIf(!existsSync(PYTHON))(
    'whose first thread has ended is alive while another runs (skipped where there is no Python)',
    async () => {
      const child = spawn(PYTHON, ['-c', FIRST_THREAD_ENDS], { stdio: 'ignore' });
      const pid = child.pid ?? 0;
      try {
        while (!(await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ')) await sleep(5);
        expect(isAlive(pid)).toBe(true);
      } finally {
        child.kill('SIGKILL');
      }
      await once(child, 'exit');
    },
  );

  it('is alive while it runs', async () => {
    const child = spawn('sleep', ['60']);
    const pid = child.pid ?? 0;
    expect(isAlive(pid)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(isAlive(pid)).toBe(false);
  });

  it('of another user is alive', () => {
    expect(isAlive(1)).toBe(true);
  });

  it.each([0, -1, Number.NaN, 1.5])('never has the pid %d', (pid) => {
    expect(isAlive(pid)).toBe(false);
  });
});

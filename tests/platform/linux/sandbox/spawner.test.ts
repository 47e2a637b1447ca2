import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SpawnWorker } from '../../../../src/platform/linux/sandbox/workers/spawner.ts';

/**
 * A thread that starts what it is asked to only when a file is there, as one does whose file system did not answer, and tells so only when
 * another is there: the test has seen the program by then, however slow the machine is.
 */
const SLOW_WORKER = `
const { parentPort } = require('node:worker_threads');
const { spawn } = require('node:child_process');
const { existsSync } = require('node:fs');
parentPort.on('message', ({ id, command: [program, argument, gate] }) => {
  let pid;
  const timer = setInterval(() => {
    if (pid === undefined && existsSync(gate)) pid = spawn(program, [argument], { stdio: 'ignore' }).pid;
    if (pid === undefined || !existsSync(gate + '.told')) return;
    clearInterval(timer);
    parentPort.postMessage({ type: 'started', id, pid, startTime: '' });
  }, 10);
});
parentPort.postMessage({ type: 'ready' });
`;

/** State of the process with this argument, such as S or Z; undefined where there is none. */
function stateOf(argument: string): string | undefined {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')[1] === argument)
        return /^State:\s+(\w)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1];
    } catch {
      // It is gone.
    }
  }
  return undefined;
}

it('kills a program that starts too late', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'spawner-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [file, gate] = [join(folder, 'worker.cjs'), join(folder, 'gate')];
  writeFileSync(file, SLOW_WORKER);
  const worker = await SpawnWorker.create(file, {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const argument = `300.${Number.parseInt(randomUUID().slice(0, 8), 16)}`;
  const start = worker.start({
    command: ['/bin/sleep', argument, gate],
    cwd: '/',
    environment: {},
    descriptors: [],
  });
  vi.advanceTimersByTime(60_000);
  await expect(start).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  vi.useRealTimers();
  expect(worker.isGone).toBe(true);
  await worker.close();
  writeFileSync(gate, '');
  await expect.poll(() => stateOf(argument), { timeout: 5000 }).toBe('S');
  writeFileSync(`${gate}.told`, '');
  await expect.poll(() => stateOf(argument), { timeout: 5000 }).toBeUndefined();
});

import { spawn, type ChildProcess } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startedLately, ticksNow } from '../../../../src/platform/linux/process/started-by.ts';

const LONG_AGO_MS = 24 * 3_600_000;
const running: number[] = [];

afterEach(() => {
  for (const pid of running.splice(0)) process.kill(pid, 'SIGKILL');
});

/** Resolves with the process ids that the script prints, one a line. */
async function run(
  script: string,
  lines: number,
  environment: Record<string, string> = {},
): Promise<number[]> {
  const child: ChildProcess = spawn('sh', ['-c', script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const pids = await new Promise<number[]>((resolve) => {
    let text = '';
    child.stdout?.on('data', (part: Buffer) => {
      text += part.toString();
      const all = text.trim().split('\n');
      if (all.length >= lines) resolve(all.map(Number));
    });
  });
  running.push(...pids);
  return pids;
}

const orphan = 'sleep 60 >/dev/null & echo $!; exit';

describe('what a process started', () => {
  it('is what it started itself, or by what it had just started', async () => {
    const [shell = 0, child = 0] = await run('echo $$; sleep 60 >/dev/null & echo $!; wait', 2);
    expect(startedLately(process.pid, [shell, child], 10_000)).toEqual(new Set([shell, child]));
    expect(startedLately(shell, [shell, child], 10_000)).toEqual(new Set([child]));
    expect(startedLately(child, [shell, child], 10_000)).toEqual(new Set());
  });

  it('is nothing that runs for longer, nor what that starts now', async () => {
    const [shell = 0, child = 0] = await run('echo $$; sleep 0.5; sleep 60 >/dev/null & echo $!; wait', 2);
    expect(startedLately(process.pid, [shell, child], 300)).toEqual(new Set());
    expect(startedLately(shell, [shell, child], 300)).toEqual(new Set([child]));
  });

  it.for([`files/|bin|sh/${process.pid}-0-host_TIME0`, `files-${process.pid}-host-viewer-3_TIME77`])(
    'is what the startup notification says it asked for: %s',
    async (id) => {
      const pids = await run(orphan, 1, { DESKTOP_STARTUP_ID: id });
      expect(startedLately(process.pid, pids, 10_000)).toEqual(new Set(pids));
      expect(startedLately(1_000_000, pids, 10_000)).toEqual(new Set());
    },
  );

  it('is an orphan in the session that it leads, and no other one', async () => {
    const [leader = 0, orphan = 0] = await run(
      "exec setsid sh -c 'echo $$; (tail -f /dev/null >/dev/null & echo $!); sleep 60 >/dev/null; :'",
      2,
    );
    expect(startedLately(leader, [orphan], 10_000)).toEqual(new Set([orphan]));
    expect(startedLately(process.pid, [orphan], 10_000)).toEqual(new Set());
  });

  it('is a running program that another one of its name was started for, unless that is its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'started-'));
    try {
      for (const name of ['viewer', 'browser']) copyFileSync('/bin/sh', join(folder, name));
      const rest = 'sleep 60 >/dev/null; :';
      const [viewer = 0] = await run(`exec ${folder}/viewer -c 'echo $$; ${rest}'`, 1);
      const [browser = 0] = await run(`exec ${folder}/browser -c 'echo $$; ${rest}'`, 1);
      const more = ['viewer', 'browser'].map((name) => `${folder}/${name} -c 'echo $$; ${rest}' &`).join(' ');
      const [starter = 0] = await run(
        `exec ${folder}/browser -c "echo \\$\\$; ${more.replaceAll('$', '\\$')} wait"`,
        3,
      );
      expect(startedLately(starter, [viewer, browser], 10_000)).toEqual(new Set([viewer]));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is nothing that another process asked for', async () => {
    const pids = await run(orphan, 1, { DESKTOP_STARTUP_ID: `files-9${process.pid}-host-viewer-3_TIME77` });
    // It is an orphan once its shell has exited.
    await expect.poll(() => startedLately(process.pid, pids, LONG_AGO_MS).size).toBe(0);
  });

  it.each(['', 'nonsense', '1.00 1.00'])(
    'is judged by the clock of this process where the uptime is %j',
    (uptime) => {
      expect(ticksNow(uptime) / ticksNow()).toBeCloseTo(1, 2);
    },
  );
});

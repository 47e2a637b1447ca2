import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run } from '../../scripts/lib/run.mjs';

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('running a program', () => {
  it('gives its exit code and what it printed, line by line', async () => {
    const lines: string[] = [];
    const script = 'console.log("one"); console.error("two"); process.exitCode = 3';
    const result = await run(process.execPath, ['-e', script], { onLine: (line) => lines.push(line) });
    expect(result).toMatchObject({ code: 3, timedOut: false, stdout: 'one\n' });
    expect(lines.toSorted()).toEqual(['one', 'two']);
  });

  it('answers 127 for a program that is not there', async () => {
    expect(await run('/nonesuch/program', [])).toMatchObject({ code: 127 });
  });

  it('ends the whole tree at the time limit, also what left its session', async () => {
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' });
      child.unref();
      console.log(child.pid);
      setTimeout(() => {}, 60_000);`;
    const result = await run(process.execPath, ['-e', script], { timeoutMs: 1500 });
    expect(result.timedOut).toBe(true);
    const grandchild = Number(result.stdout.trim());
    expect(grandchild).toBeGreaterThan(0);
    expect(isRunning(grandchild)).toBe(false);
  });

  it('is not held up by a background process that keeps the pipe open', async () => {
    const script = `require('node:child_process').spawn('sleep', ['5'], { stdio: 'inherit', detached: true }).unref(); process.exit(0)`;
    const result = await run(process.execPath, ['-e', script]);
    expect(result.code).toBe(0);
    expect(result.milliseconds).toBeLessThan(10_000);
  });
});

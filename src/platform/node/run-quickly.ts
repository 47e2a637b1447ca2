import { execFile } from 'node:child_process';
import type { QuickRun, QuickRunOptions } from '../../ports/platform.ts';

const MOST_BYTES = 1024 * 1024;

/** Runs a short-lived program, such as one that controls another program; kills it after the time limit. Never rejects. */
export function runQuickly(
  [program, ...args]: readonly [string, ...string[]],
  options: QuickRunOptions,
): Promise<QuickRun> {
  return new Promise((resolve) => {
    execFile(
      program,
      args,
      {
        env: { ...options.environment },
        cwd: '/',
        encoding: 'utf8',
        maxBuffer: MOST_BYTES,
        timeout: options.limitMs,
        killSignal: 'SIGKILL',
        signal: options.signal,
      },
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
        resolve({ exitCode, stdout, stderr: stderr === '' && error !== null ? error.message : stderr });
      },
    ).stdin?.end();
  });
}

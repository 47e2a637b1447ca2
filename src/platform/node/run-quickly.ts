import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const MOST_BYTES = 1024 * 1024;

export interface QuickRun {
  /** Absent where it was ended, or could not be started. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** Or why it could not be started. */
  readonly stderr: string;
}

/** Runs a program that answers at once, as one does that tells another what to do; it is killed when the time is up. Never rejects. */
export function runQuickly(
  [program, ...args]: readonly [string, ...string[]],
  options: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly limitMs: number;
    readonly signal?: AbortSignal | undefined;
  },
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

/** Whether a program is in the PATH of an environment. */
export function isInPath(
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  return (environment['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .some((folder) => {
      try {
        const file = join(folder, program);
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}

import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { ProgramsPort } from '../../../src/ports/programs.ts';

/** Most bytes that are kept of one stream. */
const MOST_BYTES = 1_000_000;

/** Programs of this machine, run as they are: for tests only. */
export function createPrograms(cwd?: string, environment: NodeJS.ProcessEnv = process.env): ProgramsPort {
  return {
    find: findProgram,
    run: (command, { timeoutMs }) =>
      new Promise((resolve) => {
        const [program, ...args] = command;
        const child = spawn(program, args, {
          cwd,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...environment, PAGER: 'cat', MANPAGER: 'cat', GIT_PAGER: 'cat' },
          timeout: timeoutMs,
          killSignal: 'SIGKILL',
        });
        const streams = { stdout: '', stderr: '' };
        for (const name of ['stdout', 'stderr'] as const)
          child[name].on('data', (chunk: Buffer) => {
            if (streams[name].length < MOST_BYTES) streams[name] += chunk.toString();
          });
        child.once('error', () => resolve({ exitCode: undefined, stdout: '', stderr: '' }));
        child.once('close', (code) => resolve({ exitCode: code ?? undefined, ...streams }));
      }),
  };
}

/** The absolute path of a program, or `undefined`. */
export async function findProgram(program: string): Promise<string | undefined> {
  const places = program.includes('/')
    ? [program]
    : (process.env['PATH'] ?? '')
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, program));
  for (const path of places)
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  return undefined;
}

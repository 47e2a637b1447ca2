import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { DeskterityError } from '../src/model/errors.ts';
import { PrivateDesktop } from '../src/platform/linux/private-desktop/private-desktop.ts';

const START_DEADLINE_MS = 15_000;
/** What shells answer for a command that cannot be run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

async function main(args: readonly string[]): Promise<number> {
  const command = args[0] === '--' ? args.slice(1) : args;
  const cancelled = new AbortController();
  const cancel = (): void => cancelled.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, cancel);
  const desktop = await PrivateDesktop.start({ deadlineMs: START_DEADLINE_MS, signal: cancelled.signal });
  try {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.off(signal, cancel);
    return await runInside(desktop, command);
  } finally {
    await desktop.stop();
  }
}

function runInside(desktop: PrivateDesktop, command: readonly string[]): Promise<number> {
  const program = command[0] ?? process.env['SHELL'] ?? '/bin/sh';
  if (command.length === 0) {
    console.error(
      `Private desktop ${desktop.display}, ready in ${desktop.readyInMs} ms. It ends, with everything in it, when this shell ends.`,
    );
  }
  return new Promise((resolve) => {
    const child = spawn(program, command.slice(1), {
      cwd: process.env['INIT_CWD'] ?? process.cwd(),
      env: { ...desktop.environment },
      stdio: 'inherit',
    });
    // A Ctrl-C reaches the command from the terminal itself; this process outlives it to clean up.
    if (!process.stdin.isTTY) process.on('SIGINT', () => child.kill('SIGINT'));
    for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
    child.once('error', (error) => {
      const missing = 'code' in error && error.code === 'ENOENT';
      console.error(`desktop: ${program}: ${missing ? 'no such program' : error.message}`);
      resolve(missing ? NOT_FOUND : NOT_EXECUTABLE);
    });
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof DeskterityError)) throw error;
  const detail =
    error.platformDetail === undefined ? '' : `\n  ${error.platformDetail.replaceAll('\n', '\n  ')}`;
  console.error(`desktop: ${error.message}${detail}\n  ${error.suggestion}`);
  process.exitCode = error.exitCode;
}

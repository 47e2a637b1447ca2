import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import { DeskterityError } from '../src/model/effects/errors.ts';
import { PrivateDesktop } from '../src/platform/linux/private-desktop/private-desktop.ts';

const START_DEADLINE_MS = 15_000;
/** Exit codes of shells for a command that cannot be run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;

async function main(args: readonly string[]): Promise<number> {
  const command = args[0] === '--' ? args.slice(1) : args;
  const cancelled = new AbortController();
  let child: ChildProcess | undefined;
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      cancelled.abort();
      // The terminal sends Ctrl-C to the command as well; this process outlives it to clean up.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child?.kill(signal);
    });
  }
  const desktop = await PrivateDesktop.start({ deadlineMs: START_DEADLINE_MS, signal: cancelled.signal });
  try {
    child = startInside(desktop, command);
    return await exitCode(child);
  } catch (error) {
    // spawn throws some failures: a script without a "#!" line, too many arguments.
    console.error(`desktop: ${error instanceof Error ? error.message : String(error)}`);
    return NOT_EXECUTABLE;
  } finally {
    await desktop.stop();
  }
}

function startInside(desktop: PrivateDesktop, command: readonly string[]): ChildProcess {
  const program = command[0] ?? process.env['SHELL'] ?? '/bin/sh';
  if (command.length === 0) {
    console.error(
      `Private desktop ${desktop.display}, ready in ${desktop.readyInMs} ms. It and everything in it end with this shell.`,
    );
  }
  return spawn(program, command.slice(1), {
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
    env: { ...desktop.environment },
    stdio: 'inherit',
  });
}

function exitCode(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      const missing = 'code' in error && error.code === 'ENOENT';
      console.error(`desktop: ${child.spawnfile}: ${missing ? 'no such program' : error.message}`);
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

import { closeSync, openSync, statSync, unlinkSync, readFileSync, writeSync } from 'node:fs';
import type { ChildProcess, spawn as Spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Environment } from '../../../wire/client-frames.ts';
import { isAlive } from '../../../platform/paths.ts';
import { CallFailure } from './call-failure.ts';
import { connectTo, daemonUnavailable } from './daemon-place.ts';

const START_LIMIT_MS = 10_000;
/** Somebody who has been starting one for longer does not count. */
const MARKER_LIMIT_MS = 10_000;
const POLL_MS = { first: 5, last: 50 };
const LONGEST_REASON = 4000;

/** What a daemon needs of the process that happens to start it; what calls need comes with each of them. */
const KEPT =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+|DESKTERITY_PRIVATE_DESKTOP)$/;

export interface StartRequest {
  readonly socket: string;
  /** Path of the program that is the daemon. */
  readonly program: string;
  readonly environment: Environment;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A connection to a daemon that this process, or another one at the same time, has started.
 * @throws CallFailure DAEMON_UNAVAILABLE with the reason, CANCELLED
 */
export async function startDaemon(request: StartRequest): Promise<Socket> {
  const { socket, signal } = request;
  const marker = `${socket}.start`;
  const end = performance.now() + START_LIMIT_MS;
  let pauseMs = POLL_MS.first;
  let wasKilled = false;
  while (performance.now() < end) {
    if (signal?.aborted === true) throw cancelled();
    // The daemon itself sees to it that there is one only; this merely spares the machine a hundred attempts.
    if (takeMarker(marker)) {
      try {
        const killer = await launch(request);
        if (killer !== undefined && wasKilled) throw notStarted(`it ended with ${killer}`);
        // It had done nothing yet: another one is as good.
        wasKilled ||= killer !== undefined;
      } finally {
        dropMarker(marker);
      }
    }
    const connection = await connectTo(socket);
    if (connection !== undefined) return connection;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 1.5, POLL_MS.last);
  }
  throw daemonUnavailable(`No daemon was ready within ${START_LIMIT_MS / 1000} seconds.`);
}

function takeMarker(marker: string): boolean {
  try {
    const file = openSync(marker, 'wx', 0o600);
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code !== 'EEXIST') {
      throw daemonUnavailable(`No daemon can be started: ${marker} cannot be written.`, {
        suggestion:
          'Set XDG_RUNTIME_DIR to a folder that you can write, or run the command with --no-daemon.',
        detail: code,
      });
    }
  }
  if (isStale(marker)) dropMarker(marker);
  return false;
}

function isStale(marker: string): boolean {
  try {
    if (Date.now() - statSync(marker).mtimeMs > MARKER_LIMIT_MS) return true;
    const pid = Number(readFileSync(marker, 'utf8'));
    // Empty for the moment between its creation and its first byte.
    return pid > 0 && !isAlive(pid);
  } catch {
    // Dropped meanwhile.
    return false;
  }
}

function dropMarker(marker: string): void {
  try {
    unlinkSync(marker);
  } catch {
    // Somebody else has.
  }
}

/**
 * Resolves when the new process listens, or has found that another one does, or was killed.
 * @returns the signal that killed it
 */
async function launch({ program, environment, signal }: StartRequest): Promise<string | undefined> {
  const { spawn } = await import('node:child_process');
  const child = spawned(spawn, program, environment);
  let said = '';
  let killedBy: string | undefined;
  let stop = () => {};
  const reason = await new Promise<string | undefined>((resolve) => {
    const timer = setTimeout(() => resolve('it was not ready in time'), START_LIMIT_MS);
    stop = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', (error) => resolve(error.message));
    // None when this process may not open more files; an error follows.
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, LONGEST_REASON);
      if (said.includes('{"ready":true}\n')) resolve(undefined);
    });
    child.once('close', (code, killer) => {
      killedBy = killer ?? undefined;
      resolve(killer === null ? (problemIn(said) ?? `it ended with ${code}`) : undefined);
    });
  }).finally(() => stop());
  signal?.removeEventListener('abort', stop);
  child.stderr?.destroy();
  child.removeAllListeners();
  child.on('error', () => undefined);
  child.unref();
  if (signal?.aborted === true) throw cancelled();
  if (reason !== undefined) throw notStarted(reason);
  return killedBy;
}

/** @throws CallFailure when the system has no room for it */
function spawned(spawn: typeof Spawn, program: string, environment: Environment): ChildProcess {
  try {
    return spawn(process.execPath, [program], {
      cwd: '/',
      detached: true,
      env: Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT.test(name))),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    throw notStarted(error instanceof Error ? error.message : String(error));
  }
}

function notStarted(detail: string): CallFailure {
  return daemonUnavailable('The daemon could not be started.', { detail });
}

/** What the daemon gave as its reason, or the last line that Node printed. */
function problemIn(said: string): string | undefined {
  const named = /\{"problem":("(?:[^"\\]|\\.)*")\}/.exec(said)?.[1];
  if (named !== undefined) return String(JSON.parse(named));
  return said
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /Error\b/.test(line));
}

function cancelled(): CallFailure {
  return new CallFailure('CANCELLED', 'Cancelled before the daemon was ready.', {
    suggestion: 'Nothing was done; run the command again when you want its answer.',
    delivered: false,
  });
}

import { closeSync, openSync, statSync, unlinkSync, readFileSync, writeSync } from 'node:fs';
import type { ChildProcess, spawn as Spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Environment } from '../../../wire/client-frames.ts';
import { DAEMON_VARIABLES } from '../../../wire/daemon-variables.ts';
import { isAlive } from '../../../platform/paths.ts';
import { CallFailure } from './call-failure.ts';
import { connectTo, daemonUnavailable } from './daemon-socket.ts';

const START_LIMIT_MS = 10_000;
/** Older start markers are stale. */
const MARKER_LIMIT_MS = 10_000;
const POLL_MS = { first: 5, last: 50 };
const LONGEST_REASON = 4000;

/** Variables the daemon inherits from the process that starts it; each call brings its own environment. */
const INHERITED =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|XDG_\w+|DESKTERITY_PRIVATE_DESKTOP)$/;

export interface StartRequest {
  readonly socket: string;
  /** Path of the daemon program. */
  readonly program: string;
  readonly environment: Environment;
  /** Its first client is an MCP client, so it loads the MCP server while that connects. */
  readonly isForMcp?: boolean | undefined;
  /** It compiles its program again instead of using what the build compiled, which may be damaged. */
  readonly isCompiledAnew?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A connection to a daemon started by this process or, at the same time, by another.
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
    // The daemon itself ensures that it is the only one; the marker just avoids a hundred simultaneous attempts.
    if (takeMarker(marker)) {
      try {
        const killer = await launch({ ...request, isCompiledAnew: wasKilled });
        if (killer !== undefined && wasKilled) throw notStarted(`it was killed by ${killer}`);
        // It had done nothing yet, so it is safe to start another.
        wasKilled ||= killer !== undefined;
      } finally {
        removeMarker(marker);
      }
    }
    const connection = await connectTo(socket);
    if (connection !== undefined) return connection;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 1.5, POLL_MS.last);
  }
  throw daemonUnavailable(`The daemon was not ready within ${START_LIMIT_MS / 1000} seconds.`);
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
      throw daemonUnavailable(`The daemon cannot be started: ${marker} cannot be written.`, {
        suggestion:
          'Set XDG_RUNTIME_DIR to a folder that you can write to, or run the command with --no-daemon.',
        detail: code,
      });
    }
  }
  if (isStale(marker)) removeMarker(marker);
  return false;
}

function isStale(marker: string): boolean {
  try {
    if (Date.now() - statSync(marker).mtimeMs > MARKER_LIMIT_MS) return true;
    const pid = Number(readFileSync(marker, 'utf8'));
    // Empty between its creation and the first write.
    return pid > 0 && !isAlive(pid);
  } catch {
    // Removed meanwhile.
    return false;
  }
}

function removeMarker(marker: string): void {
  try {
    unlinkSync(marker);
  } catch {
    // Already removed.
  }
}

/**
 * Resolves when the new process listens, has found another daemon, or was killed.
 * @returns the signal that killed it
 */
async function launch(request: StartRequest): Promise<string | undefined> {
  const { signal } = request;
  const { spawn } = await import('node:child_process');
  const child = spawnDaemon(spawn, request);
  let printed = '';
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
    // Absent if this process has no file descriptors left; an error event follows.
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(0, LONGEST_REASON);
      if (printed.includes('{"ready":true}\n')) resolve(undefined);
    });
    child.once('close', (code, killer) => {
      killedBy = killer ?? undefined;
      resolve(killer === null ? (problemIn(printed) ?? `it exited with code ${code}`) : undefined);
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

/** @throws CallFailure if the system lacks resources */
function spawnDaemon(
  spawn: typeof Spawn,
  { program, environment, isForMcp = false, isCompiledAnew = false }: StartRequest,
): ChildProcess {
  const words = [...(isForMcp ? ['mcp'] : []), ...(isCompiledAnew ? ['compile-anew'] : [])];
  try {
    return spawn(process.execPath, [program, ...words], {
      cwd: '/',
      detached: true,
      env: {
        ...Object.fromEntries(Object.entries(environment).filter(([name]) => INHERITED.test(name))),
        ...DAEMON_VARIABLES,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  } catch (error) {
    throw notStarted(error instanceof Error ? error.message : String(error));
  }
}

function notStarted(detail: string): CallFailure {
  return daemonUnavailable('The daemon could not be started.', { detail });
}

/** The reason the daemon reported, or the first error line that Node printed. */
function problemIn(printed: string): string | undefined {
  const named = /\{"problem":("(?:[^"\\]|\\.)*")\}/.exec(printed)?.[1];
  if (named !== undefined) return String(JSON.parse(named));
  return printed
    .split('\n')
    .map((line) => line.trim())
    .find((line) => /Error\b/.test(line));
}

function cancelled(): CallFailure {
  return new CallFailure('CANCELLED', 'Cancelled before the daemon was ready.', {
    suggestion: 'Nothing was done; run the command again if you still need its answer.',
    delivered: false,
  });
}

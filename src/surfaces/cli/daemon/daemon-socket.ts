import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { existingFolderProblem, isAlive, socketFolderProblem } from '../../../platform/paths.ts';
import { CallFailure } from './call-failure.ts';

/** Attempts while the socket's backlog is full, 10 ms apart. */
const BACKLOG_TRIES = 200;
/** Time for a killed process to exit. */
const EXIT_LIMIT_MS = 2000;
const EXIT_POLL_MS = 5;

export function daemonUnavailable(
  message: string,
  details: {
    readonly suggestion?: string;
    readonly detail?: string;
    readonly delivered?: boolean;
    readonly retryable?: boolean;
  } = {},
): CallFailure {
  return new CallFailure('DAEMON_UNAVAILABLE', message, {
    suggestion: 'Run the command with --no-daemon, or see what happened: desk daemon logs.',
    ...details,
  });
}

/**
 * A connection to the daemon's socket; `undefined` if nothing listens there.
 * @throws CallFailure DAEMON_UNAVAILABLE if another user could be listening, or the socket cannot be used
 */
export async function connectTo(path: string): Promise<Socket | undefined> {
  // The cheap check first: almost always the folder exists and is ours.
  if (existingFolderProblem(dirname(path)) !== undefined) {
    const problem = socketFolderProblem(path);
    if (problem === undefined) return undefined;
    throw daemonUnavailable(`The daemon cannot be used: its folder ${dirname(path)} ${problem}.`, {
      suggestion:
        'Set XDG_RUNTIME_DIR to a folder that only you can write to, or run the command with --no-daemon.',
    });
  }
  for (let tries = 1; ; tries += 1) {
    const socket = connect(path);
    const code = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined));
      socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    });
    if (code === undefined) return socket;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    // EAGAIN: its backlog is full at the moment.
    if (code !== 'EAGAIN' || tries === BACKLOG_TRIES)
      throw daemonUnavailable(`The daemon cannot be reached at ${path}.`, { detail: code });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Waits, at most two seconds, until the process that listened at a socket has exited: a process being killed may lose its
 * connections before its socket, and would accept the next connection only to drop it.
 */
export async function untilDaemonExits(path: string): Promise<void> {
  const end = performance.now() + EXIT_LIMIT_MS;
  const pid = listenerOf(path);
  while (isAlive(pid) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, EXIT_POLL_MS));
}

/** The process id recorded beside a socket, or 0. */
export function listenerOf(path: string): number {
  try {
    return Number.parseInt(readFileSync(`${path}.pid`, 'utf8'), 10);
  } catch {
    return 0;
  }
}

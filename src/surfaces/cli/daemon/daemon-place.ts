import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { existingFolderProblem, isAlive, socketFolderProblem } from '../../../platform/paths.ts';
import { CallFailure } from './call-failure.ts';

/** Takes of a full backlog, 10 ms apart. */
const BACKLOG_TRIES = 200;
/** For a process that was killed to give back what it had. */
const GONE_LIMIT_MS = 2000;
const GONE_POLL_MS = 5;

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
    suggestion: 'Run the command with --no-daemon, or look at what happened: desk daemon logs.',
    ...details,
  });
}

/**
 * A connection to whoever listens at the socket; `undefined` when nobody does.
 * @throws CallFailure DAEMON_UNAVAILABLE when somebody else could be listening, or the socket cannot be used
 */
export async function connectTo(path: string): Promise<Socket | undefined> {
  // Looked at first in the cheap way: nearly always it is there and ours.
  if (existingFolderProblem(dirname(path)) !== undefined) {
    const problem = socketFolderProblem(path);
    if (problem === undefined) return undefined;
    throw daemonUnavailable(`The daemon cannot be used: its folder ${dirname(path)} ${problem}.`, {
      suggestion:
        'Set XDG_RUNTIME_DIR to a folder that only you can write, or run the command with --no-daemon.',
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
    // Its backlog is full for a moment.
    if (code !== 'EAGAIN' || tries === BACKLOG_TRIES)
      throw daemonUnavailable(`The daemon cannot be reached at ${path}.`, { detail: code });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Waits, for two seconds at most, until the process that listened at a socket has ended: one that is being killed may lose its connections
 * before its socket, and would take the next one into its end.
 */
export async function untilDaemonIsGone(path: string): Promise<void> {
  const end = performance.now() + GONE_LIMIT_MS;
  const pid = listenerOf(path);
  while (isAlive(pid) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, GONE_POLL_MS));
}

/** The process that has noted itself beside a socket; none is number 0. */
function listenerOf(path: string): number {
  try {
    return Number.parseInt(readFileSync(`${path}.pid`, 'utf8'), 10);
  } catch {
    return 0;
  }
}

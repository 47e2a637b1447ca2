import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { dirname } from 'node:path';
import { existingFolderProblem, socketFolderProblem } from '../platform/paths.ts';
import { CallFailure } from './call-failure.ts';

/** Takes of a full backlog, 10 ms apart. */
const BACKLOG_TRIES = 200;

export function daemonUnavailable(
  message: string,
  details: { readonly suggestion?: string; readonly detail?: string; readonly delivered?: boolean } = {},
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

import { CallFailure } from './call-failure.ts';
import { daemonUnavailable } from './daemon-socket.ts';

export function throwIfCancelled(signal: AbortSignal | undefined, command: string): void {
  if (signal?.aborted !== true) return;
  throw new CallFailure('CANCELLED', `${command} was cancelled.`, {
    suggestion: 'Run the command again if you still need its answer.',
  });
}

export function daemonsKeptExiting(): CallFailure {
  return daemonUnavailable('Daemons kept exiting before they answered.');
}

export function lost(command: string, detail: string): CallFailure {
  return daemonUnavailable(
    `The daemon exited before it answered; it is unknown whether ${command} was performed.`,
    {
      suggestion: `Check the effect before you repeat it: ${lookFor(command)}.`,
      detail,
      delivered: true,
    },
  );
}

/** The daemon is stopped or hangs. */
export function stopped(command: string, detail: string): CallFailure {
  return daemonUnavailable(`The daemon does not respond; it may still perform ${command} if it resumes.`, {
    suggestion:
      'Continue its process if it was stopped, or end it with all that it is running: desk daemon stop --force. Without it: --no-daemon.',
    detail,
    delivered: true,
  });
}

/** The command that shows what another one has done. */
function lookFor(command: string): string {
  if (command.startsWith('terminal ')) return 'desk terminal read';
  if (/^(?:operation|run-tool|sandboxed-shell)/.test(command)) return 'desk operation list';
  return command.startsWith('session ') ? 'desk session list' : 'desk snapshot';
}

/** For a daemon of an old build with another protocol, or another program that listens at the socket. */
export function foreign(detail: string, command: string): CallFailure {
  return daemonUnavailable(
    `The running daemon uses a different protocol; it is unknown whether ${command} was performed.`,
    {
      suggestion:
        'Check the effect before you repeat the command. Repeat it with --no-daemon, or end the daemon and all it is running: desk daemon stop --force.',
      detail,
      delivered: true,
    },
  );
}

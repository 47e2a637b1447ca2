import { TIMERS, within } from '../../../model/within.ts';
import { daemonUnavailable, listenerOf } from '../daemon/daemon-socket.ts';
import { CallFailure } from '../daemon/call-failure.ts';
import type { Link } from '../daemon/link.ts';
import { openDaemon } from '../daemon/open-daemon.ts';
import { commandLineOf, daemonSocket, isAlive, startTimeOf } from '../../../platform/paths.ts';
import { printAnswer } from './print-answer.ts';
import type { ClientVerb, VerbContext } from './verb.ts';

const POLL_MS = 25;
/** Time for a killed process to exit. */
const KILL_LIMIT_MS = 2000;
/** Time for a daemon to identify itself. */
const IDENTIFY_LIMIT_MS = 3000;

interface Known {
  readonly pid: number;
  readonly version: string;
}

export const start: ClientVerb = {
  run: async (context) => {
    const { started, known } = await startOne(context);
    const socket = daemonSocket(context.environment);
    const result = { started, pid: known.pid, daemon_version: known.version, socket };
    const verb = started ? 'started' : 'is running';
    return printAnswer(
      context,
      'daemon start',
      result,
      `daemon ${known.version} ${verb}, pid ${known.pid}, ${socket}`,
    );
  },
};

export const stop: ClientVerb = {
  run: async (context) => {
    const stopped = await stopOne(context, 'daemon stop');
    const result = {
      stopped: stopped !== undefined,
      ...(stopped && { pid: stopped.pid, killed: stopped.killed }),
    };
    const text =
      stopped === undefined
        ? 'no daemon is running'
        : `daemon ${stopped.killed ? 'killed' : 'stopped'}, pid ${stopped.pid}`;
    return printAnswer(context, 'daemon stop', result, text);
  },
};

export const restart: ClientVerb = {
  run: async (context) => {
    const stopped = await stopOne(context, 'daemon restart');
    const { known } = await startOne(context);
    const result = {
      ...(stopped && { stopped_pid: stopped.pid }),
      pid: known.pid,
      daemon_version: known.version,
      socket: daemonSocket(context.environment),
    };
    return printAnswer(
      context,
      'daemon restart',
      result,
      `daemon ${known.version} started, pid ${known.pid}`,
    );
  },
};

async function startOne(context: VerbContext): Promise<{ readonly started: boolean; readonly known: Known }> {
  const daemon = openDaemon(context);
  const found = await daemon.find();
  const link = found ?? (await daemon.start());
  try {
    const known = await identify(link);
    if (known !== undefined) return { started: found === undefined, known };
  } finally {
    link.end();
  }
  throw daemonUnavailable('A process listens on the daemon’s socket but does not identify itself.', {
    suggestion: 'Run "desk daemon stop --force", or remove the socket file.',
    detail: daemonSocket(context.environment),
  });
}

/** `undefined` if there is none. @throws CallFailure if it does not exit in time */
async function stopOne(
  context: VerbContext,
  command: string,
): Promise<{ readonly pid: number; readonly killed: boolean } | undefined> {
  const { input, signal } = context;
  const socket = daemonSocket(context.environment);
  const limitMs = typeof input['timeout_ms'] === 'number' ? input['timeout_ms'] : 10_000;
  const end = performance.now() + limitMs;
  const link = await openDaemon(context).find();
  if (link === undefined) return undefined;
  try {
    const pid =
      (await identify(link, limitMs))?.pid ?? (input['force'] === true ? recordedDaemon(socket) : undefined);
    if (pid === undefined) {
      throw daemonUnavailable('The daemon does not respond, not even to identify itself.', {
        suggestion: 'Kill it with "desk daemon stop --force".',
        detail: socket,
      });
    }
    const startTime = startTimeOf(pid);
    const hasExited = () => !isAlive(pid) || startTimeOf(pid) !== startTime;
    void link.ask('stop');
    while (!hasExited() && performance.now() < end && !signal.aborted) await pause();
    if (hasExited()) return { pid, killed: false };
    if (signal.aborted) {
      throw new CallFailure('CANCELLED', `${command} was cancelled; the daemon may still be exiting.`, {
        suggestion: 'Run "desk daemon stop" again.',
      });
    }
    if (input['force'] !== true) {
      throw new CallFailure('TIMEOUT', `The daemon (pid ${pid}) did not exit within ${limitMs} ms.`, {
        suggestion: `Use a longer --timeout, or kill it with "desk ${command} --force".`,
        retryable: true,
      });
    }
    killProcess(pid);
    const killEnd = performance.now() + KILL_LIMIT_MS;
    while (!hasExited() && performance.now() < killEnd) await pause();
    if (hasExited()) return { pid, killed: true };
    throw daemonUnavailable(`The daemon (pid ${pid}) could not be killed.`);
  } finally {
    link.end();
  }
}

async function identify(link: Link, limitMs = IDENTIFY_LIMIT_MS): Promise<Known | undefined> {
  const outcome = (await within(TIMERS, link.ask('ask'), Math.min(limitMs, IDENTIFY_LIMIT_MS)))?.value;
  return outcome?.kind === 'self' || outcome?.kind === 'skew' ? outcome.identity : undefined;
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already exited, or not ours; the caller checks.
  }
}

/** The process id that a daemon recorded beside its socket, if it is still a daemon. */
function recordedDaemon(socket: string): number | undefined {
  const pid = listenerOf(socket);
  return commandLineOf(pid).some((word) => /(?:^|[\\/])daemon\.c?js$/.test(word)) ? pid : undefined;
}

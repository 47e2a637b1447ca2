import { mentionCommand } from '../../model/text/mention.ts';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../model/effects/errors.ts';
import { toArguments, type HolderArguments } from './holder-arguments.ts';
import { HolderConnection } from './holder-connection.ts';
import type { OperationsParts } from '../operation-parts.ts';
import { holderName, problemFile, tokenFile } from './holder-place.ts';

const START_LIMIT_MS = 15_000;
const POLL_MS = { first: 5, last: 50 };
/** A holder may be killed before it is ready, or exit because it found another one that is just exiting; so try again. */
const MOST_STARTS = 4;

/** How long a holder runs without operations and connections. */
const IDLE_MS = 5 * 60_000;
const MOST_RUNNING = 16;

/** The variables that a holder inherits: nothing secret, as its environment is readable while it runs. */
const KEPT = /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ)$/;

export interface HolderProgram {
  /** Bundle of the holder. */
  readonly file: string;
  readonly values: HolderArguments;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** How to start the holder of a scope. */
export function programOf(parts: OperationsParts, scope: string): HolderProgram {
  const { stateFolder, logFolder, workerFile, build, environment } = parts;
  return {
    file: parts.holderFile,
    environment,
    values: {
      socket: parts.socketFor(holderName({ scope, build, stateFolder })),
      stateFolder,
      logFolder,
      workerFile,
      idleMs: parts.idleMs ?? IDLE_MS,
      mostRunning: parts.mostRunning ?? MOST_RUNNING,
    },
  };
}

/** A connection to a running holder. @returns `undefined` if there is none */
export async function findHolder(stateFolder: string, socket: string): Promise<HolderConnection | undefined> {
  const token = await readFile(tokenFile(stateFolder, socket), 'utf8').catch(() => undefined);
  return token === undefined ? undefined : HolderConnection.open(socket, token);
}

/**
 * A connection to the holder, which is started if necessary. Several processes may do so at once: only one holder remains.
 * @throws DeskterityError DAEMON_UNAVAILABLE with the reason
 */
export async function openHolder(program: HolderProgram): Promise<HolderConnection> {
  const { socket, stateFolder } = program.values;
  const end = performance.now() + START_LIMIT_MS;
  let started: Started | undefined;
  let starts = 0;
  for (
    let pauseMs = POLL_MS.first;
    performance.now() < end;
    pauseMs = Math.min(pauseMs * 1.5, POLL_MS.last)
  ) {
    const connection = await findHolder(stateFolder, socket);
    if (connection !== undefined) return connection;
    if (started === undefined || started.ended !== undefined) {
      if (started?.ended === 'failed') throw notStarted(await reasonOf(program));
      if (starts === MOST_STARTS)
        throw notStarted('another holder does not answer, or each new one was killed');
      started = start(program);
      starts += 1;
    }
    await sleep(pauseMs);
  }
  throw notStarted(`it was not ready within ${START_LIMIT_MS / 1000} seconds`);
}

interface Started {
  /** `not needed`: another one is running. */
  ended: 'not needed' | 'failed' | 'killed' | undefined;
}

/** In its own session, without our open files. */
function start({ file, values, environment }: HolderProgram): Started {
  const started: Started = { ended: undefined };
  const child = spawn(process.execPath, [file, ...toArguments(values)], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: Object.fromEntries(Object.entries(environment).filter(([name]) => KEPT.test(name))),
  });
  child.once('error', () => {
    started.ended = 'failed';
  });
  child.once('exit', (code) => {
    started.ended = code === 0 ? 'not needed' : code === null ? 'killed' : 'failed';
  });
  child.unref();
  return started;
}

async function reasonOf({ values }: HolderProgram): Promise<string> {
  const path = problemFile(values.stateFolder, values.socket);
  return readFile(path, 'utf8').catch(() => 'it gave no reason');
}

function notStarted(detail: string): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder of operations could not be started.', {
    suggestion: `Run ${mentionCommand('doctor')} to see what is wrong with this machine.`,
    platformDetail: detail,
    retryable: true,
    delivered: false,
  });
}

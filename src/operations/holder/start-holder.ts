import { byPerson, mentionCommand } from '../../model/text/mention.ts';
import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolders } from '../make-folders.ts';
import { errorCode } from '../../model/error-code.ts';
import { fileProblem } from '../../model/effects/file-problem.ts';
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
/** Less than a holder needs to start. */
const LEAST_SPACE_BYTES = 4096;

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
      if (started?.ended === 'failed') {
        await requireWritable(program);
        throw notStarted(await reasonOf(program));
      }
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
  const reason = await readFile(path, 'utf8').catch(() => '');
  return reason === '' ? 'it gave no reason' : reason;
}

/** A holder that cannot write to the state folder cannot say why it does not start, either. @throws DeskterityError */
async function requireWritable({ values: { stateFolder, socket } }: HolderProgram): Promise<void> {
  const path = `${problemFile(stateFolder, socket)}.try`;
  try {
    await makeFolders(dirname(path));
    await writeFile(path, Buffer.alloc(LEAST_SPACE_BYTES), { mode: 0o600 });
  } catch (error) {
    const problem = fileProblem(errorCode(error));
    if (problem === undefined) return;
    throw new DeskterityError(
      'DAEMON_UNAVAILABLE',
      `The state folder ${stateFolder} cannot be used: ${problem}.`,
      {
        suggestion: `${byPerson('Make it writable, free some space there, or set XDG_STATE_HOME to another folder')}.`,
        platformDetail: errorCode(error),
        delivered: false,
        cause: error,
      },
    );
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function notStarted(detail: string): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder of operations could not be started.', {
    suggestion: `Run ${mentionCommand('doctor')} to see what is wrong with this machine.`,
    platformDetail: detail,
    retryable: true,
    delivered: false,
  });
}

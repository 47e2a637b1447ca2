import type { OperationsParts } from '../operation-parts.ts';
import { holderName } from './holder-place.ts';
import type { HolderProgram } from './start-holder.ts';

/** How long a holder stays with nothing to do and nobody connected. */
const IDLE_MS = 5 * 60_000;
const MOST_RUNNING = 16;

/** The holder of a scope. */
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

import type { OperationsParts } from '../operation-parts.ts';
import { holderName } from './holder-place.ts';
import type { HolderProgram } from './start-holder.ts';

/** How long a holder runs without operations and connections. */
const IDLE_MS = 5 * 60_000;
const MOST_RUNNING = 16;

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

import type { OperationRecord } from '../model/tools/operation.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { LogPort } from '../ports/log.ts';
import type { EndWaits, ProcessPort } from '../ports/process.ts';
import type { ProcessIdentityPort } from '../ports/process.ts';
import type { DiskReserve } from './output/disk-reserve.ts';

/** Time limits around an operation, in milliseconds. */
export interface RunLimits {
  readonly waits: EndWaits;
  /** For background processes that remain after a command has exited. */
  readonly leftoverWaits: EndWaits;
  /** For a program to start. */
  readonly startMs: number;
  /** For pipes that are still open after the command has exited: other processes may be about to exit. */
  readonly drainMs: number;
  /** For pipes and exits after processes were killed. */
  readonly settleMs: number;
  /** Between attempts to write a record. */
  readonly recordRetryMs: number;
  /** How long a change is held back while its record cannot be written. */
  readonly recordMs: number;
}

export const RUN_LIMITS: RunLimits = {
  waits: { interruptMs: 2000, terminateMs: 2000 },
  leftoverWaits: { interruptMs: 200, terminateMs: 500 },
  startMs: 30_000,
  drainMs: 500,
  settleMs: 3000,
  recordRetryMs: 500,
  recordMs: 3000,
};

/** Dependencies of a running operation. */
export interface OperationParts {
  readonly processes: ProcessPort;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  /** Must exist. */
  readonly stateFolder: string;
  readonly reserve: DiskReserve;
  /** The identity of this process, for each record. */
  readonly holder: OperationRecord['holder'];
  readonly limits: RunLimits;
  /** Called when a new record is on disk. */
  readonly onChange: (record: OperationRecord) => void;
}

/** Dependencies of the daemon's view of operations. */
export interface OperationsParts {
  readonly stateFolder: string;
  readonly logFolder: string;
  /** Of this process; holders inherit parts of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version and hash of the sources. */
  readonly build: string;
  /** Bundle of the holder. */
  readonly holderFile: string;
  /** Bundle of the thread that starts confined programs. */
  readonly workerFile: string;
  /** The socket of the holder with a name. */
  readonly socketFor: (name: string) => string;
  readonly identity: ProcessIdentityPort;
  readonly idleMs?: number | undefined;
  readonly mostRunning?: number | undefined;
  /** How long an unused connection to a holder stays open. */
  readonly restMs?: number | undefined;
}

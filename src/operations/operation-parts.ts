import type { OperationRecord } from '../model/tools/operation.ts';
import type { ClockPort } from '../ports/clock.ts';
import type { LogPort } from '../ports/log.ts';
import type { EndWaits, ProcessPort } from '../ports/process.ts';
import type { ProcessIdentityPort } from '../ports/process.ts';
import type { DiskReserve } from './output/disk-reserve.ts';
import type { Retention } from './remove-old-operations.ts';

/** How long the things around an operation may take, in milliseconds. */
export interface RunLimits {
  readonly waits: EndWaits;
  /** The same for what a command has left behind that ended by itself: nobody waits for that to finish. */
  readonly leftoverWaits: EndWaits;
  /** For a program to be started. */
  readonly startMs: number;
  /** For pipes that are still open when the command has ended: whoever holds them may be about to end. */
  readonly drainMs: number;
  /** For pipes and exits after everything was killed. */
  readonly settleMs: number;
  /** Between attempts to write a record that the disk did not take. */
  readonly recordRetryMs: number;
  /** How long the end of an operation is not told because it is not on the disk. */
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

/** What an operation is run with. */
export interface OperationParts {
  readonly processes: ProcessPort;
  readonly clock: ClockPort;
  readonly log: Pick<LogPort, 'write'>;
  /** Must be there. */
  readonly stateFolder: string;
  readonly reserve: DiskReserve;
  /** Who this process is, as it stands in each record. */
  readonly holder: OperationRecord['holder'];
  readonly limits: RunLimits;
  /** Called when another record is on the disk. */
  readonly onChange: (record: OperationRecord) => void;
}

/** What operations as the daemon sees them need. */
export interface OperationsParts {
  readonly stateFolder: string;
  readonly logFolder: string;
  /** Of this process; a holder gets what it needs of it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Version and hash of the sources. */
  readonly build: string;
  /** Bundle of the holder. */
  readonly holderFile: string;
  /** Bundle of the thread that starts confined programs. */
  readonly workerFile: string;
  /** Where the holder of a name listens. */
  readonly socketFor: (name: string) => string;
  readonly identity: ProcessIdentityPort;
  readonly idleMs?: number | undefined;
  readonly mostRunning?: number | undefined;
  /** How long a connection to a holder that nobody uses is kept. */
  readonly restMs?: number | undefined;
  readonly retention?: Retention | undefined;
}

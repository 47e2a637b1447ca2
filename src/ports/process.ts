import type { Confinement, DeniedAccess } from '../model/tools/confinement.ts';

export interface StartRequest {
  /** Program (looked up in the PATH of `environment` unless it has a slash) and arguments. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** All of it: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** `merged`: one pipe for standard output and error, so that the order is the program's own. */
  readonly output: 'merged' | 'separate';
  /** Marks every process it starts, so that none is left behind. */
  readonly operationId: string;
}

export interface ProcessExit {
  readonly exitCode: number | undefined;
  /** Such as `SIGKILL`. */
  readonly signal: string | undefined;
}

/** A pipe that is read; one that is not read makes its writer wait. */
export interface OutputPipe extends AsyncIterable<Uint8Array> {
  /** Closes this end of it; reading it ends with an error then. */
  destroy(): void;
}

export interface StartedProcess {
  readonly pid: number;
  /** In clock ticks since boot; with the pid it names the process for good. */
  readonly startTime: string;
  /** What it writes; they end when the last process that has them open is gone. */
  readonly streams: readonly {
    readonly name: 'merged' | 'stdout' | 'stderr';
    readonly readable: OutputPipe;
  }[];
  readonly exited: Promise<ProcessExit>;
  /** What it was denied so far; empty unless its confinement has `denyReport`. */
  denied(): readonly DeniedAccess[];
}

/** Waits between INT, TERM and KILL, in milliseconds. */
export interface EndWaits {
  readonly interruptMs: number;
  readonly terminateMs: number;
}

/** Starts confined programs and ends them with all they have started. */
export interface ProcessPort {
  /** Makes ready what runs of this confinement need; `start` does it where nobody did. @throws DeskterityError SANDBOX_UNAVAILABLE */
  prepare(confinement: Confinement): Promise<void>;
  /** @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED when the program cannot be started */
  start(confinement: Confinement, request: StartRequest): Promise<StartedProcess>;
  /** Ends every process of an operation, also those in sessions of their own, with INT, TERM and KILL. @returns how many there were */
  endAll(
    operationId: string,
    leader: { readonly pid: number; readonly startTime: string } | undefined,
    waits: EndWaits,
  ): Promise<number>;
  /** Ends what it keeps ready. */
  close(): Promise<void>;
}

/** Names one process for good: numbers are used again, and a machine that was started anew counts its ticks from nought. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot; as text, because it is only ever compared. */
  readonly startTime: string;
  readonly bootId: string;
}

export interface ProcessIdentityPort {
  /** This process. */
  self(): ProcessIdentity;
  /** Whether that very process still runs; one that has ended but was not collected does not. */
  isRunning(identity: ProcessIdentity): boolean;
}

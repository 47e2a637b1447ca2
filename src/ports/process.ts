import type { Confinement } from '../model/tools/confinement.ts';
import type { DeniedAccess } from '../model/tools/operation.ts';

export interface StartRequest {
  /** Program (looked up in the PATH of `environment` unless it has a slash) and arguments. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The complete environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** `merged`: one pipe for standard output and error, which preserves the program's order. */
  readonly output: 'merged' | 'separate';
  /** Marks every process it starts, so that none is left behind. */
  readonly operationId: string;
}

export interface ProcessExit {
  readonly exitCode: number | undefined;
  /** Such as `SIGKILL`. */
  readonly signal: string | undefined;
}

/** A pipe for reading; if it is not read, its writer blocks. */
export interface OutputPipe extends AsyncIterable<Uint8Array> {
  /** Closes this end; reading it then fails. */
  destroy(): void;
}

export interface StartedProcess {
  readonly pid: number;
  /** In clock ticks since boot; together with the pid it identifies the process permanently. */
  readonly startTime: string;
  /** Its output; they end when the last process that has them open ends. */
  readonly streams: readonly {
    readonly name: 'merged' | 'stdout' | 'stderr';
    readonly readable: OutputPipe;
  }[];
  readonly exited: Promise<ProcessExit>;
  /** Denied accesses so far; empty unless its confinement has `denyReport`. */
  denied(): readonly DeniedAccess[];
}

/** Waits between INT, TERM and KILL, in milliseconds. */
export interface EndWaits {
  readonly interruptMs: number;
  readonly terminateMs: number;
}

/** Starts confined programs and ends them with all their descendants. */
export interface ProcessPort {
  /** Prepares what runs of this confinement need; otherwise `start` does it. @throws DeskterityError SANDBOX_UNAVAILABLE */
  prepare(confinement: Confinement): Promise<void>;
  /** @throws DeskterityError SANDBOX_UNAVAILABLE, ACTION_FAILED if the program cannot be started */
  start(confinement: Confinement, request: StartRequest): Promise<StartedProcess>;
  /**
   * Ends every process of an operation, even those in other process sessions, with INT, TERM and KILL. @returns how many there were
   * @throws DeskterityError ACTION_FAILED if some still run after KILL, SANDBOX_UNAVAILABLE
   */
  endAll(
    operationId: string,
    leader: { readonly pid: number; readonly startTime: string } | undefined,
    waits: EndWaits,
  ): Promise<number>;
  /** Ends prepared processes. */
  close(): Promise<void>;
}

/** Identifies one process permanently: pids are reused, and ticks restart from 0 at boot. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since boot; as text, because it is only ever compared. */
  readonly startTime: string;
  readonly bootId: string;
}

export interface ProcessIdentityPort {
  /** This process. */
  self(): ProcessIdentity;
  /** Whether exactly this process still runs; a zombie does not. */
  isRunning(identity: ProcessIdentity): boolean;
}

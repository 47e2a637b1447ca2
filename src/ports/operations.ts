import type { Confinement } from '../model/tools/confinement.ts';
import type { OperationRecord } from '../model/tools/operation.ts';

/** What is to be run. */
export interface OperationRequest {
  /** What was called: `git_status`. */
  readonly tool: string;
  readonly steps: readonly {
    readonly command: readonly [string, ...string[]];
    readonly cwd: string;
    /** Pause before it. */
    readonly delayMs?: number | undefined;
    /** All of it: nothing is inherited. */
    readonly environment: Readonly<Record<string, string>>;
    readonly confinement: Confinement;
  }[];
  /** Folder that all steps are kept to; says which holder runs them. */
  readonly scope: string;
  readonly session: string;
  /** All steps together; ends it as `timed_out`. */
  readonly timeoutMs?: number | undefined;
  readonly output: 'merged' | 'separate';
  /** Bytes of output that are kept at most. */
  readonly budgetBytes: number;
}

/** An operation as it is now. */
export interface OperationView extends OperationRecord {
  /** Bytes that were written so far, by stream; part of them may have been dropped for the budget. */
  readonly written: Readonly<Partial<Record<StreamName, number>>>;
}

export type StreamName = 'merged' | 'stdout' | 'stderr';

/** Which part of an output is wanted; one of the ways, the summary where none is given. */
export interface OutputQuery {
  readonly stream?: StreamName | undefined;
  /** Everything from this byte on; `next_cursor` of an earlier answer. */
  readonly cursor?: number | undefined;
  /** The last lines. */
  readonly tail?: number | undefined;
  /** Lines by number, from 1, both included. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
  /** Lines that match a regular expression, with lines around. */
  readonly pattern?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly context?: number | undefined;
  /** Never more than this, by a conservative count. */
  readonly maxTokens: number;
}

export interface OutputPart {
  readonly text: string;
  /** What is not in the text, in words, with how to get it; empty when nothing is left out. */
  readonly left_out: readonly string[];
  /** Byte to go on from. */
  readonly next_cursor: number;
  /** Bytes the stream has so far. */
  readonly total_bytes: number;
  readonly total_lines: number;
}

export interface OperationsPort {
  /** Makes ready what runs of this confinement need, so that the first of them starts as fast as any. @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE */
  prepare(confinement: Confinement): Promise<void>;
  /**
   * Answers when the operation is on record and its first command runs; or, as `starting`, when it waits for its turn.
   * @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE, ACTION_FAILED, RATE_LIMITED; there is no operation then
   */
  start(request: OperationRequest): Promise<OperationView>;
  /** @throws DeskterityError OPERATION_NOT_FOUND */
  status(operationId: string): Promise<OperationView>;
  /** Newest first. */
  list(filter: {
    readonly scope?: string | undefined;
    readonly session?: string | undefined;
    readonly running?: boolean | undefined;
  }): Promise<readonly OperationView[]>;
  /** Resolves when it is over or the time is up, whichever comes first. @throws DeskterityError OPERATION_NOT_FOUND, CANCELLED */
  wait(
    operationId: string,
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onProgress?: ((view: OperationView) => void) | undefined;
    },
  ): Promise<OperationView>;
  /** Ends it with everything it has started; the view of what it was where it is over already. @throws DeskterityError OPERATION_NOT_FOUND, DAEMON_UNAVAILABLE */
  cancel(operationId: string): Promise<OperationView>;
  /** @throws DeskterityError OPERATION_NOT_FOUND, INVALID_ARGUMENT for a pattern that is none, TIMEOUT for one that takes too long, BUDGET_TOO_SMALL */
  read(operationId: string, query: OutputQuery): Promise<OutputPart>;
  /** Called for each operation that comes to its end while this is watched. @returns ends the watch */
  onEnd(listener: (view: OperationView) => void): () => void;
}

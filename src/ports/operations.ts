import type { Confinement } from '../model/tools/confinement.ts';
import type { OperationRecord } from '../model/tools/operation.ts';

/** What to run. */
export interface OperationRequest {
  /** What was called: `git_status`. */
  readonly tool: string;
  readonly steps: readonly {
    readonly command: readonly [string, ...string[]];
    readonly cwd: string;
    /** Pause before it. */
    readonly delayMs?: number | undefined;
    /** The complete environment: nothing is inherited. */
    readonly environment: Readonly<Record<string, string>>;
    readonly confinement: Confinement;
  }[];
  /** Folder that all steps are confined to; decides which holder runs them. */
  readonly scope: string;
  readonly session: string;
  /** Whom it belongs to; see `Caller`. */
  readonly owner?: string | undefined;
  /** For all steps together; then it ends as `timed_out`. */
  readonly timeoutMs?: number | undefined;
  readonly output: 'merged' | 'separate';
  /** At most this many bytes of output are stored. */
  readonly budgetBytes: number;
}

/** An operation as it is now. */
export interface OperationView extends OperationRecord {
  /** Bytes written so far, by stream; part of them may have been dropped for the budget. */
  readonly written: Readonly<Partial<Record<StreamName, number>>>;
}

export type StreamName = 'merged' | 'stdout' | 'stderr';

/** The requested part of an output, by one of these; by default the summary. */
export interface OutputQuery {
  readonly stream?: StreamName | undefined;
  /** Everything from this byte on; `next_cursor` of an earlier answer. */
  readonly cursor?: number | undefined;
  /** At most so many lines, from the cursor or the beginning on. */
  readonly head?: number | undefined;
  /** At most so many bytes, likewise. */
  readonly headBytes?: number | undefined;
  /** The last lines. */
  readonly tail?: number | undefined;
  /** Lines by number, from 1, both included. */
  readonly lines?: { readonly first: number; readonly last: number } | undefined;
  /** Lines that match a regular expression, with context. */
  readonly pattern?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly context?: number | undefined;
  /** Never more than this, by a conservative count. */
  readonly maxTokens: number;
}

export interface OutputPart {
  readonly text: string;
  /** What was left out, in words, with how to get it. */
  readonly left_out: readonly string[];
  /** Byte to continue from. */
  readonly next_cursor: number;
  /** Bytes the stream has so far. */
  readonly total_bytes: number;
  readonly total_lines: number;
}

export interface OperationsPort {
  /** Prepares what runs of this confinement need, so that the first one starts as fast as any. @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE */
  prepare(confinement: Confinement): Promise<void>;
  /**
   * Resolves once the operation is recorded and its first command runs or, as `starting`, waits for its turn.
   * @throws DeskterityError SANDBOX_UNAVAILABLE, DAEMON_UNAVAILABLE, ACTION_FAILED, RATE_LIMITED; then there is no operation
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
  /** Resolves when it ends or the time is up. @throws DeskterityError OPERATION_NOT_FOUND, CANCELLED */
  wait(
    operationId: string,
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onProgress?: ((view: OperationView) => void) | undefined;
    },
  ): Promise<OperationView>;
  /** Ends it with everything it has started; has no effect if it has already ended. @throws DeskterityError OPERATION_NOT_FOUND, DAEMON_UNAVAILABLE */
  cancel(operationId: string): Promise<OperationView>;
  /** @throws DeskterityError OPERATION_NOT_FOUND, INVALID_ARGUMENT for an invalid pattern, TIMEOUT for one that takes too long, BUDGET_TOO_SMALL */
  read(operationId: string, query: OutputQuery): Promise<OutputPart>;
  /** Calls `listener` for each operation that ends. @returns ends the watch */
  onEnd(listener: (view: OperationView) => void): () => void;
}

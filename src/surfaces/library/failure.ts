import { DeskterityError as Failure } from '../../model/effects/errors.ts';
import type { Candidate, ErrorCode } from './commands.generated.ts';

/** Why a call failed, and what to do next. */
export interface DeskterityError extends Error {
  readonly name: 'DeskterityError';
  readonly code: ErrorCode;
  /** The next thing to try, in the words of the command line. */
  readonly suggestion: string;
  /** What the platform said: the name of an error of the desktop, an errno. */
  readonly platformDetail: string | undefined;
  /** What the caller may have meant. */
  readonly candidates: readonly Candidate[];
  /** Whether the same call may succeed when repeated unchanged. */
  readonly retryable: boolean;
  /** For acting commands: whether input may have reached the application. */
  readonly delivered: boolean | undefined;
  /** What is known in spite of the failure, such as the receipt of an act that changed nothing. */
  readonly result: Record<string, unknown> | undefined;
  /** What the command line would have ended with. */
  readonly exitCode: number;
}

/** What to give to construct one. */
export interface FailureDetails {
  readonly suggestion: string;
  readonly retryable?: boolean;
  readonly result?: Record<string, unknown>;
  readonly cause?: unknown;
}

export interface DeskterityErrorClass {
  new (code: ErrorCode, message: string, details: FailureDetails): DeskterityError;
  readonly prototype: DeskterityError;
}

/** The one class of all failures; every method rejects with it and nothing else. */
// The model writes its types with zod, which the published types must not need. References of candidates are texts there.
export const DeskterityError: DeskterityErrorClass = Failure as DeskterityErrorClass;

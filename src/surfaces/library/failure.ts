import { DeskterityError as Failure } from '../../model/effects/errors.ts';
import type { Candidate, ErrorCode } from './commands.generated.ts';

/** Why a call failed, and what to do next. */
export interface DeskterityError extends Error {
  readonly name: 'DeskterityError';
  readonly code: ErrorCode;
  /** The next thing to try. */
  readonly suggestion: string;
  /** The platform's error: an error name of the desktop or an errno. */
  readonly platformDetail: string | undefined;
  /** What the caller may have meant. */
  readonly candidates: readonly Candidate[];
  /** Whether the same call may succeed if repeated unchanged. */
  readonly retryable: boolean;
  /** For acting commands: whether input may have reached the application. */
  readonly delivered: boolean | undefined;
  /** Results despite the failure, such as the receipt of an act that changed nothing. */
  readonly result: Record<string, unknown> | undefined;
  /** Exit code of the command line for this error. */
  readonly exitCode: number;
}

/** Arguments of the constructor. */
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

/** The only class of errors that methods reject with. */
// The model's types use zod, which the published types must not require. There, references of candidates are plain strings.
export const DeskterityError: DeskterityErrorClass = Failure as DeskterityErrorClass;

/** A call that could not be made, or whose answer was lost. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** An error code of `model/effects/errors.ts`; the manifest has its exit code. */
  readonly code: string;
  /** What to do instead, as one sentence. */
  readonly suggestion: string;
  readonly retryable: boolean;
  /** Whether input may have reached the application. */
  readonly delivered: boolean | undefined;
  readonly detail: string | undefined;

  /** Other bundles of the command line have their own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'CallFailure';
  }

  constructor(
    code: string,
    message: string,
    details: {
      readonly suggestion: string;
      readonly retryable?: boolean | undefined;
      readonly delivered?: boolean | undefined;
      /** The system's error message. */
      readonly detail?: string | undefined;
    },
  ) {
    super(message);
    this.code = code;
    this.suggestion = details.suggestion;
    this.retryable = details.retryable ?? false;
    this.delivered = details.delivered;
    this.detail = details.detail;
  }
}

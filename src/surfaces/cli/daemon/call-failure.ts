/** A call that could not be made, or whose answer was lost; printed like any other error. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure';
  /** One of the error codes of DESIGN §6; the manifest knows its exit code. */
  readonly code: string;
  /** What to do instead, as one sentence. */
  readonly suggestion: string;
  readonly retryable: boolean;
  /** Whether input may have reached the application. */
  readonly delivered: boolean | undefined;
  readonly detail: string | undefined;

  /** Also for one from another bundle of the command line, which has this class once more. */
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
      /** What the system said. */
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

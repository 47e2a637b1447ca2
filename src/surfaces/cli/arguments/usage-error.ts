/** A mistake on the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command it was about; empty when none was recognised. */
  readonly command: string;
  /** What to do instead, as one sentence. */
  readonly suggestion: string;

  /** Also for one from another bundle of the command line, which has this class once more. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'UsageError';
  }

  constructor(command: string, message: string, suggestion: string) {
    super(message);
    this.command = command;
    this.suggestion = suggestion;
  }
}

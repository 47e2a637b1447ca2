/** A mistake on the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command; empty if none was recognized. */
  readonly command: string;
  /** What to do instead, as one sentence. */
  readonly suggestion: string;

  /** Other bundles of the command line have their own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'UsageError';
  }

  constructor(command: string, message: string, suggestion: string) {
    super(message);
    this.command = command;
    this.suggestion = suggestion;
  }
}

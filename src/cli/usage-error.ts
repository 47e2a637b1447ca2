/** A mistake on the command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command it was about; empty when none was recognised. */
  readonly command: string;
  /** What to do instead, as one sentence. */
  readonly suggestion: string;

  constructor(command: string, message: string, suggestion: string) {
    super(message);
    this.command = command;
    this.suggestion = suggestion;
  }
}

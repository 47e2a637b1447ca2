/** A rule of tool files that one breaks, beyond the types of its values. */
export interface ToolFileIssue {
  /** Keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** A sentence without its full stop. */
  readonly message: string;
  /** What to do, as a sentence. */
  readonly suggestion: string;
}

/** A broken rule of tool files, beyond the types of values. */
export interface ToolFileIssue {
  /** Keys and indexes from the root. */
  readonly path: readonly (string | number)[];
  /** A sentence without its full stop. */
  readonly message: string;
  /** What to do, as a sentence. */
  readonly suggestion: string;
}

export function issue(path: ToolFileIssue['path'], message: string, suggestion: string): ToolFileIssue {
  return { path, message, suggestion };
}

/** The code of an error of Node or of ours, such as `ENOENT`; `undefined` for any other. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Whether a path does not exist, including one below something that is not a folder. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}

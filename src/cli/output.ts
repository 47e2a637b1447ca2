/** Exit code when an answer could not be written: none that could be taken for one, as 0 and 1 of "is" could. */
const LOST_OUTPUT_EXIT_CODE = 3;

/** The parts of a standard stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, done: (error?: Error | null) => void): boolean;
}

/**
 * Writes everything before it resolves; `false` when it could not be kept, as on a full disk. A reader that has gone away is no failure: what
 * it did not want is dropped.
 */
export async function writeAll(stream: OutputStream, text: string): Promise<boolean> {
  if (text === '') return true;
  return new Promise<boolean>((resolve) => {
    stream.write(text, (error) => resolve(!error || isGone(error)));
  });
}

function isGone(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

/** The exit code of a command whose answer was lost; what tells of a failure stays. */
export function exitCodeOfLost(exitCode: number): number {
  return exitCode > 1 ? exitCode : LOST_OUTPUT_EXIT_CODE;
}

/** Exit code when an answer could not be written: none that could be taken for one, as 0 and 1 of "is" could. */
const LOST_OUTPUT_EXIT_CODE = 3;

/** The parts of a standard stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string | Uint8Array, done: (error?: Error | null) => void): boolean;
}

/**
 * Writes everything before it resolves; `false` when it could not be kept, as on a full disk. A reader that has gone away is no failure: what
 * it did not want is dropped.
 */
export async function writeAll(stream: OutputStream, text: string): Promise<boolean> {
  return (await tryToWrite(stream, text)) !== 'lost';
}

/** `gone`: nobody reads any more. `lost`: it could not be kept, as on a full disk. */
export async function tryToWrite(stream: OutputStream, text: string): Promise<'written' | 'gone' | 'lost'> {
  if (text === '') return 'written';
  return new Promise((resolve) => {
    stream.write(text, (error) => {
      if (!error) return resolve('written');
      const code = 'code' in error ? error.code : undefined;
      resolve(code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' ? 'gone' : 'lost');
    });
  });
}

/** The exit code of a command whose answer was lost; what tells of a failure stays. */
export function exitCodeOfLost(exitCode: number): number {
  return exitCode > 1 ? exitCode : LOST_OUTPUT_EXIT_CODE;
}

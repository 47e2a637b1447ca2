/** Exit code if an answer could not be written; 0 and 1 could be mistaken for an answer of "is". */
const LOST_OUTPUT_EXIT_CODE = 3;

/** The parts of a standard stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string | Uint8Array, done: (error?: Error | null) => void): boolean;
}

/**
 * Resolves after everything is written; `false` if it could not be stored, as on a full disk. A closed reader is not a failure:
 * the rest is discarded.
 */
export async function writeAll(stream: OutputStream, text: string): Promise<boolean> {
  return (await tryToWrite(stream, text)) !== 'lost';
}

/** `gone`: the reader has closed. `lost`: it could not be stored, as on a full disk. */
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

/** The exit code of a command whose answer was lost; that of a failure is kept. */
export function exitCodeOfLost(exitCode: number): number {
  return exitCode > 1 ? exitCode : LOST_OUTPUT_EXIT_CODE;
}

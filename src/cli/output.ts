/** The parts of a standard stream that the command line uses. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string, done: (error?: Error | null) => void): boolean;
}

/** Writes everything before it resolves. A reader that has gone away is no failure: what it did not want is dropped. */
export async function writeAll(stream: OutputStream, text: string): Promise<void> {
  if (text === '') return;
  await new Promise<void>((resolve) => {
    stream.write(text, () => resolve());
  });
}

import { Socket } from 'node:net';
import type { DeskterityError } from '../../../../../model/effects/errors.ts';

/** The most that is read, and the error for more. */
export interface PipeLimit {
  readonly bytes: number;
  readonly tooMuch: () => DeskterityError;
}

/**
 * Everything that a program writes into a pipe before it closes it.
 * @param file the end to read from, which is closed in any case
 * @param signal once aborted, nothing more is read
 * @throws the error of the limit
 */
export async function readPipe(file: number, signal: AbortSignal, limit: PipeLimit): Promise<Buffer> {
  // A pipe is read by the event loop, so that an owner that never writes occupies no thread.
  const stream = new Socket({ fd: file, readable: true, writable: false, signal });
  const pieces: Buffer[] = [];
  let total = 0;
  try {
    for await (const piece of stream) {
      if (!Buffer.isBuffer(piece)) continue;
      total += piece.length;
      if (total > limit.bytes) throw limit.tooMuch();
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } finally {
    stream.destroy();
  }
}

/**
 * Writes all of it into a pipe and closes that. A reader that is gone or never reads costs nothing but the memory.
 * @returns whether all of it was read; never rejects
 */
export function writePipe(file: number, data: Uint8Array, limitMs: number): Promise<boolean> {
  const stream = new Socket({ fd: file, readable: false, writable: true });
  return new Promise((resolve) => {
    const end = (isWhole: boolean): void => {
      clearTimeout(timer);
      stream.destroy();
      resolve(isWhole);
    };
    const timer = setTimeout(() => end(false), limitMs).unref();
    stream.on('error', () => end(false));
    stream.end(data, () => end(true));
  });
}

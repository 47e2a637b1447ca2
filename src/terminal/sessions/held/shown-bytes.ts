import { open } from 'node:fs/promises';
import { listSegments } from '../../../operations/output/output-segments.ts';

/** What is kept of a stretch of what a terminal has shown. */
export interface KeptBytes {
  /** Where it begins: behind the last gap. */
  readonly from: number;
  readonly bytes: Buffer;
}

/** The end of the stretch, as far back as it is on the disk without a gap. @param folder of the segments */
export async function readShown(folder: string, from: number, to: number): Promise<KeptBytes> {
  const segments = await listSegments(folder, 'merged');
  let begin = Math.max(0, from);
  let end = begin;
  let pieces: Buffer[] = [];
  for (const { path, start, bytes } of segments) {
    const first = Math.max(begin, start);
    const last = Math.min(to, start + bytes);
    if (last <= first) continue;
    if (first !== end) {
      pieces = [];
      begin = first;
    }
    const piece = await readPiece(path, first - start, last - first);
    if (piece === undefined) continue;
    pieces.push(piece);
    end = first + piece.length;
  }
  return { from: begin, bytes: Buffer.concat(pieces) };
}

/** `undefined` where it was dropped meanwhile. */
async function readPiece(path: string, from: number, length: number): Promise<Buffer | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const buffer = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await file.read(buffer, done, length - done, from + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return buffer.subarray(0, done);
  } finally {
    await file.close();
  }
}

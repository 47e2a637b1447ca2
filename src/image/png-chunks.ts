import { crc32 } from 'node:zlib';
import { invalidImage } from './image-error.ts';

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

export interface Chunk {
  readonly type: string;
  readonly data: Uint8Array;
}

/** The bytes of a PNG file with these chunks. */
export function writeChunks(chunks: readonly Chunk[]): Buffer {
  const parts: Uint8Array[] = [SIGNATURE];
  for (const { type, data } of chunks) {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(data.length, 0);
    head.write(type, 4, 'latin1');
    const tail = Buffer.alloc(4);
    tail.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0);
    parts.push(head, data, tail);
  }
  return Buffer.concat(parts);
}

/** The chunks of a PNG file up to IEND. @throws DeskterityError INVALID_ARGUMENT */
export function readChunks(bytes: Uint8Array): Chunk[] {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.length < SIGNATURE.length || file.compare(SIGNATURE, 0, 8, 0, 8) !== 0)
    throw invalidImage('it is not a PNG file');
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + 12 <= file.length) {
    const length = file.readUInt32BE(at);
    if (at + 12 + length > file.length) break;
    const type = file.toString('latin1', at + 4, at + 8);
    const data = file.subarray(at + 8, at + 8 + length);
    if (crc32(file.subarray(at + 4, at + 8 + length)) !== file.readUInt32BE(at + 8 + length)) {
      throw invalidImage(`its ${JSON.stringify(type)} chunk is damaged`);
    }
    chunks.push({ type, data });
    if (type === 'IEND') return chunks;
    at += 12 + length;
  }
  throw invalidImage('the PNG file is cut off');
}

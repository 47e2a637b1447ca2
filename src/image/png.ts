import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';
import { COLOUR, invalidImage, requireImage, wordsOf, type RawImage } from './raw-image.ts';

const UP_FILTER = 2;
const TRUECOLOUR = 2;

export interface PngOptions {
  /** zlib level 0 to 9. 3 is the default: level 6 saves half the bytes of a flat screen for 1.5 times the time. */
  readonly level?: number;
}

/**
 * A PNG file (8-bit RGB). Every row is stored as its difference to the row above, which suits user interfaces: most of it is zero.
 * @throws DeskterityError INVALID_ARGUMENT if size and pixels do not match
 */
export function encodePng(image: RawImage, options: PngOptions = {}): Buffer {
  requireImage(image);
  return fileOf(image, deflateSync(filterRows(image), { level: options.level ?? 3 }));
}

/** Like {@link encodePng}, compressing in another thread. */
export async function encodePngLater(image: RawImage, options: PngOptions = {}): Promise<Buffer> {
  requireImage(image);
  return fileOf(image, await deflateLater(filterRows(image), { level: options.level ?? 3 }));
}

const deflateLater = promisify(deflate);

function fileOf({ width, height }: RawImage, data: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = TRUECOLOUR;
  return writeChunks([
    { type: 'IHDR', data: header },
    { type: 'IDAT', data },
    { type: 'IEND', data: new Uint8Array(0) },
  ]);
}

function filterRows(image: RawImage): Uint8Array {
  const { width, height } = image;
  const words = wordsOf(image);
  const rows = new Uint8Array((width * 3 + 1) * height);
  let to = 0;
  let from = 0;
  for (let y = 0; y < height; y += 1) {
    rows[to++] = UP_FILTER;
    for (let x = 0; x < width; x += 1) {
      const pixel = words[from] ?? 0;
      const above = y === 0 ? 0 : (words[from - width] ?? 0);
      from += 1;
      if (((pixel ^ above) & COLOUR) !== 0) {
        // Storing into bytes takes the difference modulo 256, as the filter requires.
        rows[to] = (pixel >>> 16) - (above >>> 16);
        rows[to + 1] = (pixel >>> 8) - (above >>> 8);
        rows[to + 2] = pixel - above;
      }
      to += 3;
    }
  }
  return rows;
}

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
    if (crc32(file.subarray(at + 4, at + 8 + length)) !== file.readUInt32BE(at + 8 + length))
      throw invalidImage(`its ${JSON.stringify(type)} chunk is damaged`);
    chunks.push({ type, data });
    if (type === 'IEND') return chunks;
    at += 12 + length;
  }
  throw invalidImage('the PNG file is cut off');
}

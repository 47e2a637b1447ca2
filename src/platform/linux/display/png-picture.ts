import { promisify } from 'node:util';
import { inflate } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_BYTES = 13;
/** Length and name before the data of a chunk, and a checksum after it. */
const AROUND_CHUNK = 12;
const MOST_PIXELS = 32_768;
const MOST_BYTES = 1024 * 1024 * 1024;
/** Bytes for each pixel by colour type: RGB, and RGB with transparency. */
const BYTES: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** As in `CapturedImage`. */
  readonly bgrx: Uint8Array;
}

const inflateLater = promisify(inflate);

/**
 * The pixels of a PNG file as compositors and portals write them: 8 bits for each of red, green and blue, not interlaced. What is transparent keeps its colour.
 * `undefined` for any other file. Source: RFC 2083.
 */
export async function readPng(file: Uint8Array): Promise<Picture | undefined> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return undefined;
  let header: Buffer | undefined;
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at + AROUND_CHUNK <= bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (at + AROUND_CHUNK + length > bytes.length) return undefined;
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') header = data;
    if (name === 'IDAT') parts.push(data);
    at += AROUND_CHUNK + length;
  }
  if (header?.length !== HEADER_BYTES) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const size = BYTES[header[9] ?? 0];
  const isInterlaced = header[12] !== 0;
  if (header[8] !== 8 || size === undefined || isInterlaced) return undefined;
  if (width < 1 || height < 1 || width > MOST_PIXELS || height > MOST_PIXELS) return undefined;
  const expected = (width * size + 1) * height;
  if (expected > MOST_BYTES) return undefined;
  const rows = await inflateLater(Buffer.concat(parts), { maxOutputLength: expected }).catch(() => undefined);
  if (rows?.length !== expected) return undefined;
  if (!unfilter(rows, { width, height, size })) return undefined;
  return { width, height, bgrx: swapped(rows, { width, height, size }) };
}

interface Shape {
  readonly width: number;
  readonly height: number;
  /** Bytes for each pixel. */
  readonly size: number;
}

/** Turns differences into values, in place. @returns whether all filters are known */
function unfilter(rows: Buffer, { width, height, size }: Shape): boolean {
  const length = width * size;
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1) + 1;
    const filter = rows[start - 1] ?? 0;
    if (filter > 4) return false;
    if (filter === 0) continue;
    const above = y === 0 ? -1 : start - length - 1;
    for (let x = 0; x < length; x++) {
      const left = x < size ? 0 : (rows[start + x - size] ?? 0);
      const up = above < 0 ? 0 : (rows[above + x] ?? 0);
      const corner = x < size || above < 0 ? 0 : (rows[above + x - size] ?? 0);
      // Storing into bytes takes the sum modulo 256.
      rows[start + x] = (rows[start + x] ?? 0) + predicted(filter, left, up, corner);
    }
  }
  return true;
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  const estimate = left + up - corner;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toCorner = Math.abs(estimate - corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function swapped(rows: Buffer, { width, height, size }: Shape): Uint8Array {
  const bgrx = new Uint8Array(width * height * 4);
  let to = 0;
  for (let y = 0; y < height; y++) {
    let from = y * (width * size + 1) + 1;
    for (let x = 0; x < width; x++, from += size, to += 4) {
      bgrx[to] = rows[from + 2] ?? 0;
      bgrx[to + 1] = rows[from + 1] ?? 0;
      bgrx[to + 2] = rows[from] ?? 0;
      bgrx[to + 3] = 255;
    }
  }
  return bgrx;
}

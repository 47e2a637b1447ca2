import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Positions in the header of an X window dump, in words of four bytes, most significant first. */
const HEADER_SIZE = 0;
const WIDTH = 4;
const HEIGHT = 5;
const BYTES_PER_LINE = 12;
const COLOURS = 19;
const BYTES_PER_COLOUR = 12;
const WORD = 4;

/** What a display shows: one number for each pixel, red, green and blue in its lower 24 bits. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
}

/** Reads the frame buffer that Xvfb maps into a file (`-fbdir`). */
export function readFrame(file: string): Frame {
  return frameIn(readFileSync(file));
}

function frameIn(bytes: Buffer): Frame {
  const word = (index: number): number => bytes.readUInt32BE(index * WORD);
  const [width, height] = [word(WIDTH), word(HEIGHT)];
  const begin = word(HEADER_SIZE) + word(COLOURS) * BYTES_PER_COLOUR;
  const perLine = word(BYTES_PER_LINE) / WORD;
  const all = new Uint32Array(bytes.buffer, bytes.byteOffset + begin, perLine * height);
  if (perLine === width) return { width, height, pixels: all };
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y++) pixels.set(all.subarray(y * perLine, y * perLine + width), y * width);
  return { width, height, pixels };
}

export function sameFrame(a: Frame, b: Frame): boolean {
  return Buffer.compare(asBytes(a), asBytes(b)) === 0;
}

/**
 * Reads a frame buffer again and again, into the same two pieces of memory: a new one of six megabytes for each look costs more than the comparison.
 * A frame is only valid until the next but one is read.
 */
export class FrameWatch {
  private readonly file: string;
  private spare: Buffer | undefined;
  private current: Buffer | undefined;

  constructor(file: string) {
    this.file = file;
  }

  next(): Frame {
    const opened = openSync(this.file, 'r');
    try {
      const { size } = fstatSync(opened);
      const bytes = this.spare?.length === size ? this.spare : Buffer.alloc(size);
      readSync(opened, bytes, 0, size, 0);
      this.spare = this.current;
      this.current = bytes;
      return frameIn(bytes);
    } finally {
      closeSync(opened);
    }
  }
}

function asBytes({ pixels }: Frame): Buffer {
  return Buffer.from(pixels.buffer, pixels.byteOffset, pixels.byteLength);
}

/** Writes a picture as a compressed portable pixmap (`.ppm.gz`). */
export function writeFrame(file: string, { width, height, pixels }: Frame): void {
  const bytes = Buffer.alloc(width * height * 3);
  for (const [index, pixel] of pixels.entries()) bytes.writeUIntBE(pixel & 0xff_ff_ff, index * 3, 3);
  writeFileSync(file, gzipSync(Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), bytes])));
}

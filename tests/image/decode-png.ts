import { inflateSync } from 'node:zlib';
import { readChunks, type Chunk } from '../../src/image/png.ts';
import { invalidImage, type RawImage } from '../../src/image/raw-image.ts';

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;
/** More than any screen; keeps a small hostile file from claiming gigabytes. */
const MAX_PIXELS = 64 * 1024 * 1024;

/**
 * The pixels of a PNG file with 8 bits per channel (gray, RGB, palette, with or without alpha), not interlaced. Transparent parts are
 * rendered over white.
 * @throws DeskterityError INVALID_ARGUMENT for anything else, damaged files included
 */
export function decodePng(bytes: Uint8Array): RawImage {
  const chunks = readChunks(bytes);
  const { width, height, colour, channels } = readHeader(chunks);
  const stride = width * channels;
  const rows = unfilter(inflate(chunks, (stride + 1) * height), stride, channels);
  const palette = colour === PALETTE ? readPalette(chunks) : undefined;
  return {
    width,
    height,
    bgrx: toBgrx(rows, width * height, channels, palette),
    origin: { x: 0, y: 0 },
    scale: 1,
  };
}

function readHeader(chunks: readonly Chunk[]): {
  width: number;
  height: number;
  colour: number;
  channels: number;
} {
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw invalidImage('it has no PNG header');
  const view = new DataView(header.data.buffer, header.data.byteOffset, header.data.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  if (width === 0 || height === 0 || width * height > MAX_PIXELS)
    throw invalidImage(`its size is ${width}x${height}`);
  const colour = view.getUint8(9);
  const channels = CHANNELS[colour];
  if (view.getUint8(8) !== 8 || channels === undefined) throw invalidImage('it has not 8 bits per channel');
  if (view.getUint8(10) !== 0 || view.getUint8(11) !== 0)
    throw invalidImage('it uses an unknown compression');
  if (view.getUint8(12) !== 0) throw invalidImage('it is interlaced');
  return { width, height, colour, channels };
}

function inflate(chunks: readonly Chunk[], expected: number): Uint8Array {
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  let rows: Uint8Array;
  try {
    rows = inflateSync(packed, { maxOutputLength: expected });
  } catch (error) {
    throw invalidImage('its pixel data are damaged', error);
  }
  if (rows.length !== expected) throw invalidImage('it has too few pixels');
  return rows;
}

/** Blue, green, red of every palette entry, laid over white where the file makes it transparent. */
function readPalette(chunks: readonly Chunk[]): Uint8Array {
  const colours = chunks.find(({ type }) => type === 'PLTE')?.data;
  if (colours === undefined || colours.length === 0 || colours.length % 3 !== 0)
    throw invalidImage('it has no palette');
  const alphas = chunks.find(({ type }) => type === 'tRNS')?.data ?? new Uint8Array(0);
  const palette = new Uint8Array(colours.length);
  for (let at = 0; at < colours.length; at += 3) {
    const alpha = alphas[at / 3] ?? 255;
    palette[at] = overWhite(colours[at + 2] ?? 0, alpha);
    palette[at + 1] = overWhite(colours[at + 1] ?? 0, alpha);
    palette[at + 2] = overWhite(colours[at] ?? 0, alpha);
  }
  return palette;
}

function toBgrx(
  rows: Uint8Array,
  count: number,
  channels: number,
  palette: Uint8Array | undefined,
): Uint8Array {
  const bgrx = new Uint8Array(count * 4);
  for (let pixel = 0; pixel < count; pixel += 1) {
    const from = pixel * channels;
    const to = pixel * 4;
    const first = rows[from] ?? 0;
    bgrx[to + 3] = 255;
    if (palette !== undefined) {
      if (first * 3 >= palette.length) throw invalidImage('it names a colour that is not in its palette');
      bgrx.set(palette.subarray(first * 3, first * 3 + 3), to);
      continue;
    }
    const isGray = channels < 3;
    const alpha = channels % 2 === 0 ? (rows[from + channels - 1] ?? 0) : 255;
    bgrx[to] = overWhite(isGray ? first : (rows[from + 2] ?? 0), alpha);
    bgrx[to + 1] = overWhite(isGray ? first : (rows[from + 1] ?? 0), alpha);
    bgrx[to + 2] = overWhite(first, alpha);
  }
  return bgrx;
}

function overWhite(value: number, alpha: number): number {
  return alpha === 255 ? value : Math.round((value * alpha + 255 * (255 - alpha)) / 255);
}

/** Undoes PNG's row filters; `step` is the bytes of one pixel. @throws DeskterityError INVALID_ARGUMENT for an unknown filter */
function unfilter(rows: Uint8Array, stride: number, step: number): Uint8Array {
  const height = rows.length / (stride + 1);
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (stride + 1)] ?? 0;
    const predict = PREDICTORS[filter];
    if (predict === undefined) throw invalidImage(`it uses the unknown row filter ${filter}`);
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    for (let x = 0; x < stride; x += 1) {
      const left = x < step ? 0 : (pixels[to + x - step] ?? 0);
      const up = y === 0 ? 0 : (pixels[to + x - stride] ?? 0);
      const upLeft = x < step || y === 0 ? 0 : (pixels[to + x - stride - step] ?? 0);
      pixels[to + x] = (rows[from + x] ?? 0) + predict(left, up, upLeft);
    }
  }
  return pixels;
}

type Predictor = (left: number, up: number, upLeft: number) => number;

const PREDICTORS: readonly Predictor[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => (left + up) >> 1,
  paeth,
];

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const [toLeft, toUp, toUpLeft] = [
    Math.abs(estimate - left),
    Math.abs(estimate - up),
    Math.abs(estimate - upLeft),
  ];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

import { encodePng, readChunks, writeChunks, type Chunk } from '../../src/image/png.ts';
import { COLOUR, wordsOf, type RawImage } from '../../src/image/raw-image.ts';

export interface Frame {
  readonly image: RawImage;
  readonly milliseconds: number;
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** For files that are stored once and loaded often. */
const LEVEL = 9;

/**
 * An animated PNG of pictures of one size, repeated for ever. Each frame stores only the rectangle that differs from the one before; a program
 * that knows no animations shows the first frame.
 * @throws Error without frames or if their sizes differ
 */
export function encodeApng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error('An animation needs a frame.');
  const { width, height } = first.image;
  const [header, ...pixels] = encoded(first.image);
  if (header === undefined) throw new Error('The encoder made no header.');
  const chunks: Chunk[] = [
    header,
    { type: 'acTL', data: words(frames.length, 0) },
    control(0, { x: 0, y: 0, width, height }, first.milliseconds),
    ...pixels,
  ];
  let number = 1;
  let previous = first.image;
  for (const { image, milliseconds } of frames.slice(1)) {
    if (image.width !== width || image.height !== height)
      throw new Error('All frames must have the same size.');
    const box = differingPart(previous, image);
    chunks.push(control(number++, box, milliseconds));
    const [, ...parts] = encoded(cut(image, box));
    for (const { data } of parts) chunks.push({ type: 'fdAT', data: Buffer.concat([words(number++), data]) });
    previous = image;
  }
  return writeChunks([...chunks, { type: 'IEND', data: new Uint8Array(0) }]);
}

/** The header and the pixels. */
function encoded(image: RawImage): readonly Chunk[] {
  return readChunks(encodePng(image, { level: LEVEL })).filter(({ type }) => type !== 'IEND');
}

function control(number: number, { x, y, width, height }: Box, milliseconds: number): Chunk {
  const data = Buffer.alloc(26);
  [number, width, height, x, y].forEach((value, index) => data.writeUInt32BE(value, index * 4));
  data.writeUInt16BE(milliseconds, 20);
  data.writeUInt16BE(1000, 22);
  // The last two bytes stay 0: the frame remains, and replaces what is beneath it.
  return { type: 'fcTL', data };
}

function words(...values: readonly number[]): Buffer {
  const data = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => data.writeUInt32BE(value, index * 4));
  return data;
}

/** The smallest rectangle outside which two images are the same; one pixel if they are the same everywhere. */
function differingPart(before: RawImage, after: RawImage): Box {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const { width, height } = after;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      if ((((old[at] ?? 0) ^ (now[at] ?? 0)) & COLOUR) === 0) continue;
      left = Math.min(left, x);
      right = Math.max(right, x + 1);
      top = Math.min(top, y);
      bottom = y + 1;
    }
  return right === 0
    ? { x: 0, y: 0, width: 1, height: 1 }
    : { x: left, y: top, width: right - left, height: bottom - top };
}

function cut(image: RawImage, { x, y, width, height }: Box): RawImage {
  const bgrx = new Uint8Array(width * height * 4);
  for (let row = 0; row < height; row += 1) {
    const from = ((y + row) * image.width + x) * 4;
    bgrx.set(image.bgrx.subarray(from, from + width * 4), row * width * 4);
  }
  return { width, height, bgrx, origin: { x: 0, y: 0 }, scale: 1 };
}

import { requireImage, wordsOf, type RawImage } from './raw-image.ts';

/** How the pixels along one side contribute to the smaller image. */
interface Shares {
  readonly length: number;
  /** For each pixel the first pixel of the smaller image that it contributes to. */
  readonly index: Uint32Array;
  /** Its share there, 0 to 1; the rest goes to the next one. */
  readonly share: Float64Array;
  /** For each pixel of the smaller image the divisor of its sum. */
  readonly total: Float64Array;
}

/**
 * A smaller copy of an image in which every pixel is the average of the area it covers. `scale` maps screen positions exactly, so the last column
 * and row may cover less than the others.
 * @param factor above 0; from 1 on, the image itself is returned
 * @throws DeskterityError INVALID_ARGUMENT if size and pixels do not match
 */
export function shrink(image: RawImage, factor: number): RawImage {
  requireImage(image);
  if (factor >= 1) return image;
  const columns = sharesOf(image.width, factor);
  const rows = sharesOf(image.height, factor);
  const words = wordsOf(image);
  const bgrx = new Uint8Array(columns.length * rows.length * 4);
  const line = new Float64Array(columns.length * 3);
  let current = new Float64Array(columns.length * 3);
  let next = new Float64Array(columns.length * 3);
  for (let y = 0; y < image.height; y += 1) {
    sumLine(words.subarray(y * image.width, (y + 1) * image.width), columns, line);
    const share = rows.share[y] ?? 1;
    const row = rows.index[y] ?? 0;
    add(current, line, share);
    if (share < 1) add(next, line, 1 - share);
    if (share === 1 && rows.index[y + 1] === row) continue;
    store(current, columns, rows.total[row] ?? 1, bgrx.subarray(row * columns.length * 4));
    current.fill(0);
    [current, next] = [next, current];
  }
  if ((rows.share.at(-1) ?? 1) < 1)
    store(current, columns, rows.total.at(-1) ?? 1, bgrx.subarray((rows.length - 1) * columns.length * 4));
  return {
    width: columns.length,
    height: rows.length,
    bgrx,
    origin: image.origin,
    scale: image.scale * factor,
  };
}

/** A smaller part of a pixel is a rounding error. */
const NOTHING = 1e-9;

function sharesOf(size: number, factor: number): Shares {
  const length = Math.max(1, Math.ceil(size * factor - NOTHING));
  const index = new Uint32Array(size);
  const share = new Float64Array(size).fill(1);
  const total = new Float64Array(length);
  for (let at = 0; at < size; at += 1) {
    const first = Math.min(Math.floor(at * factor + NOTHING), length - 1);
    const beyond = (at + 1) * factor - (first + 1);
    const part = beyond > NOTHING && first + 1 < length ? 1 - beyond / factor : 1;
    index[at] = first;
    share[at] = part;
    total[first] = (total[first] ?? 0) + part;
    if (part < 1) total[first + 1] = (total[first + 1] ?? 0) + 1 - part;
  }
  return { length, index, share, total };
}

/** Sums blue, green and red of one line per pixel of the smaller image. */
function sumLine(words: Uint32Array, { index, share }: Shares, line: Float64Array): void {
  line.fill(0);
  for (let x = 0; x < words.length; x += 1) {
    const pixel = words[x] ?? 0;
    const part = share[x] ?? 1;
    const blue = pixel & 0xff;
    const green = (pixel >>> 8) & 0xff;
    const red = (pixel >>> 16) & 0xff;
    const at = (index[x] ?? 0) * 3;
    line[at] = (line[at] ?? 0) + blue * part;
    line[at + 1] = (line[at + 1] ?? 0) + green * part;
    line[at + 2] = (line[at + 2] ?? 0) + red * part;
    if (part === 1) continue;
    const rest = 1 - part;
    line[at + 3] = (line[at + 3] ?? 0) + blue * rest;
    line[at + 4] = (line[at + 4] ?? 0) + green * rest;
    line[at + 5] = (line[at + 5] ?? 0) + red * rest;
  }
}

function add(sums: Float64Array, line: Float64Array, share: number): void {
  for (let at = 0; at < line.length; at += 1) sums[at] = (sums[at] ?? 0) + (line[at] ?? 0) * share;
}

function store(sums: Float64Array, { total }: Shares, height: number, bgrx: Uint8Array): void {
  for (let x = 0; x < total.length; x += 1) {
    const area = (total[x] ?? 1) * height;
    for (let colour = 0; colour < 3; colour += 1)
      bgrx[x * 4 + colour] = Math.round((sums[x * 3 + colour] ?? 0) / area);
    bgrx[x * 4 + 3] = 255;
  }
}

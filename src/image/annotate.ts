import { intersect, type Bounds } from '../model/tree/bounds.ts';
import { toImage } from './crop.ts';
import { OUTLINE, placeLabels } from './label-layout.ts';
import { requireImage, wordsOf, type RawImage } from './raw-image.ts';

export interface Annotation {
  /** The text on the chip, such as `@e12` or `@e9+`. */
  readonly label: string;
  /** The element, in screen pixels. */
  readonly bounds: Bounds;
}

export interface AnnotatedImage extends RawImage {
  /** The labels that were drawn; elements outside the image are left out. */
  readonly drawn: readonly string[];
}

/** Chip colours with enough contrast to white or black ink; neighbours in the list differ in hue. */
const PALETTE = [
  { fill: 0xffd4_1876, ink: 0xffff_ffff },
  { fill: 0xff00_5fcc, ink: 0xffff_ffff },
  { fill: 0xff00_7a33, ink: 0xffff_ffff },
  { fill: 0xffff_c400, ink: 0xff00_0000 },
  { fill: 0xff7b_2fbf, ink: 0xffff_ffff },
  { fill: 0xffc9_2a00, ink: 0xffff_ffff },
  { fill: 0xff00_d0d8, ink: 0xff00_0000 },
  { fill: 0xff5d_4037, ink: 0xffff_ffff },
] as const;

const TINY = 3 * OUTLINE;
const PADDING_X = 2;
const PADDING_Y = 2;
/** An element must be this large for its outline to run inside it at the edge of the image. */
const ROOM_FOR_INNER_OUTLINE = 10;

/**
 * A copy of an image with a box around each element and its ref on a chip beside it. Boxes run outside the elements, so that even tiny
 * ones stay visible.
 */
export function annotate(image: RawImage, annotations: readonly Annotation[]): AnnotatedImage {
  requireImage(image);
  const canvas = new Canvas(image);
  const whole = { x: 0, y: 0, width: image.width, height: image.height };
  const visible = annotations.flatMap(({ label, bounds }, index) => {
    const box = intersect(toImage(image, bounds), whole);
    const colour = PALETTE[index % PALETTE.length] ?? PALETTE[0];
    return box === undefined ? [] : [{ label, box, colour }];
  });
  const requests = visible.map(({ label, box }) => {
    const text = textSize(label);
    return { box, width: text.width + 2 * PADDING_X, height: text.height + 2 * PADDING_Y };
  });
  const places = placeLabels(requests, image);
  for (const { box, colour } of visible) drawOutline(canvas, box, colour.fill);
  for (const [index, { box, colour }] of visible.entries()) {
    const place = places[index];
    if (place !== undefined) drawConnection(canvas, place, box, colour.fill);
  }
  // The outline or line of a close neighbour may cover a tiny element.
  for (const { box } of visible) if (Math.min(box.width, box.height) <= TINY) canvas.restore(box, image);
  for (const [index, { label, colour }] of visible.entries()) {
    const place = places[index];
    if (place === undefined) continue;
    canvas.paint(place, colour.fill);
    drawText(label, (x, y) => {
      canvas.paint(
        { x: place.x + PADDING_X + x, y: place.y + PADDING_Y + y, width: 1, height: 1 },
        colour.ink,
      );
    });
  }
  const { width, height, origin, scale } = image;
  return { width, height, origin, scale, bgrx: canvas.bgrx, drawn: visible.map(({ label }) => label) };
}

/** Four bars around the box. At the edge of the image a bar moves inside, or is omitted if the element is too small for that. */
function drawOutline(canvas: Canvas, box: Bounds, colour: number): void {
  const left = edge(box.x, 0, -OUTLINE, box.width);
  const top = edge(box.y, 0, -OUTLINE, box.height);
  const right = edge(box.x + box.width, canvas.width, 0, box.width);
  const bottom = edge(box.y + box.height, canvas.height, 0, box.height);
  const x = left ?? box.x;
  const y = top ?? box.y;
  const width = (right === undefined ? box.x + box.width : right + OUTLINE) - x;
  const height = (bottom === undefined ? box.y + box.height : bottom + OUTLINE) - y;
  if (left !== undefined) canvas.paint({ x: left, y, width: OUTLINE, height }, colour);
  if (right !== undefined) canvas.paint({ x: right, y, width: OUTLINE, height }, colour);
  if (top !== undefined) canvas.paint({ x, y: top, width, height: OUTLINE }, colour);
  if (bottom !== undefined) canvas.paint({ x, y: bottom, width, height: OUTLINE }, colour);
}

/** A thin line that connects a distant label with its element. */
function drawConnection(canvas: Canvas, label: Bounds, box: Bounds, colour: number): void {
  const from = {
    x: nearest(label.x, label.width, box.x + box.width / 2),
    y: nearest(label.y, label.height, box.y + box.height / 2),
  };
  const to = { x: nearest(box.x, box.width, from.x), y: nearest(box.y, box.height, from.y) };
  const steps = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  if (steps <= OUTLINE + 1) return;
  for (let step = 0; step <= steps; step += 1) {
    const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
    const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
    canvas.paint({ x, y, width: 1, height: 1 }, colour);
  }
}

/** The pixel of a range that is closest to `wanted`. */
function nearest(start: number, length: number, wanted: number): number {
  return Math.round(Math.max(start, Math.min(wanted, start + length - 1)));
}

/** The start of a bar at `position` (`shift` -OUTLINE: before it, 0: after it); `limit` is the image's edge on that side. */
function edge(position: number, limit: number, shift: number, extent: number): number | undefined {
  const outside = position + shift;
  const fits = shift < 0 ? outside >= limit : outside + OUTLINE <= limit;
  if (fits) return outside;
  if (extent < ROOM_FOR_INNER_OUTLINE) return undefined;
  return shift < 0 ? limit : limit - OUTLINE;
}

/** A copy of an image's pixels to draw on; pixels outside are not drawn. */
class Canvas {
  readonly width: number;
  readonly height: number;
  readonly bgrx: Uint8Array;
  readonly #words: Uint32Array;

  constructor(image: RawImage) {
    this.width = image.width;
    this.height = image.height;
    this.bgrx = new Uint8Array(image.bgrx);
    this.#words = wordsOf(this);
  }

  /** Restores the pixels of the original image; `area` is inside it. */
  restore(area: Bounds, from: RawImage): void {
    for (let y = area.y; y < area.y + area.height; y += 1) {
      const at = (y * this.width + area.x) * 4;
      this.bgrx.set(from.bgrx.subarray(at, at + area.width * 4), at);
    }
  }

  paint(area: Bounds, colour: number): void {
    const clipped = intersect(area, { x: 0, y: 0, width: this.width, height: this.height });
    if (clipped === undefined) return;
    for (let y = clipped.y; y < clipped.y + clipped.height; y += 1) {
      const from = y * this.width + clipped.x;
      this.#words.fill(colour, from, from + clipped.width);
    }
  }
}

/** Our own bitmap font for labels: 6 pixels wide, 9 high, strokes thick enough to be read at one image pixel per screen pixel. */
const GLYPH_WIDTH = 6;
const GLYPH_HEIGHT = 9;
const LETTER_GAP = 1;

const DRAWINGS: Readonly<Record<string, string>> = {
  '0': '.####. ##..## ##..## ##..## ##..## ##..## ##..## ##..## .####.',
  '1': '..##.. .###.. ####.. ..##.. ..##.. ..##.. ..##.. ..##.. ######',
  '2': '.####. ##..## ....## ....## ...##. ..##.. .##... ##.... ######',
  '3': '.####. ##..## ....## ....## ..###. ....## ....## ##..## .####.',
  '4': '...##. ..###. .####. ##.##. ##.##. ##.##. ###### ...##. ...##.',
  '5': '###### ##.... ##.... #####. ....## ....## ....## ##..## .####.',
  '6': '..###. .##... ##.... #####. ##..## ##..## ##..## ##..## .####.',
  '7': '###### ....## ....## ...##. ...##. ..##.. ..##.. .##... .##...',
  '8': '.####. ##..## ##..## ##..## .####. ##..## ##..## ##..## .####.',
  '9': '.####. ##..## ##..## ##..## ##..## .##### ....## ...##. .###..',
  '@': '.####. #....# #.##.# ##.#.# ##.#.# #.###. #..... #....# .####.',
  '+': '...... ...... ..##.. ..##.. ###### ###### ..##.. ..##.. ......',
  e: '...... ...... .####. ##..## ##..## ###### ##.... ##..## .####.',
  t: '.##... .##... #####. .##... .##... .##... .##... .##.## ..###.',
  w: '...... ...... #....# #....# #....# #.##.# #.##.# ###### .#..#.',
};

/** Drawn for a character that the font does not have. */
const UNKNOWN = '###### #....# #....# #....# #....# #....# #....# #....# ######';

/** Size of a text in pixels. */
function textSize(text: string): { readonly width: number; readonly height: number } {
  const letters = Array.from(text).length;
  return { width: Math.max(0, letters * (GLYPH_WIDTH + LETTER_GAP) - LETTER_GAP), height: GLYPH_HEIGHT };
}

/** Calls `dot` for each inked pixel of a text whose top-left corner is 0,0. */
function drawText(text: string, dot: (x: number, y: number) => void): void {
  let left = 0;
  for (const letter of text) {
    const rows = (DRAWINGS[letter] ?? UNKNOWN).split(' ');
    for (const [y, row] of rows.entries()) {
      for (let x = 0; x < row.length; x += 1) if (row[x] === '#') dot(left + x, y);
    }
    left += GLYPH_WIDTH + LETTER_GAP;
  }
}

import { invalidImage } from './image-error.ts';

/** Undoes PNG's row filters; `step` is the bytes of one pixel. @throws DeskterityError INVALID_ARGUMENT for an unknown filter */
export function unfilter(rows: Uint8Array, stride: number, step: number): Uint8Array {
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

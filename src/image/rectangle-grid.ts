import { intersect } from '../model/tree/bounds.ts';
import type { Bounds } from '../model/tree/bounds.ts';

const CELL = 64;

/** Rectangles by the squares of the image they touch, so that finding neighbours does not look at all of them. */
export class RectangleGrid {
  readonly #columns: number;
  readonly #rows: number;
  readonly #cells = new Map<number, Bounds[]>();

  constructor(image: { readonly width: number; readonly height: number }) {
    this.#columns = Math.ceil(image.width / CELL);
    this.#rows = Math.ceil(image.height / CELL);
  }

  add(bounds: Bounds): void {
    for (const cell of this.#cellsOf(bounds)) {
      const held = this.#cells.get(cell);
      if (held === undefined) this.#cells.set(cell, [bounds]);
      else held.push(bounds);
    }
  }

  /** The rectangles that share a pixel with `area`, each once. */
  touching(area: Bounds): Set<Bounds> {
    const found = new Set<Bounds>();
    for (const cell of this.#cellsOf(area)) {
      for (const bounds of this.#cells.get(cell) ?? []) {
        if (intersect(bounds, area) !== undefined) found.add(bounds);
      }
    }
    return found;
  }

  *#cellsOf({ x, y, width, height }: Bounds): Generator<number> {
    const right = Math.min(this.#columns - 1, Math.floor((x + width - 1) / CELL));
    const bottom = Math.min(this.#rows - 1, Math.floor((y + height - 1) / CELL));
    for (let row = Math.max(0, Math.floor(y / CELL)); row <= bottom; row += 1) {
      for (let column = Math.max(0, Math.floor(x / CELL)); column <= right; column += 1)
        yield row * this.#columns + column;
    }
  }
}

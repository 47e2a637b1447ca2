import { intersect, type Bounds } from '../model/tree/bounds.ts';

export interface LabelRequest {
  /** The element, in image pixels, inside the image. */
  readonly box: Bounds;
  readonly width: number;
  readonly height: number;
}

/**
 * Costs of a place per label area covered. Covering another label is worst because then neither is readable; covering another element is bad
 * because the label seems to belong to it; covering a container of the element (its window, its group) is free.
 */
const LABEL_COST = 30;
const BOX_COST = 3;
const OWN_BOX_COST = 0.5;
/** Per element, for the square of its hidden share: many elements half hidden are better than one hidden completely. */
const HIDDEN_COST = 8;
const GONE_COST = 1000;
const GONE_SHARE = 0.6;
/** Between equal places the earlier candidate wins; later ones cost a little. */
const ORDER_COST = 0.02;
/** For labels that only a line connects: worse than covering a quarter of their own element. */
const APART_COST = 1.5;
const FURTHER_STEPS = 3;

/**
 * Places one label per element: inside the image, next to its element, covering other labels and elements as little as possible.
 * Greedy, smallest elements first, because they have the least choice.
 */
export function placeLabels(
  requests: readonly LabelRequest[],
  image: { readonly width: number; readonly height: number },
): Bounds[] {
  const boxes = new RectangleGrid(image);
  for (const { box } of requests) boxes.add(box);
  const labels = new RectangleGrid(image);
  const places: Bounds[] = requests.map(({ box, width, height }) => ({ x: box.x, y: box.y, width, height }));
  const order = requests
    .map((request, index) => ({ request, index, area: areaOf(request.box) }))
    .sort((a, b) => a.area - b.area);
  for (const { request, index } of order) {
    const place = bestPlace(request, image, boxes, labels);
    places[index] = place;
    labels.add(place);
  }
  return places;
}

function bestPlace(
  request: LabelRequest,
  image: { readonly width: number; readonly height: number },
  boxes: RectangleGrid,
  labels: RectangleGrid,
): Bounds {
  let best: Bounds | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const [rank, { x, y, away = 0 }] of [...candidates(request)].entries()) {
    const place = {
      x: clamp(Math.round(x), image.width - request.width),
      y: clamp(y, image.height - request.height),
      width: request.width,
      height: request.height,
    };
    const least = rank * ORDER_COST + (away === 0 ? 0 : APART_COST + away);
    // No later candidate can be better.
    if (least >= bestCost) break;
    const cost = least + costOf(place, request.box, boxes, labels);
    if (cost < bestCost) {
      bestCost = cost;
      best = place;
    }
  }
  return best ?? { x: 0, y: 0, width: request.width, height: request.height };
}

interface Candidate {
  readonly x: number;
  readonly y: number;
  /** Steps away from the element; absent beside or on it. */
  readonly away?: number;
}

/**
 * Top-left corners to try, best first: outside at the corners and sides, inside at the corners, then further away, with a line that connects
 * label and element.
 */
function* candidates({ box, width, height }: LabelRequest): Generator<Candidate> {
  const [left, top] = [box.x - OUTLINE, box.y - OUTLINE];
  const [right, bottom] = [box.x + box.width + OUTLINE, box.y + box.height + OUTLINE];
  const middle = box.y + Math.floor((box.height - height) / 2);
  const centre = box.x + Math.floor((box.width - width) / 2);
  for (const x of [left, right - width]) yield { x, y: top - height };
  for (const y of [top, middle, bottom - height]) yield { x: left - width, y };
  for (const y of [top, middle, bottom - height]) yield { x: right, y };
  for (const x of [left, right - width]) yield { x, y: bottom };
  for (const y of [top - height, bottom]) yield { x: centre, y };
  for (const y of [top, bottom - height]) for (const x of [left, right - width]) yield { x, y };
  for (let away = 1; away <= FURTHER_STEPS; away += 1) {
    for (const x of [centre, left - away * 4, right - width + away * 4]) {
      yield { x, y: top - height - away * (height + 1), away };
      yield { x, y: bottom + away * (height + 1), away };
    }
    yield { x: left - width - away * (width / 2), y: middle, away };
    yield { x: right + away * (width / 2), y: middle, away };
  }
}

function costOf(place: Bounds, own: Bounds, boxes: RectangleGrid, labels: RectangleGrid): number {
  const area = areaOf(place);
  let cost = 0;
  for (const label of labels.touching(place)) cost += (LABEL_COST * overlap(label, place)) / area;
  for (const box of boxes.touching(place)) {
    if (box !== own && holds(box, own)) continue;
    const shared = overlap(box, place);
    const hidden = (shared + hiddenBefore(box, area, labels)) / areaOf(box);
    cost += ((box === own ? OWN_BOX_COST : BOX_COST) * shared) / area + HIDDEN_COST * hidden * hidden;
    if (hidden > GONE_SHARE) cost += GONE_COST;
  }
  return cost;
}

/** Pixels of a small element that labels already hide, each label counted in full. A few labels cannot hide a large one. */
function hiddenBefore(box: Bounds, labelArea: number, labels: RectangleGrid): number {
  if (areaOf(box) > 4 * labelArea) return 0;
  let hidden = 0;
  for (const label of labels.touching(box)) hidden += overlap(label, box);
  return hidden;
}

/** Width of the outline drawn around an element; labels are placed outside it. */
export const OUTLINE = 2;

function overlap(a: Bounds, b: Bounds): number {
  const shared = intersect(a, b);
  return shared === undefined ? 0 : areaOf(shared);
}

function holds(outer: Bounds, inner: Bounds): boolean {
  return overlap(outer, inner) === areaOf(inner);
}

function areaOf(bounds: Bounds): number {
  return bounds.width * bounds.height;
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(value, max));
}

/** Side of a square of {@link RectangleGrid} in pixels. */
const CELL = 64;

/** Rectangles by the squares of the image they touch, so that finding neighbours does not look at all of them. */
class RectangleGrid {
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

import { changedRegions, type ChangedRegion } from '../../image/difference.ts';
import { intersect, type Bounds } from '../../model/tree/bounds.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import type { Point } from '../../ports/input.ts';
import { confirmed, unverified, type Judgement } from '../evidence/evidence.ts';

/** Pictures of the target's window around one act. */
export interface Pictures {
  readonly before: CapturedImage;
  /** When the act had settled. */
  readonly first: CapturedImage;
  /** Until what ticks would have changed again; the last one is from then. */
  readonly later: readonly CapturedImage[];
}

/** Where the picture changes whatever the application does. */
export interface Marks {
  /** What takes and loses the focus, the pointer or the press by being clicked. */
  readonly zones: readonly Bounds[];
  /** Where the pointer was and is; none if it was not used. */
  readonly points: readonly Point[];
  /** Such marks may also be in places that are not known. Then only a change that is larger than any mark counts. */
  readonly areUnknown: boolean;
  /** A ring that comes or goes is what was wanted. */
  readonly areWanted?: boolean;
  /** Only here an effect can show. */
  readonly place?: Bounds | undefined;
}

/** Thinner is a caret, or the line under a letter that Alt shows. */
const THIN_PX = 4;
const FEWEST_PIXELS = 12;
/** Around what they belong to: shadows, rings. */
const MARGIN_PX = 10;
/** More than a line of text or the mark of a widget. */
const SUBSTANTIAL = { width: 120, height: 60 };
/** A caret that blinks meanwhile is no unrest. */
const CARET = { width: 24, height: 48 };

/** Judges an act by pictures, where the tree shows no effect; `undefined` if the pictures show none either. */
export function judgePictures(
  told: readonly string[],
  { before, first, later }: Pictures,
  marks: Marks,
): Judgement | undefined {
  const last = later.at(-1) ?? first;
  const covered = [before, first, ...later].flatMap((image) => image.covered ?? []);
  const ignored = [...covered, ...marks.zones.map(widened)];
  const outside = (now: CapturedImage): readonly ChangedRegion[] =>
    (changedRegions(before, now, ignored) ?? []).filter(isNoCaret);
  const prompt = outside(first);
  const own = prompt.filter((region) => isEffect(region, marks));
  if (own.length === 0) {
    const [some] = [...prompt, ...outside(last)];
    if (some === undefined) return undefined;
    const isLate = outside(last).some((region) => isEffect(region, marks));
    return unverified([...told, `${changedAt(some)}${isLate ? LATE : MARK}`], false);
  }
  const restless = later.flatMap((image) => changedRegions(first, image, covered) ?? []);
  const [best] = own
    .filter(({ bounds }) => !restless.some((other) => intersect(other.bounds, widened(bounds)) !== undefined))
    .toSorted((a, b) => b.pixels - a.pixels);
  if (best === undefined || !restless.every(({ bounds }) => isWithin(bounds, CARET)))
    return unverified([...told, `${changedAt(own[0])}, and goes on changing`], false);
  return confirmed([...told, `${changedAt(best)} when the act took effect, and then stayed`], false);
}

/** Whether a picture shows what may be an effect, so that it is worth waiting whether it stays. */
export function mayBeEffect(before: CapturedImage, now: CapturedImage, marks: Marks): boolean {
  const ignored = [...(before.covered ?? []), ...(now.covered ?? []), ...marks.zones.map(widened)];
  return (changedRegions(before, now, ignored) ?? []).some((region) => isEffect(region, marks));
}

const MARK = ', but so it may where the pointer or the focus is';
const LATE = ' some time later, which may have another cause';

function changedAt(region: ChangedRegion | undefined): string {
  const { x, y, width, height } = region?.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
  return `the picture of the window changed at ${x},${y} (${width} × ${height} pixels)`;
}

function isNoCaret({ bounds, pixels }: ChangedRegion): boolean {
  return bounds.width >= THIN_PX && bounds.height >= THIN_PX && pixels >= FEWEST_PIXELS;
}

function isEffect(region: ChangedRegion, { points, areUnknown, areWanted = false, place }: Marks): boolean {
  const { bounds, isFrame } = region;
  if (place !== undefined && intersect(bounds, place) === undefined) return false;
  if (!isNoCaret(region) || (isFrame && !areWanted) || points.some((point) => isIn(widened(bounds), point)))
    return false;
  return !areUnknown || (bounds.width >= SUBSTANTIAL.width && bounds.height >= SUBSTANTIAL.height);
}

function isWithin(
  { width, height }: Bounds,
  limit: { readonly width: number; readonly height: number },
): boolean {
  return width <= limit.width && height <= limit.height;
}

function widened({ x, y, width, height }: Bounds): Bounds {
  return {
    x: x - MARGIN_PX,
    y: y - MARGIN_PX,
    width: width + 2 * MARGIN_PX,
    height: height + 2 * MARGIN_PX,
  };
}

function isIn({ x, y, width, height }: Bounds, point: Point): boolean {
  return point.x >= x && point.x < x + width && point.y >= y && point.y < y + height;
}

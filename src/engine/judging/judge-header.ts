import { changedRegions, type ChangedRegion } from '../../image/difference.ts';
import { isSameBounds, type Bounds } from '../../model/tree/bounds.ts';
import type { TreeNode } from '../../model/tree/node.ts';
import type { CapturedImage } from '../../ports/desktop/capture.ts';
import { confirmed, type Judgement } from '../evidence/evidence.ts';
import type { Reading } from '../evidence/window-diff.ts';
import type { Pictures } from './judge-pictures.ts';

/** What shows how a table is sorted is at most so large. */
const SIGN_PX = 24;
const FEWEST_PIXELS = 6;

/** Whether the header of a column has the focus, whose mark would be in its place. */
export function isHeaderFocused(trees: readonly (Reading | undefined)[]): boolean {
  const isFocused = ({ role, states, children }: TreeNode): boolean =>
    (role === 'columnheader' && states.includes('focused')) || children.some(isFocused);
  return trees.some((tree) => tree === undefined || isFocused(tree.root));
}

/**
 * Where the headers of the other columns are: the sign of the column that its table was sorted by goes, also where that of the clicked one is cut off at the
 * edge of the table. Not those of another table that stands beside it.
 */
export function headersBeside(tree: Reading | undefined, place: Bounds): readonly Bounds[] {
  const headersIn = ({ children }: TreeNode): readonly Bounds[] =>
    children.flatMap(({ role, bounds }) => (role === 'columnheader' && bounds !== undefined ? [bounds] : []));
  // By its place: Qt makes the objects of headers anew for each reading.
  const besideIn = (table: TreeNode): readonly Bounds[] => {
    const headers = headersIn(table);
    return headers.some((bounds) => isSameBounds(bounds, place)) ? headers : table.children.flatMap(besideIn);
  };
  const all = tree === undefined ? [] : besideIn(tree.root);
  return all.filter(({ x, y, height }) => x !== place.x && y === place.y && height === place.height);
}

/**
 * Whether a small sign came, went or turned round in the header of a column and stayed, although the click moved the focus, as it does from a field to
 * the table. Marks of the focus are rings around an element or fill it; the rest of the header is as before.
 */
export function judgeHeader(
  told: readonly string[],
  { before, first, later }: Pictures,
  place: Bounds,
): Judgement | undefined {
  const changedIn = (was: CapturedImage, now: CapturedImage): readonly ChangedRegion[] | undefined => {
    const covered = [...(was.covered ?? []), ...(now.covered ?? [])];
    return changedRegions(was, now, [...covered, ...around(place, was)]);
  };
  const [sign, ...others] = changedIn(before, first) ?? [];
  if (sign === undefined || others.length > 0 || !isSign(sign, place)) return undefined;
  if (later.length === 0 || later.some((image) => changedIn(first, image)?.length !== 0)) return undefined;
  const { x, y, width, height } = sign.bounds;
  return confirmed(
    [...told, `a sign in the header changed at ${x},${y} (${width} × ${height} pixels), and then stayed`],
    false,
  );
}

function isSign({ bounds, pixels, isFrame }: ChangedRegion, place: Bounds): boolean {
  const { x, y, width, height } = bounds;
  const isInside =
    x > place.x && y > place.y && x + width < place.x + place.width && y + height < place.y + place.height;
  return isInside && !isFrame && pixels >= FEWEST_PIXELS && width <= SIGN_PX && height <= SIGN_PX;
}

/** Everything but a place. */
function around({ x, y, width, height }: Bounds, image: CapturedImage): Bounds[] {
  const left = image.origin.x;
  const top = image.origin.y;
  const right = left + image.width / image.scale;
  const bottom = top + image.height / image.scale;
  return [
    { x: left, y: top, width: right - left, height: Math.max(0, y - top) },
    { x: left, y: y + height, width: right - left, height: Math.max(0, bottom - y - height) },
    { x: left, y, width: Math.max(0, x - left), height },
    { x: x + width, y, width: Math.max(0, right - x - width), height },
  ];
}

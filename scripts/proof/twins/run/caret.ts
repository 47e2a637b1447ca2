import type { Act } from '../act/act.ts';
import { findWidget } from '../act/widgets.ts';
import { compareViews, isWithin, type Difference, type Restless, type View } from '../look/compare.ts';
import { caretToStart, lookAway, view } from '../look/look.ts';
import { focusDifference } from '../look/marks.ts';
import type { Side } from '../side/side.ts';
import type { Pair } from './pair.ts';

const STILL_MS = 200;
const MOST_MS = 4000;
/** The frame that a toolkit draws around a field. */
const FRAME_PX = 8;

/** Whether nothing but the picture of the field differs into which a text was entered. */
export function isOnlyField(
  { tree, windows, files, picture }: Difference,
  twin: View,
  { target }: Act,
): boolean {
  const box = findWidget(twin.seen, target.key)?.node.box ?? undefined;
  const isElse = [tree, windows, files].some(({ only, other }) => only.length + other.length > 0);
  if (isElse || target.isMultiLine || box === undefined || picture === undefined) return false;
  const [x, y, width, height] = box;
  return isWithin(picture.box, [x - FRAME_PX, y - FRAME_PX, width + 2 * FRAME_PX, height + 2 * FRAME_PX]);
}

/**
 * What differs once the caret is at the beginning of the field on both sides: a text that is wider than its field is shown around its caret, which
 * a command need not put where typing leaves it.
 */
export async function differenceFromStart(
  pair: Pair,
  { target }: Act,
  restless: Restless,
): Promise<Difference> {
  const look = async (side: Side): Promise<View> => {
    await caretToStart(side, target.key);
    await lookAway(side);
    await side.untilStill(STILL_MS, MOST_MS);
    return view(side);
  };
  const [ours, twin] = await Promise.all([look(pair.ours), look(pair.twin)]);
  const masked = new Set([...restless.tiles, ...focusDifference(ours, twin)]);
  return compareViews(ours, twin, { ...restless, tiles: masked });
}

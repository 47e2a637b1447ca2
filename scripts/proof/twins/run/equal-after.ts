import type { Act } from '../act/act.ts';
import { arrange, passOver } from '../act/mouse.ts';
import { arrangementOf } from '../look/arrange.ts';
import {
  comparePictures,
  compareViews,
  isOnlyLabels,
  isOnlyMore,
  isSame,
  isSameExceptPicture,
  type Difference,
  type Restless,
} from '../look/compare.ts';
import { handlesOfNew } from '../look/handles.ts';
import { lookAway, lookBack, repaint } from '../look/look.ts';
import {
  edgesOfMenuBars,
  entryBeside,
  focusDifference,
  highlights,
  isCaretIn,
  isInPage,
  openedBoth,
  underlines,
} from '../look/marks.ts';
import { isLine, type Picture, type Tiles } from '../look/picture.ts';
import { movedPopups } from '../look/popups.ts';
import { estimatedBars } from '../look/scroll-bars.ts';
import { keptSelections } from '../look/selections.ts';
import type { Box } from '../look/tree.ts';
import type { Side } from '../side/side.ts';
import { lookAtBoth, type Before } from './before.ts';
import { differenceFromStart, isOnlyField } from './caret.ts';
import { isSameText } from './entered.ts';
import { bothLookAway, type Pair } from './pair.ts';
import type { Harmless } from './records.ts';

const STILL_MS = 400;
const MOST_MS = 4000;

/** What differs after an act, once everything is left out that is no effect of it. */
interface Compared {
  readonly difference: Difference;
  readonly harmless?: Harmless;
}

/** Windows that lie otherwise for no reason of the act are laid as the twin's are before pictures are compared; nothing of them is left out. */
export async function onceArranged(
  pair: Pair,
  before: Before,
  after: Before,
  { act, restless }: { readonly act: Act; readonly restless: Restless },
): Promise<Compared> {
  const arrangement = isSame(compareViews(after.ours, after.twin, restless))
    ? undefined
    : arrangementOf(before, after);
  if (arrangement === undefined) return withoutMarks(pair, before, after, { act, restless });
  await arrange(pair.ours, arrangement);
  await Promise.all([pair.ours, pair.twin].map(async (side) => side.untilStill(STILL_MS, MOST_MS)));
  const now = await lookAtBoth(pair);
  const arranged = {
    ours: { ...now.ours, files: after.ours.files },
    twin: { ...now.twin, files: after.twin.files },
  };
  const { difference } = await withoutMarks(pair, before, arranged, { act, restless });
  return isSame(difference) ? { difference, harmless: arrangement.harmless } : { difference };
}

/**
 * If only pictures differ: by a title that still looks pointed at, by the item that is highlighted in a menu, or, once nothing has the focus, not at
 * all, by a line that is the same once it is drawn anew, or by what a page goes on drawing until the pointer passes?
 */
async function withoutMarks(
  pair: Pair,
  before: Before,
  after: Before,
  { act: { target }, restless }: { readonly act: Act; readonly restless: Restless },
): Promise<Compared> {
  const difference = compareViews(after.ours, after.twin, restless);
  if (isSame(difference)) return { difference };
  if (!isSameExceptPicture(difference)) return withoutHints(pair, difference, restless);
  const chosen = new Set([...restless.tiles, ...entryBeside(after, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, chosen) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'focus' };
  const hovered = new Set([...restless.tiles, ...openedBoth(after, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, hovered) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'hover' };
  const moved = new Set([...restless.tiles, ...movedPopups(after.ours, after.twin, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, moved) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'place' };
  const handles = new Set([...restless.tiles, ...handlesOfNew(before, after, after.ours.frame.width)]);
  if (comparePictures(after.ours.frame, after.twin.frame, handles) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'handle' };
  const tiles = new Set([...restless.tiles, ...highlights(after.ours, after.twin)]);
  if (comparePictures(after.ours.frame, after.twin.frame, tiles) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'highlight' };
  const edges = new Set([...restless.tiles, ...edgesOfMenuBars(after.ours, after.twin)]);
  if (comparePictures(after.ours.frame, after.twin.frame, edges) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'edge' };
  const letters = new Set([...tiles, ...underlines(after.ours, after.twin)]);
  if (comparePictures(after.ours.frame, after.twin.frame, letters) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'letters' };
  const bars = new Set([...restless.tiles, ...estimatedBars(after.ours, after.twin)]);
  if (comparePictures(after.ours.frame, after.twin.frame, bars) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'estimate' };
  const selections = new Set([...tiles, ...keptSelections(before, after, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, selections) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'selection' };
  const sides = [pair.ours, pair.twin];
  const mark = difference.picture?.box;
  if (mark !== undefined && isCaretIn(after, mark))
    return { difference: { ...difference, picture: undefined }, harmless: 'caret' };
  if (mark !== undefined && mark[2] <= TITLE_PX && mark[3] <= MARK_PX) {
    await Promise.all(sides.map(async (side) => passOver(side, mark)));
    await Promise.all(sides.map(async (side) => side.untilStill(STILL_MS / 2, MOST_MS)));
    if (comparePictures(pair.ours.frame(), pair.twin.frame(), restless.tiles) === undefined)
      return { difference: { ...difference, picture: undefined }, harmless: 'hover' };
  }
  const had = await Promise.all(
    sides.map(async (side) => {
      const window = await lookAway(side);
      await side.untilStill(STILL_MS / 2, MOST_MS);
      return { side, window };
    }),
  );
  const focus = focusDifference(after.ours, after.twin);
  const masked = new Set([...selections, ...focus]);
  const unfocused = comparePictures(pair.ours.frame(), pair.twin.frame(), masked);
  const isDashed = unfocused !== undefined && isLine(unfocused.box);
  if (isDashed) await Promise.all(sides.map(drawAnew));
  const left = isDashed ? comparePictures(pair.ours.frame(), pair.twin.frame(), masked) : unfocused;
  const isOfPage = left !== undefined && left.box[3] <= MARK_PX && isInPage(after.twin.seen, left.box);
  const picture = isOfPage ? await pictureOncePassed(pair, masked, left.box) : left;
  // What follows begins where this act ended, with the window in use that was in use.
  await Promise.all(had.map(async ({ side, window }) => lookBack(side, window)));
  const seen = isDashed ? 'line' : 'focus';
  const harmless = isOfPage ? 'passed' : seen;
  return { difference: { ...difference, picture }, ...(picture === undefined ? { harmless } : {}) };
}

/**
 * What an empty field tells about itself, such as "Search…", may be a label that shows only while the field has the focus, or only while it has not. Both
 * sides must be alike once nothing has it.
 */
async function withoutHints(pair: Pair, difference: Difference, restless: Restless): Promise<Compared> {
  if (!isOnlyLabels(difference)) return { difference };
  const sides = [pair.ours, pair.twin];
  const had = await Promise.all(
    sides.map(async (side) => {
      const window = await lookAway(side);
      await side.untilStill(STILL_MS, MOST_MS);
      return { side, window };
    }),
  );
  const { ours, twin } = await lookAtBoth(pair);
  const unfocused = compareViews(ours, twin, restless);
  await Promise.all(had.map(async ({ side, window }) => lookBack(side, window)));
  // Files were waited for before.
  const left = { ...unfocused, files: difference.files };
  return isSame(left) ? { difference: left, harmless: 'hint' } : { difference };
}

/** The height of a button or field that may still look pointed at. */
const MARK_PX = 64;
/** As wide as the title of a page, which GTK 3 draws as pointed at until the pointer passes, if it was there when a menu took it. */
const TITLE_PX = 240;

/** What pictures differ in once the pointer has passed over both sides. */
async function pictureOncePassed(pair: Pair, tiles: Tiles, box: Box): Promise<Picture | undefined> {
  await Promise.all(
    [pair.ours, pair.twin].map(async (side) => {
      await passOver(side, box);
      await side.untilStill(STILL_MS, MOST_MS);
    }),
  );
  return comparePictures(pair.ours.frame(), pair.twin.frame(), tiles);
}

async function drawAnew(side: Side): Promise<void> {
  await repaint(side);
  await side.untilStill(STILL_MS / 2, MOST_MS);
}

/** What differs after a text was entered, which is done when its field has been left. */
export async function onceEntered(
  pair: Pair,
  marked: Compared,
  after: Before,
  doing: { readonly act: Act; readonly restless: Restless },
): Promise<Compared> {
  // Typed text leaves both sides in their field.
  const left = doing.act.kind === 'type' ? marked : await onceLeft(pair, marked, doing.restless);
  return picturedOnceLeft(pair, await fromStart(pair, left, after, doing), doing.restless);
}

/** By hand a field is left, which closes what closes by that: a bubble, a list of suggestions. Whatever the twin shows beyond our side still counts. */
async function onceLeft(pair: Pair, marked: Compared, restless: Restless): Promise<Compared> {
  const { difference } = marked;
  if (isSame(difference) || !isOnlyMore(difference)) return marked;
  await lookAway(pair.ours);
  await pair.ours.untilStill(STILL_MS, MOST_MS);
  const { ours, twin } = await lookAtBoth(pair);
  const left = compareViews(ours, twin, restless);
  return isSame({ ...left, files: difference.files })
    ? { difference: { ...left, files: difference.files }, harmless: 'left' }
    : marked;
}

/**
 * By hand a field is left once its text is entered, and with it its window: what else differs is pictured once both sides have left it, so that the
 * colours of the window in use are no part of it.
 */
async function picturedOnceLeft(
  pair: Pair,
  entered: Compared,
  { tiles }: Pick<Restless, 'tiles'>,
): Promise<Compared> {
  const { difference } = entered;
  if (isSameExceptPicture(difference) || difference.picture === undefined) return entered;
  await bothLookAway(pair);
  return {
    ...entered,
    difference: { ...difference, picture: comparePictures(pair.ours.frame(), pair.twin.frame(), tiles) },
  };
}

/** The part of a text that its field shows depends on where the caret is. */
async function fromStart(
  pair: Pair,
  left: Compared,
  after: Before,
  { act, restless }: { readonly act: Act; readonly restless: Restless },
): Promise<Compared> {
  if (!isOnlyField(left.difference, after.twin, act) || !isSameText(after, act)) return left;
  const found = await differenceFromStart(pair, act, restless);
  // Files were waited for before.
  const difference = { ...found, files: left.difference.files };
  return isSame(difference) ? { difference, harmless: 'caret' } : left;
}

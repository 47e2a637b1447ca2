import { actTitle, type Act } from '../act/act.ts';
import type { Actor, Answer } from '../act/actor.ts';
import { arrange, mouse, park, passOver } from '../act/mouse.ts';
import { findWidget, sameKey, usableWidgets, whyUnreachable, type Widget } from '../act/widgets.ts';
import {
  changedLines,
  compareViews,
  comparePictures,
  isOnlyMore,
  isSame,
  isSameExceptPicture,
  type Difference,
  type Restless,
  type View,
} from '../look/compare.ts';
import { onceEqual, readFiles, unequalFiles, withoutFiles, type BothFiles } from '../look/files.ts';
import { lookAway, lookBack, repaint, view } from '../look/look.ts';
import { isBrowserOpen } from '../look/browsers.ts';
import type { Box, Seen } from '../look/tree.ts';
import { isMenuClosing } from '../look/menus.ts';
import {
  differenceButMarks,
  entryBeside,
  focusDifference,
  highlights,
  isInPage,
  openedBoth,
} from '../look/marks.ts';
import { differentTiles, isLine, type Tiles } from '../look/picture.ts';
import { movedPopups } from '../look/popups.ts';
import { arrangementOf } from '../look/arrange.ts';
import { estimatedBars } from '../look/scroll-bars.ts';
import { keptSelections } from '../look/selections.ts';
import { sameFrame, type Frame } from '../side/frame.ts';
import type { Side } from '../side/side.ts';
import { differenceFromStart, isOnlyField } from './caret.ts';
import { judge, type Verdict } from './judge.ts';
import type { Pair } from './pair.ts';
import type { HARMLESS_PICTURES } from './records.ts';

/** Why an act was not tried: a start came out differently. */
export const SIDES_DIFFER = 'the sides differed before the act';
const STILL_MS = 400;
const MOST_MS = 4000;
/** Qt closes a submenu that the pointer left within a second, sooner or later by how long it had rested there. */
const SUBMENU_MS = 1200;
/** One act on both sides, judged. */
export interface Trial {
  readonly verdict: Verdict;
  /** Why it was excluded. */
  readonly reason?: string;
  readonly answer?: Answer;
  /** What the two sides did not have in common afterwards, in words. */
  readonly differs?: readonly string[];
  /** What the twin did. */
  readonly twin?: readonly string[];
  /** What the two sides did not have in common afterwards. */
  readonly between?: Difference;
  /** Our side changed. */
  readonly isOursChanged?: boolean;
  /** What the twin did, for comparing with another try. */
  readonly twinDid?: string;
  /** The only difference, and one that does not count. */
  readonly harmless?: Harmless;
  /** Widgets that the twin shows after the act and did not show before. */
  readonly shown: readonly Widget[];
  /** Both sides are as they were before. */
  readonly isUnchanged: boolean;
  /** What both sides showed after an act on which they did not agree. */
  readonly frames?: { readonly ours: Frame; readonly twin: Frame };
  /** Both sides as they are now, if they are alike: the next act may follow. */
  readonly after?: Before;
}

type Harmless = (typeof HARMLESS_PICTURES)[number];

/** Both sides before an act. */
export interface Before {
  readonly ours: View;
  readonly twin: View;
}

/** Looks at both sides. If their pictures are equal they have the same tree, too: one walk is enough. */
export async function lookAtBoth(pair: Pair): Promise<Before> {
  const [ours, twin] = await Promise.all([view(pair.ours), view(pair.twin)]);
  return { ours, twin };
}

/** Carries out an act on both sides at once and compares what comes of it. */
export async function tryAct(
  pair: Pair,
  before: Before,
  act: Act,
  actor: Actor,
  restless: Restless,
): Promise<Trial> {
  // What differs in files from the start cannot be an effect of the act.
  const unequal = new Set([...restless.files, ...unequalFiles(before.ours.files, before.twin.files)]);
  const start = differenceButMarks(
    leaveFiles(before.ours, unequal),
    leaveFiles(before.twin, unequal),
    restless,
  );
  if (!isSame(start)) return excluded(SIDES_DIFFER, describe(start, 'ours', 'twin'));
  const startTiles = differentTiles(before.ours.frame, before.twin.frame);
  const target = findWidget(before.twin.seen, act.target.key);
  if (target === undefined) return excluded('not there again');
  const unreachable = whyUnreachable(target, before.twin.seen);
  if (unreachable !== undefined) return excluded(`its middle is ${unreachable}`);
  const mine = await actor.prepare(pair.ours, before.ours.seen, act);
  if ('excluded' in mine) return excluded(mine.excluded);
  const theirs = await mouse.prepare(pair.twin, before.twin.seen, act);
  if ('excluded' in theirs) return excluded(theirs.excluded);

  const [answer, twinChangedMs] = await Promise.all([
    mine.act().then(async (told) => {
      await pair.ours.untilStill(STILL_MS, MOST_MS);
      await settle(pair.ours, STILL_MS / 2);
      return told;
    }),
    theirs.act().then(async () => {
      const { firstChangeMs } = await pair.twin.untilStill(STILL_MS, MOST_MS, before.twin.frame);
      await settle(pair.twin, STILL_MS / 2);
      return firstChangeMs;
    }),
  ]);
  const seenAfter = await onceSubmenusClosed(pair, act, await lookAtBoth(pair));
  if (act.kind === 'expand' && !isExpanded(seenAfter.twin, act))
    return { ...excluded('the mouse did not open it'), isUnchanged: false };
  if (act.kind === 'menu' && isSubmenu(seenAfter.twin.seen, act))
    return { ...excluded('it opens a menu and runs nothing'), isUnchanged: false };
  if (isRefusedRightly(seenAfter.twin, act, answer) && sameFrame(seenAfter.ours.frame, before.ours.frame))
    return { ...excluded('refused on purpose: its list closed with the first click'), isUnchanged: false };
  const isAsBefore = sameFrame(seenAfter.ours.frame, before.ours.frame);
  const twinAlone = differenceButMarks(before.twin, seenAfter.twin, restless);
  if (isLeftToMenu(answer) && isAsBefore && isMenuClosing(before.twin.seen, twinAlone))
    return { ...excluded('refused on purpose: an open menu takes the click'), isUnchanged: false };
  if (opensBrowser(before, seenAfter))
    return { ...excluded('it opens a browser, which takes its time'), isUnchanged: false };
  const isReached = isEntered(before.twin, seenAfter.twin, act) && !isOnlyOurs(seenAfter, act, answer);
  if (ENTERED.has(act.kind) && !isReached)
    return { ...excluded('the mouse could not enter it'), isUnchanged: false };
  const written = await onceEqual(() => filesOf(pair), unequal);
  const after = {
    ours: leaveFiles({ ...seenAfter.ours, files: written.ours }, unequal),
    twin: leaveFiles({ ...seenAfter.twin, files: written.twin }, unequal),
  };
  const isUnchanged =
    sameFrame(after.ours.frame, before.ours.frame) && sameFrame(after.twin.frame, before.twin.frame);
  // What looked different before the act, such as another mark of the focus, is not its effect.
  const alike = { ...restless, tiles: new Set([...restless.tiles, ...startTiles]) };
  const marked = await onceArranged(pair, before, after, { act, restless: alike });
  const left = ENTERED.has(act.kind) ? await onceLeft(pair, marked, alike) : marked;
  const between = ENTERED.has(act.kind) ? await fromStart(pair, left, after, { act, restless: alike }) : left;
  const isAlike = isSame(between.difference) && !GROWN_APART.has(between.harmless);
  // What a failed act brought about may have come late.
  const late = answer.effect === 'failed' ? leaveFiles(await view(pair.ours), unequal) : after.ours;
  const ours = differenceButMarks(leaveFiles(before.ours, unequal), late, restless);
  const twins = differenceButMarks(leaveFiles(before.twin, unequal), after.twin, restless);
  const isPending = !isAlike && answer.isPending === true && isSameText(after, act);
  const isMenuOnly = isAlike && answer.effect === 'unverified' && isMenuClosing(before.twin.seen, twins);
  const verdict =
    isPending || isMenuOnly
      ? 'agree'
      : judge({
          answer,
          ours,
          twins,
          between: between.difference,
          twinChangedMs,
          isPromised: PROMISING.has(act.kind),
          isFocusApart: between.harmless === 'focus',
        });
  return {
    verdict,
    answer,
    twinDid: JSON.stringify([[...changedLines(twins)].toSorted(), twins.picture !== undefined]),
    shown: newWidgets(before.twin, after.twin),
    isUnchanged: isUnchanged && isSame(ours) && isSame(twins),
    ...(isAlike ? { after: seenAfter } : {}),
    ...harmlessOf(isPending ? 'pending' : isMenuOnly ? 'menu' : between.harmless),
    ...(verdict === 'agree'
      ? {}
      : {
          between: between.difference,
          isOursChanged: !isSame(ours),
          differs: describe(between.difference, 'only ours', 'only the twin'),
          twin: describe(twins, 'no longer', 'now'),
          frames: { ours: after.ours.frame, twin: after.twin.frame },
        }),
  };
}

function opensBrowser(before: Before, after: Before): boolean {
  const isOpen = ({ ours, twin }: Before): boolean => isBrowserOpen(ours.seen) || isBrowserOpen(twin.seen);
  return isOpen(after) && !isOpen(before);
}

/**
 * Whether an item of a list was not clicked twice because its list closes with the first click: so it did for the mouse, whose second click went to
 * what was under the list.
 */
export function isRefusedRightly(twin: View, { kind, target }: Act, { effect, words }: Answer): boolean {
  if (kind !== 'double-click' || target.layer !== 'popup' || effect !== 'failed') return false;
  const isOfList = words.startsWith('ACTION_NOT_SUPPORTED') && words.includes(CLOSES_FIRST);
  return (
    isOfList &&
    !usableWidgets(twin.seen).some(({ key, layer }) => layer === 'popup' && sameKey(key, target.key))
  );
}

/** Whether a click was refused because it would only close an open menu; the mouse's click did just that, and did not press what was under it. */
export function isLeftToMenu({ effect, words }: Answer): boolean {
  return effect === 'failed' && words.startsWith('NOT_ACTIONABLE') && words.includes(TAKEN_BY_MENU);
}

const TAKEN_BY_MENU = 'a menu of its application is open, which takes the next click';
const CLOSES_FIRST = 'its list closes with the first click';

/** Differences that the next act would meet. */
const GROWN_APART = new Set<Harmless | undefined>([
  'caret',
  'estimate',
  'highlight',
  'hover',
  'left',
  'passed',
  'place',
  'placed',
  'selection',
  'stack',
]);

function harmlessOf(harmless: Harmless | undefined): { readonly harmless?: Harmless } {
  return harmless === undefined ? {} : { harmless };
}

function isSameText({ ours, twin }: Before, { target }: Act): boolean {
  const [mine, theirs] = [ours, twin].map(({ seen }) => findWidget(seen, target.key)?.node.text);
  return mine !== undefined && mine === theirs;
}

const PROMISING = new Set<Act['kind']>(['toggle', 'select', 'expand', 'set-value']);

const ENTERED = new Set<Act['kind']>(['set-value', 'type']);

/** Whether a field shows something else than before; one that is gone took it, too. */
function isEntered(before: View, after: View, { target }: Act): boolean {
  const [was, is] = [before, after].map(({ seen }) => findWidget(seen, target.key)?.node);
  return was?.text !== is?.text || was?.value !== is?.value;
}

/**
 * Whether only our field holds the value, and the answer says that the application has not taken it: typed by hand, every key does something
 * else there, such as the blank that ends a command.
 */
export function isOnlyOurs(
  { ours, twin }: Before,
  { kind, target, value }: Act,
  { isPending }: Answer,
): boolean {
  const [mine, theirs] = [ours, twin].map(({ seen }) => findWidget(seen, target.key)?.node.text);
  return (
    ENTERED.has(kind) &&
    isPending === true &&
    value !== undefined &&
    mine?.includes(value) === true &&
    theirs?.includes(value) === false
  );
}

/** Whether an item that a mouse clicked in a menu still shows there: an item that runs something closes its menu. */
export function isSubmenu(after: Seen, { more }: Act): boolean {
  const item = more.at(-1);
  return item !== undefined && findWidget(after, item) !== undefined;
}

function isExpanded({ seen }: View, { target }: Act): boolean {
  return findWidget(seen, target.key)?.node.states.includes('expanded') === true;
}

function filesOf({ ours, twin }: Pair): BothFiles {
  return { ours: readFiles(ours.folders.home), twin: readFiles(twin.folders.home) };
}

function leaveFiles(of: View, left: ReadonlySet<string>): View {
  return { ...of, files: withoutFiles(of.files, left) };
}

/** @param reason as its row lists it */
export function excluded(reason: string, differs: readonly string[] = []): Trial {
  return {
    verdict: 'excluded',
    reason,
    shown: [],
    isUnchanged: true,
    ...(differs.length === 0 ? {} : { differs }),
  };
}

/** A pointer that was away already leaves nothing. */
async function settle(side: Side, stillMs: number): Promise<void> {
  if (await park(side)) await side.untilStill(stillMs, MOST_MS);
}

/** Looks again later if a menu has opened another one, which may close now that the pointer has left it. */
async function onceSubmenusClosed(pair: Pair, { target }: Act, seen: Before): Promise<Before> {
  const mayClose = [seen.ours, seen.twin].some(
    ({ seen: { windows } }) => windows.filter(({ managed }) => !managed).length > 1,
  );
  if (target.layer !== 'popup' || !mayClose) return seen;
  await Promise.all([pair.ours, pair.twin].map(async (side) => side.untilStill(SUBMENU_MS, MOST_MS)));
  return lookAtBoth(pair);
}

interface Compared {
  readonly difference: Difference;
  readonly harmless?: Harmless;
}

/** Windows that lie otherwise for no reason of the act are laid as the twin's are before pictures are compared; nothing of them is left out. */
async function onceArranged(
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
  if (isSame(difference) || !isSameExceptPicture(difference)) return { difference };
  const chosen = new Set([...restless.tiles, ...entryBeside(after, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, chosen) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'focus' };
  const hovered = new Set([...restless.tiles, ...openedBoth(after, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, hovered) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'hover' };
  const moved = new Set([...restless.tiles, ...movedPopups(after.ours, after.twin, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, moved) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'place' };
  const tiles = new Set([...restless.tiles, ...highlights(after.ours, after.twin)]);
  if (comparePictures(after.ours.frame, after.twin.frame, tiles) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'highlight' };
  const bars = new Set([...restless.tiles, ...estimatedBars(after.ours, after.twin)]);
  if (comparePictures(after.ours.frame, after.twin.frame, bars) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'estimate' };
  const selections = new Set([...tiles, ...keptSelections(before, after, target.key)]);
  if (comparePictures(after.ours.frame, after.twin.frame, selections) === undefined)
    return { difference: { ...difference, picture: undefined }, harmless: 'selection' };
  const sides = [pair.ours, pair.twin];
  const { picture: mark } = difference;
  if (mark !== undefined && mark[2] <= MARK_PX && mark[3] <= MARK_PX) {
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
  const masked = new Set([...tiles, ...focus]);
  const unfocused = comparePictures(pair.ours.frame(), pair.twin.frame(), masked);
  const isDashed = unfocused !== undefined && isLine(unfocused);
  if (isDashed) await Promise.all(sides.map(drawAnew));
  const left = isDashed ? comparePictures(pair.ours.frame(), pair.twin.frame(), masked) : unfocused;
  const isOfPage = left !== undefined && left[3] <= MARK_PX && isInPage(after.twin.seen, left);
  const picture = isOfPage ? await pictureOncePassed(pair, masked, left) : left;
  // What follows begins where this act ended, with the window in use that was in use.
  await Promise.all(had.map(async ({ side, window }) => lookBack(side, window)));
  const seen = isDashed ? 'line' : 'focus';
  const harmless = isOfPage ? 'passed' : seen;
  return { difference: { ...difference, picture }, ...(picture === undefined ? { harmless } : {}) };
}

/** Edges of a button, or the height of a field, that may still look pointed at. */
const MARK_PX = 64;

/** What pictures differ in once the pointer has passed over both sides. */
async function pictureOncePassed(pair: Pair, tiles: Tiles, box: Box): Promise<Box | undefined> {
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

function newWidgets(before: View, after: View): Widget[] {
  const old = usableWidgets(before.seen);
  return usableWidgets(after.seen).filter(({ key }) => !old.some((known) => sameKey(known.key, key)));
}

const MOST_LINES = 8;

/** A difference in words, not too many. */
export function describe(
  { tree, windows, files, picture }: Difference,
  one: string,
  other: string,
): string[] {
  const lines = [tree, windows, files].flatMap((sides) => [
    ...sides.only.map((line) => `${one}: ${line}`),
    ...sides.other.map((line) => `${other}: ${line}`),
  ]);
  const kept = lines
    .slice(0, MOST_LINES)
    .map((line) => (line.length > 200 ? `${line.slice(0, 199)}…` : line));
  if (lines.length > MOST_LINES) kept.push(`and ${lines.length - MOST_LINES} more`);
  if (picture !== undefined) kept.push(`the picture, in ${picture.join(',')}`);
  return kept;
}

/** The first words of a disagreement, for progress. */
export function summary(act: Act, trial: Trial): string {
  const words = trial.reason ?? trial.answer?.words ?? '';
  return `${trial.verdict}: ${actTitle(act)} (${words.slice(0, 100)})`;
}

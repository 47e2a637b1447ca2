import { setTimeout as sleep } from 'node:timers/promises';
import { actTitle, type Act } from '../act/act.ts';
import { UNLISTED, type Actor, type Answer } from '../act/actor.ts';
import { mouse, park, quickMouse } from '../act/mouse.ts';
import { findWidget, sameKey, usableWidgets, whyUnreachable, type Widget } from '../act/widgets.ts';
import { changedLines, isSame, type Difference, type Restless, type View } from '../look/compare.ts';
import { onceEqual, readFiles, unequalFiles, withoutFiles, type BothFiles } from '../look/files.ts';
import { describe } from '../look/describe.ts';
import { lookAway, view } from '../look/look.ts';
import { isMenuClosing } from '../look/menus.ts';
import { differenceButMarks, isSameFocus } from '../look/marks.ts';
import { differentTiles } from '../look/picture.ts';
import { sameFrame, type Frame } from '../side/frame.ts';
import type { Side } from '../side/side.ts';
import { isVisible, judge, type Outcome, type Verdict } from './judge.ts';
import type { Pair } from './pair.ts';
import type { Harmless } from './records.ts';
import { lookAtBoth, onceWindowsAlike, type Before } from './before.ts';
import { onceArranged, onceEntered } from './equal-after.ts';
import { ENTERED, isSameText } from './entered.ts';
import { leftOut } from './left-out.ts';
import { isOnlyPending } from './pending.ts';

/** Why an act was not tried: a start came out differently. */
export const SIDES_DIFFER = 'the sides differed before the act';
const STILL_MS = 400;
const MOST_MS = 4000;
/** Qt closes a submenu that the pointer left within a second, sooner or later by how long it had rested there. */
const SUBMENU_MS = 1200;
/** One act on both sides, judged. */
export interface Trial {
  readonly verdict: Verdict;
  /** A person saw an effect of it on the twin. */
  readonly isVisible?: boolean;
  /** Why it was excluded. */
  readonly reason?: string;
  readonly answer?: Answer;
  /** What the two sides did not have in common afterwards, in words. */
  readonly differs?: readonly string[];
  /** What the twin did. */
  readonly twin?: readonly string[];
  /** What the two sides did not have in common afterwards. */
  readonly between?: Difference;
  /** What the twin changed. */
  readonly twinChange?: Difference;
  /** Our side changed. */
  readonly isOursChanged?: boolean;
  /** What our side changed. */
  readonly ourChange?: Difference;
  /** The sides began with the keyboard focus at different places. */
  readonly isFocusApart?: boolean;
  /** Where the twin's pointer was last, if not at the target. */
  readonly restedAt?: Answer['restedAt'];
  /** What the twin did, for comparing with another try. */
  readonly twinDid?: string;
  /** Our side alone shows that the answer is not true. */
  readonly isAlone?: boolean;
  /** Why it would have been excluded, if our side were not to be judged all the same. */
  readonly waived?: string;
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

/** Carries out an act on both sides at once and compares what comes of it. */
export async function tryAct(
  pair: Pair,
  first: Before,
  act: Act,
  actor: Actor,
  restless: Restless,
): Promise<Trial> {
  const { before, unequal, start } = await onceAlike(pair, first, restless);
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

  const [answer, { restedAt, since, twinChangedMs, mouseFailed }] = await Promise.all([
    mine.act().then(async (told) => {
      await pair.ours.untilStill(STILL_MS, MOST_MS);
      await settle(pair.ours, STILL_MS / 2);
      return told;
    }),
    // Our side has acted by then, and is answerable for it whatever becomes of the mouse.
    theirs.act().then(
      async (told) => {
        const began = told.since ?? before.twin;
        const { firstChangeMs } = await pair.twin.untilStill(STILL_MS, MOST_MS, began.frame);
        await settle(pair.twin, STILL_MS / 2);
        const { restedAt: rested } = told;
        return { restedAt: rested, since: began, twinChangedMs: firstChangeMs, mouseFailed: undefined };
      },
      (error: unknown) => ({
        restedAt: undefined,
        since: before.twin,
        twinChangedMs: undefined,
        mouseFailed: error instanceof Error ? error.message : String(error),
      }),
    ),
  ]);
  const seenAfter = await onceSubmenusClosed(
    pair,
    act,
    await onceWindowsAlike(await lookAtBoth(pair), async () => lookLater(pair)),
  );
  const change = (one: View, other: View): Difference =>
    differenceButMarks(leaveFiles(one, unequal), leaveFiles(other, unequal), restless);
  const seenChanges = {
    ours: change(before.ours, seenAfter.ours),
    twins: change(since, seenAfter.twin),
  };
  // A mouse on our side claims nothing.
  const isClaimed = actor !== mouse && actor !== quickMouse;
  const out = leftOut({
    act,
    answer,
    isClaimed,
    before,
    after: seenAfter,
    ...seenChanges,
    ...(mouseFailed === undefined ? {} : { mouseFailed }),
  });
  if (out?.verdict === 'excluded') return { ...excluded(out.reason), answer, isUnchanged: false };
  if (out !== undefined && out.verdict !== 'judged') {
    const between = change(seenAfter.ours, seenAfter.twin);
    const told = evidence(seenAfter, { ...seenChanges, between });
    return {
      verdict: out.verdict,
      answer,
      isAlone: true,
      shown: newWidgets(before.twin, seenAfter.twin),
      isUnchanged: false,
      ...told,
      differs: [`${out.reason}, but our side shows that the answer is not true`, ...told.differs],
    };
  }
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
  const between = ENTERED.has(act.kind)
    ? await onceEntered(pair, marked, after, { act, restless: alike })
    : marked;
  const isAlike = isSame(between.difference) && !GROWN_APART.has(between.harmless);
  // What a failed act brought about may have come late.
  const late = answer.effect === 'failed' ? leaveFiles(await view(pair.ours), unequal) : after.ours;
  const [ours, twins] = [change(before.ours, late), change(since, after.twin)];
  const leave = async (): Promise<{ view: View; change: Difference }> => {
    const left = await onceOursLeft(pair);
    return { view: left, change: change(before.ours, left) };
  };
  const isPending = !isAlike && (await isOnlyPending({ act, answer, before, after, ours, twins }, leave));
  const isMenuOnly = isAlike && answer.effect === 'unverified' && isMenuClosing(before.twin.seen, twins);
  const outcome: Outcome = {
    answer,
    ours,
    twins,
    between: between.difference,
    twinChangedMs,
    isPromised: PROMISING.has(act.kind),
    isSameText: isSameText(after, act),
    isFocusApart: between.harmless === 'focus',
    isUntouched: actor.seesChanges === true && sameFrame(after.ours.frame, before.ours.frame),
  };
  const verdict = isPending || isMenuOnly ? 'agree' : judge(outcome);
  if (answer.words === UNLISTED && verdict === 'agree') return { ...excluded(UNLISTED), answer, isUnchanged };
  return {
    verdict,
    answer,
    isVisible: isVisible(outcome),
    twinDid: JSON.stringify([[...changedLines(twins)].toSorted(), twins.picture !== undefined]),
    shown: newWidgets(before.twin, after.twin),
    isUnchanged: isUnchanged && isSame(ours) && isSame(twins),
    ...(isAlike ? { after: seenAfter } : {}),
    ...harmlessOf(isPending ? 'pending' : isMenuOnly ? 'menu' : between.harmless),
    ...(verdict === 'agree'
      ? {}
      : {
          ...evidence(after, { ours, twins, between: between.difference }),
          isFocusApart: !isSameFocus(before.ours.seen, before.twin.seen),
          ...(restedAt === undefined ? {} : { restedAt }),
          ...(out === undefined ? {} : { waived: out.reason }),
        }),
  };
}

interface Start {
  readonly before: Before;
  /** What differs in files from the start cannot be an effect of the act. */
  readonly unequal: ReadonlySet<string>;
  readonly start: Difference;
}

/** How both sides are before an act. If they differ, they are looked at once more: a window manager may still draw which window is in use. */
async function onceAlike(pair: Pair, first: Before, restless: Restless): Promise<Start> {
  const compared = (before: Before): Start => {
    const { ours, twin } = before;
    const unequal = new Set([...restless.files, ...unequalFiles(ours.files, twin.files)]);
    const start = differenceButMarks(leaveFiles(ours, unequal), leaveFiles(twin, unequal), restless);
    return { before, unequal, start };
  };
  const now = compared(first);
  return isSame(now.start) ? now : compared(await lookLater(pair));
}

/** What is recorded of an act on which the sides did not agree. */
function evidence(
  after: Before,
  { ours, twins, between }: Readonly<Record<'ours' | 'twins' | 'between', Difference>>,
) {
  return {
    between,
    twinChange: twins,
    isOursChanged: !isSame(ours),
    ourChange: ours,
    differs: describe(between, 'only ours', 'only the twin'),
    twin: describe(twins, 'no longer', 'now'),
    frames: { ours: after.ours.frame, twin: after.twin.frame },
  };
}

/** Differences that the next act would meet. */
const GROWN_APART = new Set<Harmless | undefined>([
  'caret',
  'edge',
  'estimate',
  'handle',
  'highlight',
  'hint',
  'hover',
  'left',
  'letters',
  'passed',
  'place',
  'placed',
  'selection',
  'stack',
]);

function harmlessOf(harmless: Harmless | undefined): { readonly harmless?: Harmless } {
  return harmless === undefined ? {} : { harmless };
}

const PROMISING = new Set<Act['kind']>(['toggle', 'select', 'expand', 'set-value']);

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

/** Our side once the focus has left its windows. */
async function onceOursLeft({ ours }: Pair): Promise<View> {
  await lookAway(ours);
  await ours.untilStill(STILL_MS, MOST_MS);
  return view(ours);
}

async function lookLater(pair: Pair): Promise<Before> {
  await sleep(STILL_MS);
  await Promise.all([pair.ours, pair.twin].map(async (side) => side.untilStill(STILL_MS, MOST_MS)));
  return lookAtBoth(pair);
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

function newWidgets(before: View, after: View): Widget[] {
  const old = usableWidgets(before.seen);
  return usableWidgets(after.seen).filter(({ key }) => !old.some((known) => sameKey(known.key, key)));
}

/** The first words of a disagreement, for progress. */
export function summary(act: Act, trial: Trial): string {
  const words = trial.reason ?? trial.answer?.words ?? '';
  return `${trial.verdict}: ${actTitle(act)} (${words.slice(0, 100)})`;
}

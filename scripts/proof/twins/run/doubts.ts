import type { Act } from '../act/act.ts';
import type { Actor } from '../act/actor.ts';
import { mouse, quickMouse } from '../act/mouse.ts';
import { isOnlyByClick, isPartOf, isSame, isSameExceptPicture, type Difference } from '../look/compare.ts';
import { isTouching } from '../look/picture.ts';
import { ENTERED } from './entered.ts';
import type { Stage } from './stage.ts';
import type { Trial } from './trial.ts';

type NewStage = Pick<
  Stage,
  | 'changeByWaiting'
  | 'differenceByClicking'
  | 'differenceByOpening'
  | 'differenceByPointing'
  | 'end'
  | 'follow'
  | 'try'
>;

/** What is needed to do an act again from the beginning. */
interface Again {
  readonly act: Act;
  /** The acts that lead to its place. */
  readonly trail: readonly Act[];
  /** Who acted on our side. */
  readonly actor: Actor;
  /** A new stage, for the mouse on both sides or for somebody else on ours. */
  readonly open: (actor?: Actor) => NewStage;
}

export const UNSTABLE_REASON = 'unstable under the mouse';

/**
 * A disagreement is tried with the mouse on both sides, on the same way: an act that is unstable there says nothing. More than once, because where
 * a window manager puts a dialog, or which of two things comes first, often comes out alike by chance.
 */
export async function triedAgain(trial: Trial, again: Again): Promise<Trial> {
  // Our side alone shows that the answer is not true, whatever the mouse does.
  if (trial.isAlone === true) return withNobody(trial, again);
  const most = triesFor(trial);
  let agreed = 0;
  for (let done = 0; agreed < most && done < most + MOST_UNTOLD;) {
    const count = Math.min(most - agreed, AT_ONCE);
    const tries = Array.from({ length: count }, async () => withMouse(trial, again));
    const said = await Promise.all(tries);
    if (said.includes('differs')) return { ...trial, verdict: 'excluded', reason: UNSTABLE_REASON };
    agreed += said.filter((one) => one === 'agrees').length;
    done += count;
  }
  if (agreed === 0) return { ...trial, verdict: 'excluded', reason: 'its place was not reached again' };
  for (const doubt of [withPointer, withOpenMenu, withClick, withSameFocus, withNobody, withQuickMouse]) {
    const doubted = await doubt(trial, again);
    if (doubted.verdict === 'excluded') return doubted;
  }
  return trial;
}

/**
 * Acts through accessibility leave the keyboard focus, a mouse takes it along. Where what has it vanishes with the act, it goes on to something else on
 * each side, which may select something by that: if the focus is at the same place before, the act must do the same.
 */
async function withSameFocus(trial: Trial, { act, actor, trail, open }: Again): Promise<Trial> {
  if (trial.isFocusApart !== true || trail.length === 0) return trial;
  const isOfFocus = await agreesAlways(open, actor, trail, async (stage) => {
    const { verdict, answer } = await stage.try(act, actor);
    return verdict === 'agree' && answer?.effect === trial.answer?.effect;
  });
  return isOfFocus
    ? { ...trial, verdict: 'excluded', reason: 'the sides began with another keyboard focus' }
    : trial;
}

/**
 * A pointer that only passes changes things, too, such as bars that make room for a raised button: that is no effect of the act. Once the item of a menu
 * was clicked, the pointer is over what the menu had covered.
 */
async function withPointer(trial: Trial, { act, trail, open }: Again): Promise<Trial> {
  const { restedAt } = trial;
  const seen = seenOf(trial);
  if (seen === undefined || act.kind === 'press') return trial;
  if (act.more.length > 0 && restedAt === undefined) return trial;
  if (seen === trial.between && !mayBeOfPointing(trial, seen)) return trial;
  const isOfPointing = await onStage(open(), trail, async (stage) =>
    isPartOf(seen, await stage.differenceByPointing(act, restedAt)),
  );
  return isOfPointing === true
    ? { ...trial, verdict: 'excluded', reason: 'pointing at it makes the same difference' }
    : trial;
}

/**
 * A mouse opens a menu before it comes to the item, which a command need not do: what an application changes whenever the menu opens is no effect of
 * the item.
 */
async function withOpenMenu(trial: Trial, { act, trail, open }: Again): Promise<Trial> {
  const { between } = trial;
  if (act.kind !== 'menu' || between === undefined || isSame(between)) return trial;
  const isOfOpening = await onStage(open(), trail, async (stage) =>
    isPartOf(between, await stage.differenceByOpening(act)),
  );
  return isOfOpening === true
    ? { ...trial, verdict: 'excluded', reason: 'opening its menu makes the same difference' }
    : trial;
}

/** Bars that go after a while, and pictures that an application loads, are the effect of no act. */
async function withNobody(trial: Trial, { trail, open }: Again): Promise<Trial> {
  const seen = changeWhileRefused(trial) ?? (trial.isAlone === true ? undefined : seenOf(trial));
  if (seen === undefined) return trial;
  const isOfNobody = await onStage(open(), trail, async (stage) =>
    isPartOf(seen, await stage.changeByWaiting()),
  );
  return isOfNobody === true
    ? { ...trial, verdict: 'excluded', reason: 'it changes while nobody acts' }
    : trial;
}

/**
 * Where the first of two clicks opens something, the second one may come before or after that: what a quicker and a slower hand do not agree on, depends
 * on the hand.
 */
async function withQuickMouse(trial: Trial, { act, trail, open }: Again): Promise<Trial> {
  const { between } = trial;
  if (act.kind !== 'double-click' || between === undefined || isSame(between)) return trial;
  const quick = await onStage(open(quickMouse), trail, async (stage) => stage.try(act, quickMouse));
  const isOfSpeed = quick?.between !== undefined && isPartOf(between, quick.between);
  return isOfSpeed
    ? { ...trial, verdict: 'excluded', reason: 'a quicker mouse makes the same difference' }
    : trial;
}

/** What a doubt is about: what the sides have not in common, or, where they are alike and only the answer claims too little, what the twin shows of the act. */
function seenOf({ between, twinChange, verdict }: Trial): Difference | undefined {
  const isAlike = between !== undefined && isSame(between);
  return isAlike && verdict === 'unverified_visible' ? twinChange : between;
}

/** What changed on our side although nothing was sent, such as the controls of a film, which go before a slow hand comes to them. */
function changeWhileRefused({ answer, verdict, ourChange, isAlone }: Trial): Difference | undefined {
  const isUnsent = answer?.effect === 'failed' && answer.route === '';
  return verdict === 'false_failure' && (isUnsent || isAlone === true) ? ourChange : undefined;
}

/**
 * Before a text is typed its field is clicked, which a command need not do: what that alone brings about is no effect of entering a text. Some of it shows
 * only once the text is there, such as a button for going back to where the caret was: then both sides are clicked first, and must agree.
 */
async function withClick(trial: Trial, { act, actor, trail, open }: Again): Promise<Trial> {
  const { between } = trial;
  if (between === undefined || !isOfClick(trial, act)) return trial;
  const isSame = await onStage(open(), trail, async (stage) =>
    isOnlyByClick(between, await stage.differenceByClicking(act)),
  );
  const isOfClicked =
    isSame === true ||
    (await agreesAlways(open, actor, trail, async (stage) => {
      await stage.follow({ kind: 'click', target: act.target, more: [] });
      const { verdict, answer } = await stage.try(act, actor);
      // Done in another way, it would say nothing about this one.
      return verdict === 'agree' && answer?.route === trial.answer?.route;
    }));
  return isOfClicked
    ? { ...trial, verdict: 'excluded', reason: 'the click into the field makes the same difference' }
    : trial;
}

/** Whether our own act agrees each time it is done again: one that agrees by chance is still wrong for the next caller. */
async function agreesAlways(
  open: Again['open'],
  actor: Actor,
  trail: readonly Act[],
  agrees: (stage: NewStage) => Promise<boolean>,
): Promise<boolean> {
  for (let done = 0; done < REPEATS; done++)
    if ((await onStage(open(actor), trail, agrees)) !== true) return false;
  return true;
}

/** What is found on a new stage after the trail; nothing if that is not reached again. */
async function onStage<Found>(
  stage: NewStage,
  trail: readonly Act[],
  find: (stage: NewStage) => Promise<Found>,
): Promise<Found | undefined> {
  try {
    for (const step of trail) await stage.follow(step);
    return await find(stage);
  } catch {
    return undefined;
  } finally {
    await stage.end();
  }
}

/** Whether two mice agree on the act. A try that did not come about, such as one whose start failed, does not say that the act is unstable. */
async function withMouse(
  trial: Trial,
  { act, trail, open }: Again,
): Promise<'agrees' | 'differs' | 'untold'> {
  const calibrated = await onStage(open(), trail, async (stage) => stage.try(act, mouse));
  // What excludes the act does so for two mice as well, and they have done the same then.
  if (calibrated?.reason !== undefined && calibrated.reason === trial.waived) return 'agrees';
  if (calibrated === undefined || calibrated.verdict === 'excluded') return 'untold';
  // Two mice that agree on something else than the twin did show that the act is unstable.
  if (calibrated.verdict === 'agree' && calibrated.twinDid === trial.twinDid) return 'agrees';
  // Two mice that differ elsewhere say nothing about this place.
  return isPictureOnly(trial) && isElsewhere(trial, calibrated) ? 'agrees' : 'differs';
}

/**
 * Where nothing happened on our side, the pointer is no excuse, unless the answer claims nothing and the tree tells what differs: within the same
 * box of a picture, a click may have done more than the pointer.
 */
function mayBeOfPointing({ isOursChanged = false, verdict }: Trial, between: Difference): boolean {
  return isOursChanged || (verdict === 'unverified_visible' && !isSameExceptPicture(between));
}

/** A text must have come, and the answer must not be about something else. */
function isOfClick({ verdict, isOursChanged = false }: Trial, { kind }: Act): boolean {
  return ENTERED.has(kind) && isOursChanged && verdict !== 'wrong_target';
}

/** How often our own act must agree before a disagreement is left out for it. */
const REPEATS = 2;
const AT_ONCE = 2;
/** Tries that did not come about. */
const MOST_UNTOLD = 2;
const TRIES = 2;
/** GTK 3 shares the width of a column that goes among the others in one of two ways, at random; only the picture shows which. */
const TRIES_OF_PICTURES = 5;

function triesFor(trial: Trial): number {
  return isPictureOnly(trial) ? TRIES_OF_PICTURES : TRIES;
}

function isPictureOnly({ verdict, between }: Trial): boolean {
  return verdict === 'false_success' && between?.picture !== undefined && isSameExceptPicture(between);
}

/** Whether two pairs differ in their pictures alone, at places that have nothing in common. */
function isElsewhere({ between: one }: Trial, { between: other }: Trial): boolean {
  if (one?.picture === undefined || other?.picture === undefined) return false;
  return isSameExceptPicture(other) && !isTouching(one.picture, other.picture);
}

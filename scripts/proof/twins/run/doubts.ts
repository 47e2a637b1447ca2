import type { Act } from '../act/act.ts';
import { mouse } from '../act/mouse.ts';
import { isOnlyByClick, isPartOf, isSameExceptPicture, overlap, type Difference } from '../look/compare.ts';
import { ENTERED } from './entered.ts';
import type { Stage } from './stage.ts';
import type { Trial } from './trial.ts';

/** What is needed to do an act again from the beginning. */
interface Again {
  readonly act: Act;
  /** The acts that lead to its place. */
  readonly trail: readonly Act[];
  /** A new stage on which the mouse works both sides. */
  readonly open: () => Stage;
}

export const UNSTABLE_REASON = 'unstable under the mouse';

/**
 * A disagreement is tried with the mouse on both sides, on the same way: an act that is unstable there says nothing. More than once, because where
 * a window manager puts a dialog, or which of two things comes first, often comes out alike by chance.
 */
export async function triedAgain(trial: Trial, again: Again): Promise<Trial> {
  for (let tries = triesFor(trial); tries > 0; tries--) {
    const tried = await withMouse(trial, again);
    if (tried.verdict === 'excluded') return tried;
  }
  const pointed = await withPointer(trial, again);
  return pointed.verdict === 'excluded' ? pointed : withClick(pointed, again);
}

/** A pointer that only passes changes things, too, such as bars that make room for a raised button: that is no effect of the act. */
async function withPointer(trial: Trial, { act, trail, open }: Again): Promise<Trial> {
  const { between } = trial;
  if (between === undefined || act.kind === 'press' || act.more.length > 0) return trial;
  if (!mayBeOfPointing(trial, between)) return trial;
  const again = open();
  try {
    for (const step of trail) await again.follow(step);
    return isPartOf(between, await again.differenceByPointing(act))
      ? { ...trial, verdict: 'excluded', reason: 'pointing at it makes the same difference' }
      : trial;
  } catch {
    return trial;
  } finally {
    await again.end();
  }
}

/** Before a text is typed its field is clicked, which a command need not do: what that alone brings about is no effect of entering a text. */
async function withClick(trial: Trial, { act, trail, open }: Again): Promise<Trial> {
  const { between } = trial;
  if (between === undefined || !isOfClick(trial, act)) return trial;
  const again = open();
  try {
    for (const step of trail) await again.follow(step);
    return isOnlyByClick(between, await again.differenceByClicking(act))
      ? { ...trial, verdict: 'excluded', reason: 'the click into the field makes the same difference' }
      : trial;
  } catch {
    return trial;
  } finally {
    await again.end();
  }
}

async function withMouse(trial: Trial, { act, trail, open }: Again): Promise<Trial> {
  const again = open();
  try {
    for (const step of trail) await again.follow(step);
    const calibrated = await again.try(act, mouse);
    // A mouse that did something else this time is no witness.
    if (calibrated.verdict === 'agree' && calibrated.twinDid === trial.twinDid) return trial;
    // Two mice that differ elsewhere say nothing about this place.
    if (isPictureOnly(trial) && isElsewhere(trial, calibrated)) return trial;
    return { ...trial, verdict: 'excluded', reason: UNSTABLE_REASON };
  } catch {
    return { ...trial, verdict: 'excluded', reason: 'its place was not reached again' };
  } finally {
    await again.end();
  }
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
  return isSameExceptPicture(other) && !overlap(one.picture, other.picture);
}

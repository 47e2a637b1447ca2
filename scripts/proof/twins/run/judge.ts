import type { Answer } from '../act/actor.ts';
import { changedLines, isSame, isSameExceptPicture, type Difference } from '../look/compare.ts';

/** What became of one act. `gap`: refused or failed, nothing happened, and a mouse would have done it. */
export const VERDICTS = [
  'agree',
  'wrong_target',
  'false_success',
  'false_failure',
  'unverified_visible',
  'gap',
  'excluded',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A person's patience: what the twin shows later than this is no visible effect of the act. */
const VISIBLE_WITHIN_MS = 1000;

export interface Outcome {
  readonly answer: Answer;
  /** Of our side and of the twin, from before the act to after it; marks of the focus do not count. */
  readonly ours: Difference;
  readonly twins: Difference;
  /** From our side to the twin, after the act. */
  readonly between: Difference;
  /** The act promises a state, which the tree shows. */
  readonly isPromised?: boolean;
  /** The field that the act is about shows the same text on both sides. */
  readonly isSameText?: boolean;
  /** Both sides are equal but for the mark of the focus. */
  readonly isFocusApart?: boolean;
  /** When the twin's screen first changed. */
  readonly twinChangedMs: number | undefined;
  /** Whoever acted on our side says `confirmed` only of what changed, and there nothing did, to the last pixel. */
  readonly isUntouched?: boolean;
}

/** What an answer may rely on although no pixel changes: nothing had to be done, or what moved is not drawn. */
const UNDRAWN = /^already\b|\bthe (?:keyboard focus|caret) moved\b/;

/** Whether an answer may be true although not a pixel changed. */
export function isUndrawn({ words }: Pick<Answer, 'words'>): boolean {
  return UNDRAWN.test(words);
}

/** Judges an act by what both sides show afterwards. */
export function judge(outcome: Outcome): Verdict {
  const { answer, ours, twins, between } = outcome;
  const { isPromised = false, isSameText = false } = outcome;
  const [oursChanged, twinChanged] = [!isSame(ours), !isSame(twins)];
  if (isSame(between)) {
    if (answer.effect === 'confirmed') return isOfNothing(outcome) ? 'false_success' : 'agree';
    if (answer.effect === 'unverified') return isVisible(outcome) ? 'unverified_visible' : 'agree';
    // Nothing happened on our side, and what the twin did left nothing that counts, such as a menu that closed.
    if (!oursChanged && twinChanged && !isPromised) return 'gap';
    // That a menu closed, or a mark moved, does not make it true that it was selected.
    const isDone = isPromised ? !isSameExceptPicture(twins) : twinChanged;
    return isDone && answer.isPartial !== true ? 'false_failure' : 'agree';
  }
  if (oursChanged && hitsOtherThings(ours, twins)) return 'wrong_target';
  if (answer.effect === 'confirmed') return 'false_success';
  if (answer.effect === 'failed') {
    // By hand, the field took no more of it either; what else is drawn otherwise does not make the answer wrong.
    if (answer.isPartial === true && isSameText && isSameExceptPicture(between)) return 'agree';
    return oursChanged ? 'false_failure' : 'gap';
  }
  // What only our side shows is seen as well, even if the tree does not tell what it is.
  return twinChanged || oursChanged ? 'unverified_visible' : 'agree';
}

/**
 * Whether the act had an effect that a person sees. A file that was written is none; and where our side is as before, a twin that differs from it by the
 * mark of the focus moved only that.
 */
export function isVisible({ ours, twins, twinChangedMs, isFocusApart = false }: Outcome): boolean {
  const isShown = !isSame({ ...twins, files: NO_FILES }) && !(isFocusApart && isSame(ours));
  return isShown && twinChangedMs !== undefined && twinChangedMs <= VISIBLE_WITHIN_MS;
}

/** Whether an effect was confirmed of which our side shows nothing at all. */
function isOfNothing({ answer, ours, isUntouched = false }: Outcome): boolean {
  return isUntouched && isSame(ours) && !isUndrawn(answer);
}

const NO_FILES: Difference['files'] = { only: [], other: [] };

/** Whether our side changed things that the twin left alone, and nothing that the twin changed. */
function hitsOtherThings(ours: Difference, twins: Difference): boolean {
  const [mine, theirs] = [changedLines(ours), changedLines(twins)];
  return mine.size > 0 && [...mine].every((line) => !theirs.has(line));
}

import type { Act } from '../act/act.ts';
import type { Answer } from '../act/actor.ts';
import { findWidget } from '../act/widgets.ts';
import { changedLines, placeOf, type Difference, type View } from '../look/compare.ts';
import type { Before } from './before.ts';
import { isSameText } from './entered.ts';

interface Entered {
  readonly act: Act;
  readonly answer: Answer;
  readonly before: Before;
  readonly after: Before;
  /** What each side changed. */
  readonly ours: Difference;
  readonly twins: Difference;
}

/** Our side once the focus has left its field, and what it has changed by then. */
interface Left {
  readonly view: View;
  readonly change: Difference;
}

/**
 * Whether all that differs is that the application has not taken the text yet, as the answer says. That explains only what is missing on our side: what
 * our side changed, the twin must have changed, too, or it is the field itself, or it goes with the focus, as a list of suggestions does by hand.
 */
export async function isOnlyPending(
  { act, answer, before, after, ours, twins }: Entered,
  leave: () => Promise<Left>,
): Promise<boolean> {
  if (answer.isPending !== true || !isSameText(after, act)) return false;
  const field = placesOf(act, [before.ours, after.ours]);
  if (isOnlyMissing(ours, twins, field)) return true;
  // Typed text leaves both sides in their field.
  if (act.kind !== 'set-value') return false;
  const { view, change } = await leave();
  return isSameText({ ours: view, twin: after.twin }, act) && isOnlyMissing(change, twins, field);
}

/** Whether every line that our side changed is one that the twin changed, or is about the field. */
function isOnlyMissing(ours: Difference, twins: Difference, field: readonly string[]): boolean {
  const theirs = changedLines(twins);
  const isOfField = (line: string): boolean =>
    field.some((place) => line.startsWith(`${place} "`) || line.startsWith(`${place} › `));
  return [...changedLines(ours)].every((line) => theirs.has(line) || isOfField(line));
}

/** Where the tree has the field; what stands before it may come or go with the act. */
function placesOf({ target }: Act, views: readonly View[]): string[] {
  return views.flatMap(({ seen }) => {
    const found = findWidget(seen, target.key);
    return found === undefined ? [] : [placeOf(found)];
  });
}

import { roleSet } from '../../model/tree/role.ts';
import {
  confirmed,
  eventEvidence,
  eventsOfTarget,
  noOp,
  partial,
  quote,
  corroborated,
  unverified,
} from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import { heldValue } from '../tree/element-value.ts';
import { judgeMasked } from './judge-masked.ts';
import { judgeByEffects } from './judge-effects.ts';
import { judgeValue, withPending } from './judge-value.ts';

/** Spreadsheets hold typed text in a separate editor until it is entered. */
const CELLS = roleSet('cell', 'gridcell');
const TEXT_EVENTS = new Set(['text-changed', 'value-changed']);

/** Enter and Tab. A field may submit its text on them, and be empty afterwards. */
const ENDS = /[\n\r\t]/;

/** The effect of replacing the text of a field by typing `typed`. */
export function judgeRetyped(seen: Observation, typed: string): Judgement {
  if (!ENDS.test(typed)) return judgeValue(seen, typed);
  const judgement = judgeValue(seen, typed.replace(/[\n\r\t]+$/, ''));
  if (judgement.effect === 'confirmed' || seen.before.states.includes('protected')) return judgement;
  const asWritten = judgeValue(seen, typed);
  if (asWritten.effect === 'confirmed') return asWritten;
  const read = seen.after && heldValue(seen.after);
  if (asWritten.effect === 'partial' && read !== undefined && hasLost({ before: '', after: read, typed }))
    return asWritten;
  const effect = hasArrived(seen, heldValue(seen.before), read) ? judgeByEffects(seen) : undefined;
  return effect ?? unverified([SUBMITTED, ...judgement.evidence], false);
}

const SUBMITTED = 'Enter or Tab was typed, on which the field may have passed its text on';

/** The effect of typing `typed` at the caret: the text must now contain it, in place of at most one selection. */
export function judgeTyped(seen: Observation, typed: string): Judgement {
  const events = eventsOfTarget(seen, TEXT_EVENTS);
  const reading = `fresh read: ${quote(typed)} is in the text`;
  if (seen.before.states.includes('protected'))
    return judgeMasked(seen, { written: typed, events, isAdded: true });
  const [before, after] = [seen.before.text, seen.after?.text];
  // Canvases, and fields that submit on Enter, show the effect elsewhere.
  if (before === undefined || after === undefined || ENDS.test(typed)) {
    const written = typed.replaceAll('\r', '');
    if (before !== undefined && after !== undefined && wasInserted({ before, after, typed: written }))
      return corroborated(reading, events, false);
    if (before !== undefined && after !== undefined && hasLost({ before, after, typed }))
      return partial([`a fresh read shows ${quote(after)}`], false);
    const why = after === undefined || before === undefined ? 'the text cannot be read back' : SUBMITTED;
    const effect = hasArrived(seen, before, after) ? judgeByEffects(seen) : undefined;
    return effect ?? unverified([why, ...eventEvidence(events)], false);
  }
  if (wasInserted({ before, after, typed })) return withPending(seen, corroborated(reading, events, false));
  if ((after === before || after === '') && CELLS.has(seen.before.role)) return judgeInEditor(seen, typed);
  if (after === before) return noOp([`a fresh read still shows ${quote(after)}`], false);
  return partial([`a fresh read shows ${quote(after)}`], false);
}

/**
 * Whether a field that can be read shows or reports that text came, before anything else is taken for what that did. The text of a sheet is entered
 * beside its cell, which shows it after Enter.
 */
function hasArrived(seen: Observation, before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined || before !== after) return true;
  return !CELLS.has(seen.before.role) && eventsOfTarget(seen, TEXT_EVENTS).length > 0;
}

/**
 * The effect of inserting `typed` without the keyboard. A field that neither changed nor reacted has not had the text: some refuse it whole
 * where they would take the keys that fit.
 */
export function judgeInserted(seen: Observation, typed: string): Judgement {
  const judgement = judgeTyped(seen, typed);
  if (judgement.effect !== 'no_op' || seen.before.states.includes('protected')) return judgement;
  return { ...judgement, retrySafe: !hasReacted(seen) };
}

/** What also changes by itself counts: a field that had the text and passed it on reports that twice. */
function hasReacted({
  background = [],
  changes,
  hasReported,
  hasUnrelated,
  windowChanges,
}: Observation): boolean {
  const changed = changes.length + background.length + windowChanges.length;
  return hasReported === true || hasUnrelated === true || changed > 0;
}

/** The editor of a cell lies over it, as an element of its own. */
function judgeInEditor({ changes, targetKey }: Observation, typed: string): Judgement {
  const editor = changes.find(
    ({ change, key, node }) => change.kind !== 'disappeared' && key !== targetKey && node.value === typed,
  );
  return editor === undefined
    ? unverified([`${TAKES_ON_ENTER} and shows its old content until then`], false)
    : confirmed([`fresh read: ${editor.node.role} ${quote(typed)}`, TAKES_ON_ENTER], false);
}

const TAKES_ON_ENTER = 'a cell takes its text on Enter or Tab';

/**
 * Whether a field that keeps line breaks shows less than what was typed: it has passed nothing on. Applications may add to a text, such as the indent of
 * a line.
 */
function hasLost({ before, after, typed }: Record<'before' | 'after' | 'typed', string>): boolean {
  if (before === after || !after.includes('\n')) return false;
  const added = countsOf(addedTo(before, after));
  return [...countsOf(typed)].some(([character, count]) => count > (added.get(character) ?? 0));
}

/** What stands between the beginning and the end that both have. */
function addedTo(before: string, after: string): string {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return after.slice(start, after.length - end);
}

/** How often each character is in a text, white space apart. */
function countsOf(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const character of text.replaceAll(/\s/gu, ''))
    counts.set(character, (counts.get(character) ?? 0) + 1);
  return counts;
}

/** Whether `after` is `before` with at most one range replaced by `typed`, which is not empty. */
export function wasInserted({ before, after, typed }: Record<'before' | 'after' | 'typed', string>): boolean {
  if (before === after) return false;
  // In repetitive text several positions may match; one is enough.
  for (let at = after.indexOf(typed); at >= 0; at = after.indexOf(typed, at + 1)) {
    const tail = after.length - at - typed.length;
    if (at + tail > before.length) continue;
    if (before.startsWith(after.slice(0, at)) && before.endsWith(after.slice(at + typed.length))) return true;
  }
  return false;
}

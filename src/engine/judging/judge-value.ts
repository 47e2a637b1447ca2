import { handleKey } from '../../model/tree/node.ts';
import { roleSet } from '../../model/tree/role.ts';
import { insteadOf } from '../../model/text/first-difference.ts';
import type { NodeDetails } from '../../ports/desktop/elements.ts';
import { isSheetCell } from '../tree/sheet-cell.ts';
import { heldValue, isNumeric, valueEquality, type ValueEquality } from '../tree/element-value.ts';
import { writtenForm, type WrittenForm } from '../tree/value-forms.ts';
import {
  confirmed,
  eventEvidence,
  eventsOfTarget,
  noOp,
  partial,
  quote,
  corroborated,
  UNREADABLE,
  unverified,
} from '../evidence/evidence.ts';
import type { Judgement, Observation } from '../evidence/evidence.ts';
import { judgeMasked } from './judge-masked.ts';

/** A person would have typed it, with the focus in the field. */
const PENDING =
  'pending: an application that takes text on Enter, when the focus leaves the field, or only from the keyboard, has not taken it yet';

const ENTERED =
  'pending: the field still has the focus, and some applications take text only on Enter, or when the focus leaves';

const OFFERED =
  'pending: a list of suggestions is open, so the text is taken only by Enter, by a choice, or when the focus leaves the field';
const OFFERS = roleSet('listbox', 'listitem', 'option');

/** Events that an element sends when it takes a new value; busy, focus and layout events do not count. */
const VALUE_EVENTS = new Set(['value-changed', 'text-changed', 'name-changed', 'selection-changed']);

/** The effect of writing `wanted`: what a fresh reading shows, and whether the application sent an event about it. */
export function judgeValue(seen: Observation, wanted: string): Judgement {
  // An event alone may also mean that the field rejected the text.
  if (seen.before.states.includes('protected'))
    return judgeMasked(seen, { written: wanted, events: eventsOfTarget(seen, VALUE_EVENTS), isAdded: false });
  const read = seen.after && heldValue(seen.after);
  if (seen.after === undefined || read === undefined) return unverified([UNREADABLE], true);
  const was = heldValue(seen.before) ?? '';
  const isSame = valueEquality(seen.after);
  if (isSame(read, wanted)) return judgeWritten(seen, { was, read, wanted, isSame });
  const form = writtenForm(read, wanted, { role: seen.after.role, was, isNumber: isNumeric(seen.after) });
  if (isSame(read, was)) return judgeUnchanged(seen, { read, wanted, form });
  if (form !== undefined) return judgeRewritten(seen, { read, wanted, form });
  // What was written may have been a formula, whose result cannot be foreseen.
  if (FORMULA.test(wanted) && eventsOfTarget(seen, VALUE_EVENTS).length > 0)
    return unverified(
      [`a fresh read shows ${quote(read)}, which may be the result of ${quote(wanted)}`],
      false,
    );
  return partial([`a fresh read shows ${insteadOf(read, wanted)}`], true);
}

/** A text with an operation, as fields for numbers and spreadsheets evaluate it. */
const FORMULA = /^=|^[\d\s().,]+[-+*/^][\d\s().,+*/^-]+$/;

/** The field shows the value in its own form, or with characters that somebody typed in addition. */
function judgeRewritten(
  seen: Observation,
  { read, wanted, form }: { read: string; wanted: string; form: WrittenForm },
): Judgement {
  if (form === 'possible')
    return unverified(
      [`a fresh read shows ${quote(read)}, which may be how the application writes ${quote(wanted)}`],
      false,
    );
  const reading = `fresh read: ${quote(read)}, which is how the application writes ${quote(wanted)}`;
  return corroborated(reading, eventsOfTarget(seen, VALUE_EVENTS), true);
}

/**
 * The value did not change. If the element rejected the text, no other strategy may try it: keys would enter parts of it, and the
 * application may already have shown an error.
 */
function judgeUnchanged(
  seen: Observation,
  { read, wanted, form }: { read: string; wanted: string; form: WrittenForm | undefined },
): Judgement {
  const events = eventEvidence(eventsOfTarget(seen, VALUE_EVENTS));
  // It took the text and wrote it its own way again.
  if (form !== undefined && events.length > 0) return judgeRewritten(seen, { read, wanted, form });
  const hasReacted = events.length > 0 || seen.changes.length > 0 || seen.windowChanges.length > 0;
  const beyond = rangeBeyond(seen.after, wanted);
  const reading = `a fresh read still shows ${quote(read)}`;
  const evidence = [...events, beyond === undefined ? reading : `${reading}; the element accepts ${beyond}`];
  return noOp(evidence, !hasReacted && beyond === undefined);
}

/** The range that the element accepts, if the number is outside it. */
function rangeBeyond(node: NodeDetails | undefined, wanted: string): string | undefined {
  const { minimum, maximum } = node?.range ?? {};
  // Some toolkits report missing limits as 0 to 0.
  if (minimum === undefined || maximum === undefined || minimum >= maximum) return undefined;
  const number = Number(wanted);
  return number < minimum || number > maximum ? `${minimum} to ${maximum}` : undefined;
}

function judgeWritten(
  seen: Observation,
  value: { was: string; read: string; wanted: string; isSame: ValueEquality },
): Judgement {
  const reading = `fresh read: ${quote(value.read)}`;
  if (valueEquality(seen.before)(value.was, value.wanted)) return confirmed(['already', reading], true);
  // No widget holds it, which could show what the application does not know: a sheet shows its document, but sends no event about it.
  if (isSheetCell(seen.before)) return confirmed([reading, 'read from the sheet'], true);
  // The entry inside a spin button, or a label that repeats the value; unrelated changes, such as clocks, do not count.
  const agreeing = seen.changes.find(
    ({ change, key, lineage }) =>
      key !== seen.targetKey &&
      change.kind === 'changed' &&
      (lineage.includes(seen.targetKey) ||
        (value.wanted !== '' && change.after?.includes(quote(value.wanted)))),
  );
  return withPending(seen, corroborated(reading, eventsOfTarget(seen, VALUE_EVENTS), true, agreeing));
}

/** Says so if the text was written without the keyboard, or if it opened a list over the window that waits for a choice. */
export function withPending({ outcome, changes, trees }: Observation, judgement: Judgement): Judgement {
  // Results in a part of the window that was there before are no suggestions.
  const window = trees && handleKey(trees.before.root.handle);
  const isOffered = changes.some(
    ({ change, node, lineage }) =>
      change.kind === 'appeared' && OFFERS.has(node.role) && lineage.at(-1) === window,
  );
  const typed = isOffered ? OFFERED : outcome.isEntered === true ? ENTERED : undefined;
  const why = outcome.isUncommitted === true ? PENDING : typed;
  return why === undefined ? judgement : { ...judgement, evidence: [...judgement.evidence, why] };
}

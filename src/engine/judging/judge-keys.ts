import type { Change } from '../../model/effects/effect.ts';
import { handleKey } from '../../model/tree/node.ts';
import type { Caret } from '../../ports/desktop/acts.ts';
import { confirmed, unverified, type Judgement, type Observation } from '../evidence/evidence.ts';
import { focusIn } from '../tree/focus.ts';
import { judgeChosen } from './judge-chosen.ts';
import { unproven } from './judge-click.ts';
import { judgeByEffects } from './judge-effects.ts';
import { judgeRow } from './judge-row.ts';
import { hasEvent, isWrittenInto, judgeByFocus } from './judge-focus.ts';

/**
 * The effect of keys. They promise nothing, but the keyboard focus, the caret and the highlighted item of a menu move by keys: a fresh reading and
 * an event of the element prove it.
 */
export function judgeKeys(seen: Observation): Judgement {
  return (
    judgeByEffects({ ...seen, isByKeys: true }) ??
    judgeByFocus(seen) ??
    judgeByCaret(seen) ??
    unproven({ ...seen, isByKeys: true })
  );
}

/** The effect of keys that enter text: what opened without the text in its field, such as a dialog, may have opened for another reason. */
export function judgeEnteringKeys(seen: Observation): Judgement {
  const judgement = judgeKeys(seen);
  const field = fieldOf(seen);
  if (judgement.effect !== 'confirmed' || field === undefined) return judgement;
  const { reliesOn } = judgement;
  const hasOpened =
    seen.windowChanges.length > 0 ||
    (reliesOn?.change.kind === 'appeared' && !reliesOn.lineage.includes(field));
  const isEntered =
    seen.changes.some(
      ({ change, key, lineage }) => (key === field || lineage.includes(field)) && isOfContent(change),
    ) || seen.events.some(({ kind, node }) => CONTENT_EVENTS.has(kind) && handleKey(node) === field);
  return isEntered || !hasOpened ? judgement : unverified([...judgement.evidence, NOT_ENTERED], false);
}

const NOT_ENTERED =
  'the field that had the keyboard focus did not change, so what opened may have another cause';

const CONTENT_EVENTS = new Set(['text-changed', 'value-changed']);

/** A dialog that opens by itself disables the fields of its window, and a page that comes takes them away: neither is of the keys. */
function isOfContent({ kind, before = '' }: Change): boolean {
  return kind === 'changed' && /^(?:value|name) /.test(before);
}

/** The key of the field that text goes into. */
function fieldOf({ before, targetKey, trees }: Observation): string | undefined {
  if (isWrittenInto(before)) return targetKey;
  const field = trees && focusIn(trees.before.root);
  return field && isWrittenInto(field) ? handleKey(field.handle) : undefined;
}

/**
 * The effect of several clicks, or of another button, which promise nothing, but mark a word, line or paragraph where there is text. In the open list of
 * a combo box, Qt chooses with any button.
 */
export function judgeTextGesture(seen: Observation): Judgement {
  const unknown = (): Judgement => unproven({ ...seen, isGesture: true });
  return judgeByCaret(seen) ?? judgeByEffects(seen) ?? judgeRow(seen) ?? judgeChosen(seen) ?? unknown();
}

function judgeByCaret(seen: Observation): Judgement | undefined {
  const { carets } = seen;
  if (carets === undefined || !hasEvent(seen, 'caret-moved', carets.key)) return undefined;
  const [was, is] = [showCaret(carets.before), showCaret(carets.after)];
  if (was === is) return undefined;
  return confirmed(
    [`fresh read: the caret is at ${is} (was at ${was})`, 'application events: caret-moved'],
    false,
  );
}

function showCaret({ offset, selection }: Caret): string {
  return selection === undefined
    ? String(offset)
    : `${offset}, with ${selection[0]} to ${selection[1]} marked`;
}

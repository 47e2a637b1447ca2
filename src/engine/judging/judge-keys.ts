import type { Caret } from '../../ports/desktop/acts.ts';
import { confirmed, type Judgement, type Observation } from '../evidence/evidence.ts';
import { unproven } from './judge-click.ts';
import { judgeByEffects } from './judge-effects.ts';
import { judgeRow } from './judge-row.ts';
import { hasEvent, judgeByFocus } from './judge-focus.ts';

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

/** The effect of several clicks, which promise nothing, but mark a word, line or paragraph where there is text. */
export function judgeTextGesture(seen: Observation): Judgement {
  return judgeByCaret(seen) ?? judgeByEffects(seen) ?? judgeRow(seen) ?? unproven(seen);
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

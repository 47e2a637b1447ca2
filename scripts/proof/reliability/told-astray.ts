import type { FixtureEvent } from '../../../fixtures/driver.ts';
import type { Receipt } from '../../../src/model/effects/effect.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';

/** What was recorded beside the target. */
export interface Beside {
  readonly event: FixtureEvent;
  /** In the window of the other application. */
  readonly isElsewhere: boolean;
}

/**
 * What was recorded beside the target and the answer does not tell of. Keys, the second press of a double click and the press of the right button, which
 * opens menus before it can be checked, may go astray when something takes the focus or comes under the pointer; then the answer says so, and exactly
 * those must have arrived there.
 */
export function untold(
  beside: readonly Beside[],
  seen: {
    readonly own: readonly FixtureEvent[];
    readonly answer: Receipt | DeskterityError;
    /** The text that was typed, if one was. */
    readonly typed: string | undefined;
  },
): readonly Beside[] {
  const texts = beside.filter(({ event }) => event.event === 'text-changed');
  const clicks = beside.filter(({ event, isElsewhere }) => PRESSES.has(event.event) && !isElsewhere);
  const told = new Set([
    ...(isToldSpill(texts, seen.answer, seen.typed) ? texts : []),
    ...(isToldStray(clicks, seen.own, seen.answer) ? clicks : []),
  ]);
  return beside.filter((one) => !told.has(one));
}

/** Whether the text in one other field is the end of what was typed, one key after the other, and no longer than the error says. */
function isToldSpill(
  texts: readonly Beside[],
  answer: Receipt | DeskterityError,
  typed: string | undefined,
): boolean {
  if (typed === undefined || !(answer instanceof DeskterityError)) return false;
  if (answer.retryable || answer.delivered !== true) return false;
  const sent = numberIn(/(\d+) of \d+ characters had been typed/, answer.message);
  const astray = numberIn(/The last (\d+) of them may have gone/, answer.message);
  const places = new Set(texts.map(({ event, isElsewhere }) => `${isElsewhere} ${event.widget}`));
  const values = texts.map(({ event }) => (typeof event.value === 'string' ? event.value : undefined));
  const last = values.at(-1);
  if (places.size !== 1 || last === undefined || last === '' || astray === 0) return false;
  const characters = Array.from(typed);
  const isEnd = characters
    .slice(Math.max(0, sent - astray), sent)
    .join('')
    .endsWith(last);
  return isEnd && values.every((value) => value !== undefined && last.startsWith(value));
}

/** What a press makes widgets record. */
const PRESSES: ReadonlySet<string> = new Set(['clicked', 'context-menu']);

/** Whether one press of a double click, or that of the right button, reached one other widget, and the receipt says so. */
function isToldStray(
  clicks: readonly Beside[],
  own: readonly FixtureEvent[],
  answer: Receipt | DeskterityError,
): boolean {
  const [stray] = clicks;
  if (stray === undefined || clicks.length !== 1 || answer instanceof DeskterityError) return false;
  const isDouble = stray.event.event === 'clicked' && answer.via.includes(' 2 times at ');
  const isRight = stray.event.event === 'context-menu' && answer.via.includes('pointer:right button at ');
  const isTold = answer.evidence.some((line) => line.includes('something else came under the pointer'));
  const hits = own.filter(({ event }) => PRESSES.has(event)).length;
  const isRest = isDouble ? hits <= 1 : isRight && hits === 0;
  return isRest && isTold && answer.effect === 'unverified' && !answer.retry_safe;
}

function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}

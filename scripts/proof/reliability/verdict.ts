import type { FixtureEvent } from '../../../fixtures/driver.ts';
import type { Receipt } from '../../../src/model/effects/effect.ts';
import { DeskterityError } from '../../../src/model/effects/errors.ts';

/**
 * Whether an answer was correct, judged by the application's own record.
 * - `right`: confirmed, and it happened
 * - `refused`: reported beforehand that it cannot be done this way, or what blocks it, and nothing happened
 * - `honest failure`: not confirmed, or failed after something was sent, and reported as such
 * - `false success`: confirmed, but it did not happen
 * - `false denial`: reported that nothing was sent, but something happened
 * - `wrong target`: another widget received it
 * - `not judged`: the attempt itself broke
 * - `disturbed`: right, but an act in the background changed the user's focused window or moved the pointer
 */
export const VERDICTS = [
  'right',
  'refused',
  'honest failure',
  'false success',
  'false denial',
  'wrong target',
  'disturbed',
  'not judged',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One attempt: the act, and what the application's record must show afterwards. */
export interface Attempt {
  readonly act: () => Promise<Receipt>;
  /** Approximate time from the request to the answer; half a second if absent. */
  readonly lastsMs?: number | undefined;
  /** The text that it types, if it does. */
  readonly typed?: string | undefined;
  /** Widgets that may record something: the target, and those that it affects. */
  readonly mayTell: () => readonly string[];
  readonly happened: (events: readonly FixtureEvent[]) => boolean | Promise<boolean>;
  /** Whether an event of one of those widgets was not meant for it, such as one for another row of a list. */
  readonly isStranger?: ((event: FixtureEvent) => boolean) | undefined;
  /** The user's focused window and pointer must stay. */
  readonly isBackground?: boolean | undefined;
  /** The act can have no effect: any answer is right except that it had one. */
  readonly isVain?: boolean | undefined;
  /** Something blocks the act: any failure before something is sent is right. Otherwise the only right failure is that the toolkit offers no action. */
  readonly isHindered?: boolean | undefined;
}

export interface Judged {
  readonly verdict: Verdict;
  /** The answer and the record, in one line. */
  readonly detail: string;
  /** `ACTION_FAILED`, or the effect. */
  readonly answer: string;
  /** Of an honest failure: its last reason, without names and numbers, and whether it happened. */
  readonly reason?: string;
}

/** Events that users and assistive programs cause; the others are consequences, or come from control requests. */
const CAUSED: ReadonlySet<string> = new Set([
  'clicked',
  'toggled',
  'text-changed',
  'value-changed',
  'selected',
  'expanded',
  'collapsed',
  'menu-activated',
  'dialog-opened',
  'tab-changed',
  'window-closed',
  'context-menu',
]);

export function causedByUsers(events: readonly FixtureEvent[]): FixtureEvent[] {
  return events.filter(({ event, source }) => source === undefined && CAUSED.has(event));
}

export async function settleAnswer(act: () => Promise<Receipt>): Promise<Receipt | DeskterityError> {
  return act().catch((error: unknown) => {
    if (error instanceof DeskterityError) return error;
    throw error;
  });
}

export function judge(seen: {
  readonly answer: Receipt | DeskterityError;
  readonly happened: boolean;
  readonly strangers: readonly string[];
  readonly isDisturbed: boolean;
  readonly isHindered: boolean;
  readonly isVain: boolean;
}): Judged {
  const { answer, happened, strangers, isDisturbed, isHindered, isVain } = seen;
  const said = answer instanceof DeskterityError ? answer.code : answer.effect;
  const detail = [
    answer instanceof DeskterityError
      ? `${answer.code} (delivered: ${answer.delivered ?? 'unsaid'}): ${answer.message}`
      : `${answer.effect} via ${answer.via}: ${answer.evidence.join('; ')}`,
    happened ? 'it happened' : 'it did not happen',
    ...(strangers.length === 0 ? [] : [`beside it: ${strangers.join(', ')}`]),
  ].join(' | ');
  const verdict = (): Verdict => {
    if (strangers.length > 0) return 'wrong target';
    if (isVain) return said === 'confirmed' ? 'false success' : 'right';
    if (answer instanceof DeskterityError) {
      if (answer.delivered === false && happened) return 'false denial';
      const isRefusal = answer.code === 'ACTION_NOT_SUPPORTED' || isHindered;
      return answer.delivered === false && isRefusal ? 'refused' : 'honest failure';
    }
    if (answer.effect !== 'confirmed') return 'honest failure';
    if (!happened) return 'false success';
    return isDisturbed ? 'disturbed' : 'right';
  };
  const judged = { verdict: verdict(), detail, answer: said };
  return judged.verdict === 'honest failure' ? { ...judged, reason: reasonOf(answer, happened) } : judged;
}

/** In the reason of an answer that was not `confirmed`. */
export const BUT_IT_HAPPENED = 'but it happened';

function reasonOf(answer: Receipt | DeskterityError, happened: boolean): string {
  const [what, why] =
    answer instanceof DeskterityError
      ? [answer.code, answer.message]
      : [answer.effect, answer.evidence.at(-1) ?? 'no evidence'];
  const general = why.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/@?[a-z]?\d+/g, '#');
  return `${what}, ${happened ? BUT_IT_HAPPENED : 'and it did not happen'}: ${general}`;
}

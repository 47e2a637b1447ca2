import type { DesktopEvent } from '../ports/desktop.ts';
import { handleKey } from './ref-table.ts';
import type { ObservedChange } from './window-diff.ts';

/** When an act was asked for, when the application answered, and how long its toolkit then takes to carry it out. */
export interface ActSpan {
  readonly askedAt: number;
  readonly answeredAt: number;
  readonly activationDelayMs: number;
}

/** What a handler causes is told within this time after it ran, on a busy machine too. */
const CONSEQUENCE_MS = 150;
/** Timers fire a little early by our clock. */
const EARLY_MS = 30;

/**
 * The events that an act may have caused: those that came when its handler ran, of elements that tell of changes at no other time. An
 * element that also speaks before or after ticks by itself, and proves nothing.
 */
export function attributableEvents(
  events: readonly DesktopEvent[],
  span: ActSpan,
): { readonly caused: readonly DesktopEvent[]; readonly restless: ReadonlySet<string> } {
  const { askedAt, answeredAt, activationDelayMs } = span;
  // Values and check boxes change while the application answers; what has to be activated first changes when that is over.
  const isInTime = ({ atMs }: DesktopEvent): boolean =>
    (atMs >= askedAt && atMs <= answeredAt + CONSEQUENCE_MS) ||
    (atMs >= askedAt + activationDelayMs - EARLY_MS &&
      atMs <= answeredAt + activationDelayMs + CONSEQUENCE_MS);
  const restless = new Set(events.filter((event) => !isInTime(event)).map((event) => handleKey(event.node)));
  return {
    caused: events.filter((event) => isInTime(event) && !restless.has(handleKey(event.node))),
    restless,
  };
}

/** Longer than the beat of anything that shows seconds. */
export const TICK_MS = 1100;

const TICKING_ROLES: ReadonlySet<string> = new Set(['timer', 'progressbar', 'meter', 'status', 'marquee']);

/** Whether a change is of the kind that clocks, counters and progress bars make by themselves. */
export function mayTick({ change }: ObservedChange): boolean {
  if (change.kind !== 'changed') return false;
  if (TICKING_ROLES.has(change.role ?? '')) return true;
  const [before = '', after = ''] = [change.before, change.after];
  return before !== after && frame(before) === frame(after) && /\d/.test(before);
}

/** A text without its numbers. */
function frame(text: string): string {
  return text.replaceAll(/\d+/g, '#');
}

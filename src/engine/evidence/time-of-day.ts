import { mayTick, withoutNumbers } from './attribution.ts';
import type { ObservedChange } from './window-diff.ts';

/** Hours and minutes; GNOME writes a colon of its own, with a mark for right-to-left texts after it. */
const TIME = /(?<!\d)(?<hours>\d{1,2})[:∶]\u200E?(?<minutes>\d{2})(?!\d)/u;
const MINUTE_MS = 60_000;

/**
 * Whether a text has become the time of day. A clock that shows no seconds changes again only after a minute, so that watching it shows nothing.
 *
 * @param now where it is what the application takes for local time
 */
export function becameTimeOfDay(observed: ObservedChange, now: Date): boolean {
  const { kind, before = '', after = '' } = observed.change;
  if (kind !== 'changed' || !mayTick(observed) || withoutNumbers(before) !== withoutNumbers(after))
    return false;
  const shown = TIME.exec(after)?.groups;
  if (shown === undefined) return false;
  const { hours, minutes } = shown;
  if (Number(hours) > 23) return false;
  return [now, new Date(now.getTime() - MINUTE_MS)].some(
    (time) => Number(minutes) === time.getMinutes() && Number(hours) % 12 === time.getHours() % 12,
  );
}

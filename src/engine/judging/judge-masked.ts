import type { DesktopEvent } from '../../ports/desktop/events.ts';
import {
  confirmed,
  eventEvidence,
  unverified,
  type Judgement,
  type Observation,
} from '../evidence/evidence.ts';

const UNREAD = 'a protected field cannot be read back';
const AS_MANY = 'fresh read: the field shows as many masked characters as it should';

/**
 * The effect of writing into a protected field. What it contains cannot be read, but how many characters it shows can; with the event of the field
 * these are two witnesses.
 * @param isAdded `written` was added to what was there; otherwise it replaced that
 */
export function judgeMasked(
  { before, after }: Observation,
  { written, events, isAdded }: { written: string; events: readonly DesktopEvent[]; isAdded: boolean },
): Judgement {
  const [was, is] = [before.maskedLength, after?.maskedLength];
  const start = isAdded ? (was ?? 0) : 0;
  // Toolkits count characters or UTF-16 units.
  const wanted = [Array.from(written).length, written.length].map((length) => start + length);
  const isSeen = is !== undefined && is > 0 && wanted.includes(is) && events.length > 0;
  return isSeen
    ? confirmed([AS_MANY, ...eventEvidence(events)], !isAdded)
    : unverified([...eventEvidence(events), UNREAD], !isAdded);
}

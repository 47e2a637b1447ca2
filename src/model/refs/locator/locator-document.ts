import { z } from 'zod';
import { ElementRecord } from '../ref-document.ts';

const MOST_REMEMBERED = 100;

const Seen = z.object({ locator: z.string(), element: ElementRecord.omit({ ref: true }) });
type Seen = z.output<typeof Seen>;

/** The stored form of the last matches of locators; newest last. */
const LocatorDocument = z.object({ desktop_id: z.string(), seen: z.array(Seen) });

function readSeen(data: unknown, desktopId: string): readonly Seen[] {
  const parsed = LocatorDocument.safeParse(data);
  return parsed.success && parsed.data.desktop_id === desktopId ? parsed.data.seen : [];
}

/** The last match of a locator on this desktop. */
export function findSeen(data: unknown, desktopId: string, locator: string): Seen['element'] | undefined {
  return readSeen(data, desktopId).find((seen) => seen.locator === locator)?.element;
}

/** The document with the current match of a locator; the least recently used are dropped. */
export function addSeen(data: unknown, desktopId: string, seen: Seen): z.output<typeof LocatorDocument> {
  const others = readSeen(data, desktopId).filter(({ locator }) => locator !== seen.locator);
  return { desktop_id: desktopId, seen: [...others, seen].slice(-MOST_REMEMBERED) };
}

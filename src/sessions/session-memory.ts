import { z } from 'zod';
import { readRefDocument } from '../model/refs/ref-document.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { CONNECTIONS_DOCUMENT } from '../model/sessions/connection.ts';
import { isSessionName } from '../model/sessions/session-name.ts';
import { UNDO_DOCUMENT } from './undo-stack.ts';
import { readSessionRecord, SESSION_DOCUMENT, type SessionRecord } from './session-record.ts';

/** The storage of session records. */
export interface RecordPlace {
  readonly openStore: (name: string) => SessionStore;
  readonly storedNames: () => Promise<readonly string[]>;
}

const MARK_DOCUMENT = 'mark';
const REF_DOCUMENT = 'refs';
/** How long a killed session is remembered. */
const MEMORY_MS = 30 * 24 * 3600 * 1000;

const Mark = z.object({
  created_at: z.iso.datetime(),
  /** It was killed: later calls with its name must not fall back to the caller's desktop. */
  killed_at: z.iso.datetime().optional(),
});

/** Not a valid session name. The existence of the folder is enough, whatever its content. */
function markName(name: string): string {
  return `${name}${MARK_SUFFIX}`;
}
const MARK_SUFFIX = '~private';

/** Records outside the session's own folder that it has a private desktop. */
export async function markPrivate(place: RecordPlace, name: string, createdAt: string): Promise<void> {
  await place.openStore(markName(name)).update(MARK_DOCUMENT, () => ({ created_at: createdAt }));
}

/** Records there that it was killed or could not be started. Also removes old marks. */
export async function markKilled(place: RecordPlace, name: string, createdAt: string): Promise<void> {
  const mark = { created_at: createdAt, killed_at: new Date().toISOString() };
  await place.openStore(markName(name)).update(MARK_DOCUMENT, () => mark);
  await removeOld(place);
}

export async function removePrivateMark(place: RecordPlace, name: string): Promise<void> {
  await place.openStore(markName(name)).clear();
}

/**
 * The stored record of a session. An unreadable record of a private session counts as one whose desktop has ended, so that it never falls back
 * to the caller's desktop; any other unreadable record is ignored. `killed`: it was private, and none with its name was started since.
 */
export async function loadSessionRecord(
  place: RecordPlace,
  name: string,
  store: SessionStore = place.openStore(name),
): Promise<SessionRecord | 'killed' | undefined> {
  const record = readSessionRecord(await store.load(SESSION_DOCUMENT));
  if (record?.desktop === 'private') return record;
  const isMarked = (await place.storedNames()).includes(markName(name));
  if (!isMarked) return record;
  const mark = Mark.safeParse(await place.openStore(markName(name)).load(MARK_DOCUMENT)).data;
  // Only `session new` starts one with that name again, and then removes the mark.
  if (mark?.killed_at !== undefined) return record ?? 'killed';
  return { created_at: mark?.created_at ?? new Date().toISOString(), desktop: 'private', ended: true };
}

/** The names of all stored sessions. */
export async function namesWithRecord(from: RecordPlace): Promise<readonly string[]> {
  const stored = await from.storedNames();
  // Listed once instead of for each session.
  const place: RecordPlace = { openStore: (name) => from.openStore(name), storedNames: async () => stored };
  const names = stored.filter((name) => isSessionName(name));
  const records = await Promise.all(names.map((name) => loadSessionRecord(place, name)));
  return names.filter((_, index) => typeof records[index] === 'object');
}

/**
 * Removes a session except its counters: a new session with its name continues from there, so that old references never refer to other
 * elements.
 */
export async function forgetSession(store: SessionStore): Promise<void> {
  const clearedAt = new Date().toISOString();
  const counted = countersIn(await store.load(REF_DOCUMENT));
  if (counted === undefined) return store.clear();
  await store.update(REF_DOCUMENT, (data) => ({ ...(countersIn(data) ?? counted), cleared_at: clearedAt }));
  await store.update('readings', () => undefined);
  await store.update('locators', () => undefined);
  await store.update(UNDO_DOCUMENT, () => undefined);
  await store.update(CONNECTIONS_DOCUMENT, () => undefined);
  await store.update(SESSION_DOCUMENT, () => undefined);
  const [refs, record] = [await store.load(REF_DOCUMENT), await store.load(SESSION_DOCUMENT)];
  // If writing failed, remove the folder: forgetting the session is more important than its counters.
  if (record !== undefined || readRefDocument(refs).elements.length > 0) await store.clear();
}

/** The store for running calls of a session: once the session is over, they store only their counters. */
export function storeUntilOver(store: SessionStore, isOver: () => boolean): SessionStore {
  return {
    load: async (name) => (isOver() ? undefined : store.load(name)),
    update: async (name, change, options) => {
      if (!isOver()) await store.update(name, change, options);
      else if (name !== REF_DOCUMENT) change(undefined);
      else await store.update(name, (data, isAlone) => withNumbers(data, change(countersIn(data), isAlone)));
    },
    clear: () => store.clear(),
  };
}

/** A reference document with only the counters of the given one; `undefined` if they are all at their start. */
function countersIn(data: unknown): object | undefined {
  const { next_element, next_window, next_terminal, cursor } = readRefDocument(data);
  if (next_element === 1 && next_window === 1 && next_terminal === 1 && cursor === 0) return undefined;
  const counters = { next_element, next_window, next_terminal, cursor };
  return { desktop_id: '', ...counters, elements: [], windows: [], terminals: [] };
}

/** `data`, with its counters raised to those of `other`. */
function withNumbers(data: unknown, other: unknown): unknown {
  const added = countersIn(other);
  if (added === undefined) return data;
  const [mine, theirs] = [readRefDocument(data), readRefDocument(other)];
  const clearedAt =
    Cleared.safeParse(data).data ?? (data === undefined ? { cleared_at: new Date().toISOString() } : {});
  return {
    ...mine,
    ...clearedAt,
    next_element: Math.max(mine.next_element, theirs.next_element),
    next_window: Math.max(mine.next_window, theirs.next_window),
    next_terminal: Math.max(mine.next_terminal, theirs.next_terminal),
    cursor: Math.max(mine.cursor, theirs.cursor),
  };
}

const Cleared = z.object({ cleared_at: z.iso.datetime() });

async function removeOld(place: RecordPlace): Promise<void> {
  await Promise.all((await place.storedNames()).map((name) => removeIfOld(place.openStore(name), name)));
}

async function removeIfOld(store: SessionStore, name: string): Promise<void> {
  if (name.endsWith(MARK_SUFFIX)) {
    const mark = Mark.safeParse(await store.load(MARK_DOCUMENT)).data;
    if (isOld(mark?.killed_at)) await store.clear();
  } else if (isSessionName(name) && (await store.load(SESSION_DOCUMENT)) === undefined) {
    const cleared = Cleared.safeParse(await store.load(REF_DOCUMENT)).data;
    if (isOld(cleared?.cleared_at)) await store.clear();
  }
}

function isOld(time: string | undefined): boolean {
  return time !== undefined && Date.now() - Date.parse(time) > MEMORY_MS;
}

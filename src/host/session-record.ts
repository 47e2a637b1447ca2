import { z } from 'zod';
import type { SessionStore } from '../ports/session-store.ts';
import type { Environment } from './caller.ts';

/** The document that says what a session is, beside the documents with its references. */
export const SESSION_DOCUMENT = 'session';

export const SessionRecord = z.object({
  created_at: z.iso.datetime(),
  desktop: z.enum(['user', 'private']),
  /** Of a private desktop: what reaches it, for calls that another process answers. */
  environment: z.record(z.string(), z.string()).optional(),
  display: z.string().optional(),
  /** Its private desktop ended without it: it must not fall back to the desktop of whoever calls. */
  ended: z.boolean().optional(),
});
export type SessionRecord = z.output<typeof SessionRecord>;

/** A record as it was stored; `undefined` when there is none, or none that can be understood. */
export function readSessionRecord(data: unknown): SessionRecord | undefined {
  return SessionRecord.safeParse(data).data;
}

/** Where records of sessions are kept. */
export interface RecordPlace {
  readonly openStore: (name: string) => SessionStore;
  readonly storedNames: () => Promise<readonly string[]>;
}

const MARK_DOCUMENT = 'mark';
const Mark = z.object({ created_at: z.iso.datetime() });

/** No session can have this name. That the folder is there says enough, whatever has become of the files. */
function markName(name: string): string {
  return `${name}~private`;
}

/** Notes outside the session's own folder that it has a desktop of its own. */
export async function markPrivate(place: RecordPlace, name: string, createdAt: string): Promise<void> {
  await place.openStore(markName(name)).update(MARK_DOCUMENT, () => ({ created_at: createdAt }));
}

export async function removePrivateMark(place: RecordPlace, name: string): Promise<void> {
  await place.openStore(markName(name)).clear();
}

/**
 * What is stored of a session. One that was private and cannot be read any more is one whose desktop has ended, never one of whoever calls;
 * of any other that cannot be read nothing is known.
 */
export async function loadSessionRecord(
  place: RecordPlace,
  name: string,
  store: SessionStore = place.openStore(name),
): Promise<SessionRecord | undefined> {
  const record = readSessionRecord(await store.load(SESSION_DOCUMENT));
  if (record?.desktop === 'private') return record;
  const isMarked = (await place.storedNames()).includes(markName(name));
  if (!isMarked) return record;
  const mark = Mark.safeParse(await place.openStore(markName(name)).load(MARK_DOCUMENT)).data;
  return { created_at: mark?.created_at ?? new Date().toISOString(), desktop: 'private', ended: true };
}

/** What a private desktop has set itself, without what its programs inherited: that may hold secrets, and stays in memory. */
export function reachOf(environment: Environment, inherited: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== inherited[entry[0]],
    ),
  );
}

const HARMLESS = /^(?:PATH|LANG|LANGUAGE|LC_\w+|USER|LOGNAME|SHELL|TERM|TZ)$/;

/** What programs on another process's private desktop get: all it has set, and from the caller what cannot lead out of it. */
export function environmentOfRecord(record: SessionRecord, caller: Environment): Environment {
  const kept = Object.entries(caller).filter(([key]) => HARMLESS.test(key));
  return { ...Object.fromEntries(kept), ...record.environment };
}

import { z } from 'zod';
import type { Environment } from '../model/sessions/caller.ts';

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

import { z } from 'zod';
import type { Environment } from '../model/sessions/caller.ts';

/** The document with the record of a session, next to those with its references. */
export const SESSION_DOCUMENT = 'session';

export const SessionRecord = z.object({
  created_at: z.iso.datetime(),
  desktop: z.enum(['user', 'private']),
  /** The variables of a private desktop, for calls that another process answers. */
  environment: z.record(z.string(), z.string()).optional(),
  display: z.string().optional(),
  /** The folder that programs on its private desktop have as HOME. */
  home: z.string().optional(),
  home_kept: z.boolean().optional(),
  /** Its private desktop has ended: it must not fall back to the caller's desktop. */
  ended: z.boolean().optional(),
});
export type SessionRecord = z.output<typeof SessionRecord>;

/** Parses a stored record; `undefined` if there is none or it is invalid. */
export function readSessionRecord(data: unknown): SessionRecord | undefined {
  return SessionRecord.safeParse(data).data;
}

/** The variables that a private desktop set itself. Inherited ones may be secrets and stay in memory. */
export function ownVariables(environment: Environment, inherited: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== inherited[entry[0]],
    ),
  );
}

const HARMLESS = /^(?:PATH|LANG|LANGUAGE|LC_\w+|USER|LOGNAME|SHELL|TERM|TZ)$/;

/** The environment for programs on another process's private desktop: its own variables, and harmless ones of the caller. */
export function environmentOfRecord(record: SessionRecord, caller: Environment): Environment {
  const kept = Object.entries(caller).filter(([key]) => HARMLESS.test(key));
  return { ...Object.fromEntries(kept), ...record.environment };
}

import { z } from 'zod';

/** The document that says what a session is, beside the documents with its references. */
export const SESSION_DOCUMENT = 'session';

export const SessionRecord = z.object({
  created_at: z.string(),
  last_used_at: z.string().optional(),
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

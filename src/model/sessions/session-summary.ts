import { z } from 'zod';

/** A session as answers show it. */
export const SessionSummary = z.object({
  name: z.string(),
  desktop: z
    .enum(['user', 'private', 'shared'])
    .describe(
      '"user": the desktop of the caller; "private": its own desktop, which ends with it; "shared": the private desktop of all sessions whose callers have no display.',
    ),
  display: z
    .string()
    .optional()
    .describe('The display of its private desktop, or else the display it used last.'),
  ended: z
    .boolean()
    .optional()
    .describe('True if its private desktop ended unexpectedly: start a new one with session new.'),
  created_at: z.string().describe('ISO 8601.'),
  last_used_at: z
    .string()
    .optional()
    .describe('ISO 8601; absent if it was not used since the answering process started.'),
  calls: z.int().nonnegative().describe('Calls that needed a desktop since the answering process started.'),
});
export type SessionSummary = z.output<typeof SessionSummary>;

/** One line: `worker private desktop :7, 12 calls, last 2026-01-31T23:59:58.123Z`. */
export function outlineSession(session: SessionSummary): string {
  const { name, desktop, display, ended, calls, last_used_at: last } = session;
  const owner = {
    private: 'private desktop',
    shared: 'shared private desktop',
    user: 'desktop of the caller',
  }[desktop];
  const parts = [
    `${name} ${owner}${display === undefined ? '' : ` ${display}`}${ended === true ? ' has ended' : ''}`,
    `${calls} ${calls === 1 ? 'call' : 'calls'}`,
    ...(last === undefined ? [] : [`last ${last}`]),
  ];
  return parts.join(', ');
}

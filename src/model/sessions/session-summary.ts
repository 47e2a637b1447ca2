import { z } from 'zod';
import { quoteClipped, reveal } from '../text/untrusted-text.ts';

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
  home: z
    .string()
    .optional()
    .describe('The folder that programs on its private desktop have as HOME, and save files in.'),
  home_kept: z
    .boolean()
    .optional()
    .describe(
      'Whether that folder stays when the session ends; otherwise it is deleted with everything in it.',
    ),
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

/** Files that were saved in a HOME, without settings and caches, which are in hidden folders. */
export const HomeFiles = z.object({
  count: z.int().nonnegative().describe('Files outside hidden folders.'),
  is_counted_whole: z.boolean().describe('False if there were too many to count.'),
  names: z.array(z.string()).describe('Some of them, by their path in the HOME.'),
});
export type HomeFiles = z.output<typeof HomeFiles>;

export const DeletedHome = HomeFiles.extend({ home: z.string() });
export type DeletedHome = z.output<typeof DeletedHome>;

/** `3 files, such as notes.txt` */
export function outlineFiles({ count, is_counted_whole: isWhole, names }: HomeFiles): string {
  if (count === 0) return 'no files of yours';
  const number = `${isWhole ? '' : 'more than '}${count} ${count === 1 ? 'file' : 'files'}`;
  return `${number}, such as ${names
    .slice(0, 3)
    .map((name) => quoteClipped(name))
    .join(', ')}`;
}

/** Where files that are saved on its private desktop go; nothing for others. */
export function outlineHome({ home, home_kept: isKept }: SessionSummary): string[] {
  if (home === undefined) return [];
  return [
    `HOME ${reveal(home)}, ${isKept === true ? 'which stays when the session ends' : 'deleted when the session ends'}`,
  ];
}

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

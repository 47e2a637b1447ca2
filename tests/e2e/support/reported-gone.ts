import type { Reply } from './reply.ts';

const GONE = ['STALE_REF', 'AMBIGUOUS_TARGET'] as const;

/** Whether the program correctly reported that the element of a reference no longer exists: code, exit code and a suggestion. */
export function isReportedGone(reply: Reply | undefined): boolean {
  if (reply === undefined || reply.exitCode === 0) return false;
  const code = GONE.find((candidate) => reply.stdout.includes(`"code":"${candidate}"`));
  if (code === undefined) throw new Error(`failed for another reason: ${reply.toString()}`);
  reply.error(code);
  return true;
}

import type { Reply } from './reply.ts';

const GONE = ['STALE_REF', 'AMBIGUOUS_TARGET'] as const;

/** Whether the program said that a ref's element is gone, in the way it must: the right code, exit code and a suggestion. */
export function isHonestlyGone(reply: Reply | undefined): boolean {
  if (reply === undefined || reply.exitCode === 0) return false;
  const code = GONE.find((candidate) => reply.stdout.includes(`"code":"${candidate}"`));
  if (code === undefined) throw new Error(`failed for another reason: ${reply.toString()}`);
  reply.error(code);
  return true;
}

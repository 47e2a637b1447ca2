import type { Reply } from './reply.ts';

/** Time that every command gets beyond its deadline to report the failure. */
const GRACE_MS = 500;
/** Starting and ending the program on a busy machine. */
const PROCESS_MS = 2000;

/** The reply, if it came within its deadline. */
export function inTime(reply: Reply, deadlineMs: number): Reply {
  if (reply.durationMs > deadlineMs + GRACE_MS + PROCESS_MS)
    throw new Error(`too late for a deadline of ${deadlineMs} ms: ${reply.toString()}`);
  return reply;
}

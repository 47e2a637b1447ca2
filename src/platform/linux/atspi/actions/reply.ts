import { setTimeout as sleep } from 'node:timers/promises';
import { isRefusal } from '../bus/call-failures.ts';

/** Almost all applications reply to an act within this time. */
const USUAL_MS = 100;
/** For a reply that was overtaken by the reply to a later request on another connection. */
const OVERTAKEN_MS = 50;

/**
 * The reply to an act; `undefined` if the application answers a later request first. Qt replies only when the handler has returned, and the
 * handler of a menu item that runs a modal dialog returns when the dialog is closed. Until then the application serves requests in a loop of its
 * own, so the later answer proves that it received the act.
 *
 * @param ask sends the later request, which has a deadline
 */
export async function replyOrLoop(
  reply: Promise<boolean>,
  ask: () => Promise<unknown>,
): Promise<boolean | undefined> {
  const isSettled = reply.then(
    () => true,
    () => true,
  );
  const timers = new AbortController();
  const pause = (ms: number): Promise<boolean> =>
    sleep(ms, false, { signal: timers.signal }).catch(() => false);
  try {
    if (await Promise.race([isSettled, pause(USUAL_MS)])) return await reply;
    const isAnswered = ask().then(
      () => true,
      (error: unknown) => isRefusal(error),
    );
    // Silence proves nothing: then only the reply itself counts.
    const later = isAnswered.then((isAnswer) => (isAnswer ? pause(OVERTAKEN_MS) : isSettled));
    return (await Promise.race([isSettled, later])) ? await reply : undefined;
  } finally {
    timers.abort();
  }
}

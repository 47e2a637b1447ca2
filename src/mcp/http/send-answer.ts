import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Answer } from './answer.ts';
import type { HttpLimits } from './http-limits.ts';

/** Sends all of an answer. Resolves when there is nothing more to send or nobody to send it to; never rejects. */
export async function sendAnswer(
  { response, prologue, ended }: Answer,
  to: ServerResponse,
  limits: Pick<HttpLimits, 'unreadBytes' | 'stalledMs'>,
): Promise<void> {
  const body = response.body?.getReader();
  const abandon = (): void => void body?.cancel().catch(() => undefined);
  let isDelivered = false;
  try {
    to.once('close', abandon);
    cutOffWhenStalled(to, limits.stalledMs);
    if (to.destroyed) return;
    to.writeHead(response.status, Object.fromEntries(response.headers));
    // A stream is open when the client has its head, not when there is something to tell.
    to.flushHeaders();
    if (prologue !== undefined) to.write(prologue);
    // What the client does not read must not pile up where nobody counts it, so that all is taken from the body at once.
    for (let piece = await body?.read(); piece?.value !== undefined; piece = await body?.read()) {
      if (to.destroyed || to.writableLength > limits.unreadBytes) {
        to.destroy();
        return;
      }
      to.write(piece.value);
    }
    to.end();
    await finished(to);
    isDelivered = true;
  } catch {
    // The body broke off, or the client has gone.
    to.destroy();
  } finally {
    to.off('close', abandon);
    abandon();
    ended?.(isDelivered);
  }
}

/** The library's and our own signs of life do not count: what waits is not written before what the client leaves unread. */
export function cutOffWhenStalled(to: ServerResponse, stalledMs: number): void {
  to.setTimeout(stalledMs, () => {
    if (to.writableLength > 0) to.destroy();
  });
}

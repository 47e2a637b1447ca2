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
  let isDelivered = false;
  try {
    if (to.destroyed) return;
    cutOffWhenStalled(to, limits.stalledMs);
    // Whether the connection stays is between the client and node:http; the library would always keep it.
    if (response.headers.get('connection') === 'keep-alive') response.headers.delete('connection');
    const headers = Object.fromEntries(response.headers);
    const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
    if (isStream) {
      to.writeHead(response.status, headers);
      // A stream is open when the client has its head, not when there is something to tell.
      to.flushHeaders();
      if (prologue !== undefined) to.write(prologue);
      await pipe(response, to, limits.unreadBytes);
      to.end();
    } else {
      const body = Buffer.from(await response.arrayBuffer());
      to.writeHead(response.status, { ...headers, 'content-length': body.length });
      to.end(body);
    }
    await finished(to);
    isDelivered = true;
  } catch {
    // The body broke off, or the client has gone.
    to.destroy();
  } finally {
    if (!isDelivered) await response.body?.cancel().catch(() => undefined);
    ended?.(isDelivered);
  }
}

/** @throws Error when the client has gone, or leaves too much unread */
async function pipe(response: Response, to: ServerResponse, unreadBytes: number): Promise<void> {
  const body = response.body?.getReader();
  const abandon = (): void => void body?.cancel().catch(() => undefined);
  to.once('close', abandon);
  try {
    // What the client does not read must not pile up where nobody counts it, so that all is taken from the body at once.
    for (let piece = await body?.read(); piece?.value !== undefined; piece = await body?.read()) {
      if (to.destroyed || to.writableLength > unreadBytes) throw new Error('The client does not read.');
      to.write(piece.value);
    }
    if (to.destroyed) throw new Error('The client has gone.');
  } finally {
    to.off('close', abandon);
    abandon();
    body?.releaseLock();
  }
}

/** The library's and our own signs of life do not count: what waits is not written before what the client leaves unread. */
export function cutOffWhenStalled(to: ServerResponse, stalledMs: number): void {
  to.setTimeout(stalledMs, () => {
    if (to.writableLength > 0) to.destroy();
  });
}

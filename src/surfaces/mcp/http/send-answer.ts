import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import type { Answer } from './answer.ts';
import type { HttpLimits } from './http-limits.ts';

/** Sends an answer. Resolves when everything is sent or the client has disconnected; never rejects. */
export async function sendAnswer(
  { response, prologue, ended }: Answer,
  to: ServerResponse,
  {
    echo,
    ...limits
  }: Pick<HttpLimits, 'unreadBytes' | 'stalledMs'> & {
    /** Receives each piece that is sent. */
    readonly echo?: ((piece: Uint8Array) => void) | undefined;
  },
): Promise<void> {
  let isDelivered = false;
  try {
    if (to.destroyed) return;
    disconnectWhenStalled(to, limits.stalledMs);
    // node:http decides whether the connection is kept; the library would always keep it.
    if (response.headers.get('connection') === 'keep-alive') response.headers.delete('connection');
    const headers = Object.fromEntries(response.headers);
    const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
    if (isStream) {
      to.writeHead(response.status, headers);
      // The client considers the stream open when it receives the headers.
      to.flushHeaders();
      if (prologue !== undefined) to.write(prologue);
      await pipe(response, to, { unreadBytes: limits.unreadBytes, echo });
      to.end();
    } else {
      const body = Buffer.from(await response.arrayBuffer());
      to.writeHead(response.status, { ...headers, 'content-length': body.length });
      to.end(body);
      echo?.(body);
    }
    await finished(to);
    isDelivered = true;
  } catch {
    // The body was cut off, or the client has disconnected.
    to.destroy();
  } finally {
    if (!isDelivered) await response.body?.cancel().catch(() => undefined);
    ended?.(isDelivered);
  }
}

/** @throws Error if the client has disconnected, or leaves too much unread */
async function pipe(
  response: Response,
  to: ServerResponse,
  {
    unreadBytes,
    echo,
  }: { readonly unreadBytes: number; readonly echo?: ((piece: Uint8Array) => void) | undefined },
): Promise<void> {
  const body = response.body?.getReader();
  const abandon = (): void => void body?.cancel().catch(() => undefined);
  to.once('close', abandon);
  try {
    // The body is read without waiting for the client, so that unread data accumulates only where it is counted.
    for (let piece = await body?.read(); piece?.value !== undefined; piece = await body?.read()) {
      if (to.destroyed || to.writableLength > unreadBytes) throw new Error('The client does not read.');
      to.write(piece.value);
      echo?.(piece.value);
    }
    if (to.destroyed) throw new Error('The client has disconnected.');
  } finally {
    to.off('close', abandon);
    abandon();
    body?.releaseLock();
  }
}

/** Keep-alive messages do not count as progress: they wait behind the unread data. */
export function disconnectWhenStalled(to: ServerResponse, stalledMs: number): void {
  to.setTimeout(stalledMs, () => {
    if (to.writableLength > 0) to.destroy();
  });
}

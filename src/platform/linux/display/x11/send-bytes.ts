import type { Callback, Client } from './x11-library.ts';

/** Internals of the package. */
interface RawClient {
  seq_num: number;
  readonly replies: Record<number, readonly [((reply: Buffer) => Buffer) | undefined, Callback<Buffer>]>;
  readonly pack_stream: { put(bytes: Buffer): void; submit(expectsReply: boolean): void };
}

/**
 * Sends a request that the package does not support.
 * @param bytes the whole request, including its length field
 * @param done receives the reply from its ninth byte; without a reply it is called when a later reply shows that the request was accepted
 */
export function sendBytes(
  client: Client,
  bytes: Buffer,
  expects: 'reply' | 'nothing',
  done: Callback<Buffer>,
): void {
  const raw = client as Client & RawClient;
  raw.seq_num += 1;
  raw.replies[raw.seq_num] = [expects === 'reply' ? (reply) => reply : undefined, done];
  raw.pack_stream.put(bytes);
  raw.pack_stream.submit(expects === 'reply');
}

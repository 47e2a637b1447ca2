import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Descriptors } from './descriptors.ts';

/**
 * How long the thread waits at a time: the longest that closing, and the end of the process, may take.
 * A connection that receives descriptors occupies one thread of Node's pool.
 */
const WAIT_MS = 200;

/** What becomes of arriving bytes and of the end of the stream. */
export interface InboxReceiver {
  received(bytes: Buffer): void;
  ended(reason: string): void;
}

/** Reads from a connected socket, which it owns. */
export interface Inbox {
  /** The next descriptor that arrived; whoever takes it closes it. */
  takeDescriptor(): number | undefined;
  close(): void;
}

/** Reads through Node, which drops descriptors. */
export function byteInbox(file: number, receiver: InboxReceiver): Inbox {
  const socket = new Socket({ fd: file, readable: true, writable: true });
  socket.on('data', (chunk: Buffer) => receiver.received(chunk));
  socket.on('error', (error) => receiver.ended(error.message));
  socket.on('close', () => receiver.ended('it closed the connection'));
  return { takeDescriptor: () => undefined, close: () => socket.destroy() };
}

/** Reads bytes and descriptors. */
export function descriptorInbox(file: number, descriptors: Descriptors, receiver: InboxReceiver): Inbox {
  const arrived: number[] = [];
  const ended = new AbortController();
  const read = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const received = descriptors.receive(file);
      if (received === undefined) {
        await descriptors.readable(file, WAIT_MS);
        continue;
      }
      arrived.push(...received.descriptors);
      if (received.bytes.length === 0) receiver.ended('it closed the connection');
      else receiver.received(received.bytes);
    }
  };
  void read()
    .catch((error: unknown) => receiver.ended(error instanceof Error ? error.message : String(error)))
    .finally(() => {
      for (const each of [...arrived.splice(0), file]) closeSync(each);
    });
  return {
    takeDescriptor: () => arrived.shift(),
    close: () => {
      ended.abort();
    },
  };
}

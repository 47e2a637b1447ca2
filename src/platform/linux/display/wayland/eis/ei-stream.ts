import { Socket } from 'node:net';

/** What carries the bytes. */
export interface EiStream {
  write(bytes: Buffer): void;
  /** `ended` is called at most once, never because of {@link end}. */
  listen(receiver: { received(bytes: Buffer): void; ended(reason: string): void }): void;
  end(): void;
}

/** A socket of the EI protocol that a compositor handed out. Descriptors in it are dropped: the keymap is the one of the seat. */
export function eiStream(file: number): EiStream {
  const socket = new Socket({ fd: file, readable: true, writable: true });
  let isEnded = false;
  socket.unref();
  return {
    write: (bytes) => {
      if (!isEnded) socket.write(bytes);
    },
    listen: (receiver) => {
      const end = (reason: string): void => {
        if (isEnded) return;
        isEnded = true;
        receiver.ended(reason);
      };
      socket.on('data', (bytes: Buffer) => receiver.received(bytes));
      socket.on('error', (error) => end(error.message));
      socket.on('close', () => end('it closed the connection'));
    },
    end: () => {
      isEnded = true;
      socket.destroySoon();
    },
  };
}

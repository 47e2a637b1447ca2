import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { afterEach } from 'vitest';
import { clientFrame, type ClientFrame } from '../../src/wire/client-frames.ts';
import { encodeServerFrame, type ServerFrame } from '../../src/wire/daemon-protocol.ts';
import { FrameReader } from '../../src/wire/frames.ts';
import type { Lab } from './support.ts';

export interface Reply {
  readonly say: (frame: ServerFrame) => void;
  readonly sayBytes: (bytes: Buffer) => void;
  readonly hangUp: () => void;
  /** Stops listening, so that a real daemon can start. */
  readonly leave: () => void;
}

export interface Pretender {
  /** Listens instead of a daemon. */
  readonly pretend: (react: (frame: ClientFrame, reply: Reply) => void) => Promise<void>;
  readonly seen: readonly ClientFrame[];
}

/** A fake daemon that a test controls, to see how the command line handles it. */
export function usePretender(lab: () => Lab): Pretender {
  let pretender: Server | undefined;
  const seen: ClientFrame[] = [];
  afterEach(() => {
    pretender?.close();
    pretender = undefined;
  });
  const pretend: Pretender['pretend'] = async (react) => {
    seen.length = 0;
    mkdirSync(dirname(lab().socket), { recursive: true, mode: 0o700 });
    const server = createServer((socket) => {
      const reader = new FrameReader(clientFrame);
      socket.on('error', () => undefined);
      const reply: Reply = {
        say: (frame) => socket.write(encodeServerFrame(frame)),
        sayBytes: (bytes) => socket.write(bytes),
        hangUp: () => socket.destroy(),
        leave: () => {
          rmSync(lab().socket, { force: true });
          server.close();
          socket.destroy();
        },
      };
      socket.on('data', (piece) => {
        for (const frame of reader.push(piece)) {
          seen.push(frame);
          react(frame, reply);
        }
      });
    });
    pretender = server;
    await new Promise<void>((resolve) => server.listen(lab().socket, resolve));
  };
  return { pretend, seen };
}

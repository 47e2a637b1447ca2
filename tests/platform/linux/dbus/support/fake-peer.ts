import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Frame } from '../../../../../src/platform/linux/dbus/frame.ts';
import { FrameReader } from '../../../../../src/platform/linux/dbus/frame-reader.ts';
import { viewOf } from '../../../../../src/platform/linux/dbus/marshalling/body-reader.ts';
import {
  type HeaderFields,
  readHeaderFields,
} from '../../../../../src/platform/linux/dbus/marshalling/header.ts';
import { type BusValue } from '../../../../../src/platform/linux/dbus/index.ts';
import { decodeBody } from '../../../../../src/platform/linux/dbus/marshalling/decode.ts';

export const GUID = '0123456789abcdef0123456789abcdef';

/** A message the client sent. */
export interface Received {
  readonly type: number;
  readonly serial: number;
  readonly flags: number;
  readonly fields: HeaderFields;
  readonly body: BusValue[];
}

export interface FakePeerOptions {
  /** Returns the reply to one line of the handshake; `undefined` for none. */
  readonly authenticate?: (line: string, socket: Socket) => string | undefined;
  /** Receives the messages after BEGIN. */
  readonly onMessage?: (message: Received, socket: Socket) => void;
}

const acceptAll = (line: string): string => (line.startsWith('AUTH') ? `OK ${GUID}\r\n` : '');

function received(frame: Frame): Received {
  const fields = readHeaderFields(frame.fields());
  return {
    type: frame.type,
    serial: frame.serial,
    flags: frame.flags,
    fields,
    body: decodeBody(frame.body(), fields.signature),
  };
}

/** The other end of a connection, on a Unix socket in its own folder. */
export class FakePeer {
  readonly folder = mkdtempSync(join(tmpdir(), 'deskterity-dbus-'));
  readonly path = join(this.folder, 'socket');
  readonly address = `unix:path=${this.path}`;
  readonly messages: Received[] = [];
  readonly lines: string[] = [];
  readonly sockets = new Set<Socket>();
  readonly #options: FakePeerOptions;
  readonly #server: Server;

  private constructor(options: FakePeerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(options: FakePeerOptions = {}, listenOn?: string): Promise<FakePeer> {
    const peer = new FakePeer(options);
    await new Promise<void>((resolve) => peer.#server.listen(listenOn ?? peer.path, resolve));
    return peer;
  }

  #serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.sockets.delete(socket));
    const frames = new FrameReader((frame) => {
      const message = received(frame);
      this.messages.push(message);
      this.#options.onMessage?.(message, socket);
    });
    let text = '';
    let begun = false;
    socket.on('data', (chunk: Buffer) => {
      if (begun) {
        frames.push(chunk, viewOf(chunk), chunk.length);
        return;
      }
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n'); end >= 0 && !begun; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end).replace(/^\0/, '');
        text = text.slice(end + 2);
        this.lines.push(line);
        begun = line === 'BEGIN';
        const answer = (this.#options.authenticate ?? acceptAll)(line, socket);
        if (answer !== undefined && answer !== '') socket.write(answer);
      }
      if (!begun || text === '') return;
      const rest = Buffer.from(text, 'latin1');
      frames.push(rest, viewOf(rest), rest.length);
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

import { Duplex } from 'node:stream';
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

/** Two ends of a socket: what is written to one is read from the other, and both are gone when one is. */
export function streamPair(): [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const make = (other: () => Duplex | undefined): Duplex =>
    new Duplex({
      allowHalfOpen: true,
      read: () => undefined,
      write: (chunk, _encoding, done) => {
        other()?.push(chunk);
        done();
      },
      final: (done) => {
        other()?.push(null);
        done();
      },
      destroy: (error, done) => {
        // After what has been written is read.
        setImmediate(() => other()?.destroy());
        done(error);
      },
    });
  const left = make(() => ends[1]);
  const right = make(() => ends[0]);
  ends.push(left, right);
  return [left, right];
}

/** What the official client needs to talk over a stream of lines. */
export class LineClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly stream: Duplex;
  private held = '';

  constructor(stream: Duplex) {
    this.stream = stream;
  }

  async start(): Promise<void> {
    this.stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.held + text).split('\n');
      this.held = lines.pop() ?? '';
      for (const line of lines) this.onmessage?.(deserializeMessage(line));
    });
    this.stream.on('close', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.stream.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.stream.end();
    this.stream.destroy();
  }
}

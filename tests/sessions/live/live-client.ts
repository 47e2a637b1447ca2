import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Bounds } from '../../../src/model/tree/bounds.ts';

const Message = z.looseObject({ kind: z.string() });
export type LiveMessage = z.output<typeof Message>;
type Picture = { readonly area: Bounds; readonly png: Buffer };

const PICTURE = 0x50;
const HEADER_BYTES = 5;
const PLACE_BYTES = 16;
const START_MS = 5000;

/** The page of a session without a browser. */
export class LiveClient {
  readonly messages: LiveMessage[] = [];
  readonly pictures: Picture[] = [];
  /** Whether it reports pictures as drawn, as the page does. */
  acknowledges = true;
  onPicture: (picture: Picture) => void = () => undefined;
  isOver = false;
  bytes = 0;
  private readonly url: URL;
  private readonly outgoing: ClientRequest;
  private readonly waiting = new Set<() => void>();
  private incoming: IncomingMessage | undefined;
  private left: Buffer = Buffer.alloc(0);

  private constructor(url: string) {
    this.url = new URL(url);
    this.outgoing = request(`${url}/stream`, (response) => {
      this.incoming = response;
      response.on('data', (chunk: Buffer) => this.read(chunk));
      response.on('close', () => this.end());
    });
    this.outgoing.on('error', () => this.end());
    this.outgoing.end();
  }

  static async open(url: string): Promise<LiveClient> {
    const client = new LiveClient(url);
    await client.until((message) => message.kind === 'hello');
    return client;
  }

  get page(): string {
    return z.string().parse(this.messages.find(({ kind }) => kind === 'hello')?.['page']);
  }

  /** The last message of a kind. */
  last(kind: string): LiveMessage | undefined {
    return this.messages.findLast((message) => message.kind === kind);
  }

  /** Resolves with the first message, past or future, that fits. */
  async until(fits: (message: LiveMessage) => boolean): Promise<LiveMessage> {
    return this.eventually('a message', () => this.messages.find((message) => fits(message)));
  }

  async eventually<T>(what: string, look: () => T | undefined): Promise<T> {
    const end = performance.now() + START_MS;
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      if (performance.now() > end) throw new Error(`${what} did not come: ${JSON.stringify(this.messages)}`);
      await new Promise<void>((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          this.waiting.delete(done);
          resolve();
        };
        const timer = setTimeout(done, 50);
        this.waiting.add(done);
      });
    }
  }

  send(
    messages: readonly unknown[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; text: string }> {
    const { hostname, port, pathname } = this.url;
    return new Promise((resolve, reject) => {
      const post = request(
        {
          host: hostname,
          port,
          path: `${pathname}/send?${this.page}`,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part: string) => (text += part));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      post.on('error', reject);
      post.end(JSON.stringify(messages));
    });
  }

  /** Stops reading the stream, as a page behind a slow connection. */
  pause(): void {
    this.incoming?.pause();
  }

  close(): void {
    this.outgoing.destroy();
  }

  private read(chunk: Buffer): void {
    this.bytes += chunk.length;
    this.left = Buffer.concat([this.left, chunk]);
    while (this.left.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + this.left.readUInt32BE(1);
      if (this.left.length < end) break;
      this.take(this.left[0] ?? 0, this.left.subarray(HEADER_BYTES, end));
      this.left = this.left.subarray(end);
    }
    for (const wake of this.waiting) wake();
  }

  private take(type: number, body: Buffer): void {
    if (type === PICTURE) {
      const [x = 0, y = 0, width = 0, height = 0] = [0, 4, 8, 12].map((at) => body.readUInt32BE(at));
      const picture = { area: { x, y, width, height }, png: Buffer.from(body.subarray(PLACE_BYTES)) };
      this.pictures.push(picture);
      this.onPicture(picture);
      return;
    }
    const message = Message.parse(JSON.parse(body.toString('utf8')));
    this.messages.push(message);
    const number = message.kind === 'picture' ? message['number'] : message.kind === 'ping' ? 0 : undefined;
    if (number !== undefined && this.acknowledges)
      this.send([{ type: 'seen', number }]).catch(() => undefined);
  }

  private end(): void {
    this.isOver = true;
    for (const wake of this.waiting) wake();
  }
}

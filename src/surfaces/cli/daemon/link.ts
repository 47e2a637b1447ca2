import type { Socket } from 'node:net';
import { encodeClientFrame, serverFrame } from '../../../wire/daemon-protocol.ts';
import type {
  AttachFrame,
  ClientFrame,
  ExecuteFrame,
  Hello,
  McpFrame,
  McpHttpFrame,
} from '../../../wire/client-frames.ts';
import type { Identity, Refusal, ServerFrame } from '../../../wire/daemon-protocol.ts';
import { FrameReader } from '../../../wire/frames.ts';
import type { Rendered } from './connection.ts';

/** A daemon that has said nothing for this long is asked whether it is there. */
const ASK_AFTER_MS = 5000;
/** One that has said nothing for this long is not. */
const SILENCE_LIMIT_MS = 20_000;

/** How one frame fared. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Rendered }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'self' | 'skew'; readonly identity: Identity }
  /** The socket is the caller's from now on: an MCP server is at its other end. */
  | { readonly kind: 'piped'; readonly socket: Socket }
  | { readonly kind: 'serving'; readonly url: string }
  /** The same with a terminal. */
  | { readonly kind: 'attached'; readonly socket: Socket; readonly name: string; readonly command: string }
  /** It leaves; a call was not begun. */
  | { readonly kind: 'leaving' }
  /** The connection ended first; what became of a call is unknown. */
  | { readonly kind: 'lost'; readonly detail: string };

interface Waiting {
  readonly settle: (outcome: Outcome) => void;
  readonly onLog: ((line: string) => void) | undefined;
}

/** One connection to a daemon, for as long as it lasts. */
export class Link {
  private readonly socket: Socket;
  private readonly reader = new FrameReader(serverFrame);
  private readonly calls = new Map<number, Waiting>();
  private readonly questions: ((outcome: Outcome) => void)[] = [];
  private settleServer: ((outcome: Outcome) => void) | undefined;
  private isAttaching = false;
  private hello: Hello | undefined;
  private lastId = 0;
  private watch: NodeJS.Timeout | undefined;
  private heardAt = 0;
  private detail = 'the connection was closed';

  /** Takes over a connected socket. */
  constructor(socket: Socket, hello: Hello) {
    this.socket = socket;
    this.hello = hello;
    socket.on('data', this.receive);
    socket.on('error', (error) => {
      this.detail = error.message;
    });
    socket.on('close', () => this.settleAll({ kind: 'lost', detail: this.detail }));
  }

  /** Whether more frames can be sent. */
  isOpen = true;

  /** @throws WireError when the frame is too large */
  call(
    frame: Omit<ExecuteFrame, 'type' | 'id'>,
    onLog: ((line: string) => void) | undefined,
  ): { readonly outcome: Promise<Outcome>; readonly cancel: () => void } {
    if (!this.isOpen) return { outcome: Promise.resolve({ kind: 'leaving' }), cancel: () => undefined };
    this.lastId += 1;
    const id = this.lastId;
    const bytes = encodeClientFrame({ type: 'execute', id, ...frame });
    const outcome = new Promise<Outcome>((resolve) => {
      this.calls.set(id, { settle: resolve, onLog });
    });
    this.write(bytes);
    return { outcome, cancel: () => this.send({ type: 'cancel', id }) };
  }

  /** What the daemon has to say to a frame about itself. */
  async ask(type: 'ask' | 'stop' | 'retire'): Promise<Outcome> {
    if (this.socket.destroyed) return { kind: 'lost', detail: this.detail };
    const outcome = new Promise<Outcome>((resolve) => this.questions.push(resolve));
    this.send({ type });
    return outcome;
  }

  /** Has MCP served on this connection, or over HTTP for as long as it lasts, or a terminal shown. To be called once, and before calls. */
  async serve(frame: McpFrame | McpHttpFrame | AttachFrame): Promise<Outcome> {
    // A question on the way would be taken for the first record.
    this.isAttaching = frame.type === 'attach';
    const outcome = new Promise<Outcome>((resolve) => {
      this.settleServer = resolve;
    });
    this.send(frame);
    return outcome;
  }

  /** Resolves when the daemon has closed the connection. */
  async closed(): Promise<void> {
    if (this.socket.closed) return;
    await new Promise<void>((resolve) => this.socket.once('close', () => resolve()));
  }

  end(): void {
    this.isOpen = false;
    this.socket.destroy();
  }

  private send(frame: ClientFrame): void {
    this.write(encodeClientFrame(frame));
  }

  private write(bytes: Buffer): void {
    const { hello } = this;
    this.hello = undefined;
    // In one piece: one system call, one round trip.
    this.socket.write(hello === undefined ? bytes : Buffer.concat([encodeClientFrame(hello), bytes]));
    if (this.watch !== undefined) return;
    this.heardAt = nowMs();
    this.watch = setInterval(() => this.lookAfter(), ASK_AFTER_MS);
  }

  private lookAfter(): void {
    if (this.calls.size === 0 && this.questions.length === 0 && this.settleServer === undefined) return;
    const silence = nowMs() - this.heardAt;
    if (silence < SILENCE_LIMIT_MS) {
      if (!this.isAttaching) this.send({ type: 'ask' });
    } else {
      this.detail = `the daemon has said nothing for ${Math.round(silence / 1000)} seconds`;
      this.end();
    }
  }

  private readonly receive = (piece: Buffer): void => {
    this.heardAt = nowMs();
    try {
      for (const frame of this.reader.push(piece)) this.handle(frame);
    } catch (error) {
      this.detail = error instanceof Error ? error.message : String(error);
      this.end();
    }
  };

  private handle(frame: ServerFrame): void {
    switch (frame.type) {
      case 'answer': {
        const { id, exitCode, stdout, stderr } = frame;
        this.settle(id, { kind: 'answer', answer: { exitCode, stdout, stderr } });
        return;
      }
      case 'log':
        this.calls.get(frame.id)?.onLog?.(frame.line);
        return;
      case 'late':
        this.settle(frame.id, { kind: 'leaving' });
        return;
      case 'refused':
        if (frame.id === undefined) this.settleAll({ kind: 'refused', refusal: frame });
        else this.settle(frame.id, { kind: 'refused', refusal: frame });
        return;
      case 'piped':
        this.settleServing({ kind: 'piped', socket: this.letGo() });
        return;
      case 'attached':
        this.settleServing({ ...frame, kind: 'attached', socket: this.letGo() });
        return;
      case 'serving':
        this.settleServing({ kind: 'serving', url: frame.url });
        return;
      case 'self':
        this.settleQuestions({ kind: 'self', identity: frame });
        return;
      case 'skew':
        this.settleCalls({ kind: 'skew', identity: frame });
        this.settleServing({ kind: 'skew', identity: frame });
        this.settleQuestions({ kind: 'skew', identity: frame });
        return;
      case 'leaving':
        // Calls that have begun may still be answered.
        this.isOpen = false;
        this.settleServing({ kind: 'leaving' });
        this.settleQuestions({ kind: 'leaving' });
        return;
    }
  }

  private letGo(): Socket {
    this.isOpen = false;
    clearInterval(this.watch);
    // Nothing follows until the client has said something.
    return this.socket.off('data', this.receive).pause();
  }

  private settle(id: number, outcome: Outcome): void {
    const waiting = this.calls.get(id);
    this.calls.delete(id);
    waiting?.settle(outcome);
  }

  private settleCalls(outcome: Outcome): void {
    for (const id of this.calls.keys()) this.settle(id, outcome);
  }

  private settleQuestions(outcome: Outcome): void {
    for (const settle of this.questions.splice(0)) settle(outcome);
  }

  private settleServing(outcome: Outcome): void {
    this.settleServer?.(outcome);
    this.settleServer = undefined;
  }

  private settleAll(outcome: Outcome): void {
    this.isOpen = false;
    clearInterval(this.watch);
    this.settleCalls(outcome);
    this.settleServing(outcome);
    this.settleQuestions(outcome);
  }
}

/** Monotonic. `performance` would do, but a first look at it loads ten modules. */
function nowMs(): number {
  return process.uptime() * 1000;
}

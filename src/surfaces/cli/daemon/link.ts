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
import type { ConsentAnswer } from '../../../model/effects/consent-answer.ts';
import type { Rendered } from './connection.ts';

/** A daemon silent for this long is pinged. */
const PING_AFTER_MS = 5000;
/** A daemon silent for this long is considered dead. */
const SILENCE_LIMIT_MS = 20_000;

/** A stopped daemon is not declared dead sooner, however short the deadline of the call. */
const LEAST_DEADLINE_MS = 1500;
/** A daemon that is only busy answers within this time, mostly. */
const ANSWER_PING_MS = 2500;

/** The result of sending one frame. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Rendered }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'self' | 'skew'; readonly identity: Identity }
  /** The socket now belongs to the caller; an MCP server is at the other end. */
  | { readonly kind: 'piped'; readonly socket: Socket }
  | { readonly kind: 'serving'; readonly url: string }
  /** The same with a terminal. */
  | { readonly kind: 'attached'; readonly socket: Socket; readonly name: string; readonly command: string }
  /** The daemon is exiting; the call was not started. */
  | { readonly kind: 'leaving' }
  /** The connection ended first; the result of a call is unknown. */
  | {
      readonly kind: 'lost';
      readonly detail: string;
      /** The daemon still holds the connection but does not respond: another one would have the same fate. */
      readonly isSilent: boolean;
    }
  /** The first bytes were not a frame of this protocol; the result of a call is unknown. */
  | { readonly kind: 'foreign'; readonly detail: string };

interface Waiting {
  readonly settle: (outcome: Outcome) => void;
  readonly listeners: CallListeners;
}

/** Who hears about a call before its answer. */
export interface CallListeners {
  readonly onLog?: ((line: string) => void) | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  readonly onQuestion?: ((text: string) => Promise<ConsentAnswer>) | undefined;
}

/** One connection to a daemon. */
export class Link {
  private readonly socket: Socket;
  private readonly reader = new FrameReader(serverFrame);
  private readonly calls = new Map<number, Waiting>();
  private readonly questions: ((outcome: Outcome) => void)[] = [];
  private settleServer: ((outcome: Outcome) => void) | undefined;
  private isAttaching = false;
  private hello: Hello | undefined;
  private lastId = 0;
  private pings: NodeJS.Timeout | undefined;
  private lastReceivedAt = 0;
  private detail = 'the connection was closed';
  private hasReceivedFrame = false;
  private isSilent = false;

  /** Takes ownership of a connected socket. */
  constructor(socket: Socket, hello: Hello) {
    this.socket = socket;
    this.hello = hello;
    socket.on('data', this.receive);
    socket.on('error', (error) => {
      this.detail = error.message;
    });
    socket.on('close', () => this.settleAll(this.lost()));
  }

  /** Receives what clients of an MCP server over HTTP send and receive. */
  onEcho: ((text: string) => void) | undefined;

  /** Whether more frames can be sent. */
  isOpen = true;

  /** @throws WireError if the frame is too large */
  call(
    frame: Omit<ExecuteFrame, 'type' | 'id'>,
    listeners: CallListeners,
    deadlineMs?: number,
  ): { readonly outcome: Promise<Outcome>; readonly cancel: () => void } {
    if (!this.isOpen) return { outcome: Promise.resolve({ kind: 'leaving' }), cancel: () => undefined };
    this.lastId += 1;
    const id = this.lastId;
    const bytes = encodeClientFrame({ type: 'execute', id, ...frame });
    const outcome = new Promise<Outcome>((resolve) => {
      this.calls.set(id, { settle: resolve, listeners });
    });
    this.write(bytes);
    if (deadlineMs !== undefined) this.expectLife(id, Math.max(deadlineMs, LEAST_DEADLINE_MS));
    return { outcome, cancel: () => this.send({ type: 'cancel', id }) };
  }

  /** Notices within the deadline of a call that the daemon has stopped: it must answer a ping by then, if not the call. */
  private expectLife(id: number, deadlineMs: number): void {
    const pingMs = Math.max(deadlineMs - ANSWER_PING_MS, deadlineMs / 2);
    setTimeout(() => {
      if (!this.calls.has(id) || !this.isOpen) return;
      const before = this.lastReceivedAt;
      this.send({ type: 'ask' });
      setTimeout(() => {
        if (this.calls.has(id) && this.isOpen && this.lastReceivedAt === before) this.giveUp();
      }, deadlineMs - pingMs).unref();
    }, pingMs).unref();
  }

  private giveUp(): void {
    this.detail = `the daemon has not responded for ${Math.round((nowMs() - this.lastReceivedAt) / 1000)} seconds`;
    this.isSilent = true;
    this.end();
  }

  private lost(): Outcome {
    return { kind: 'lost', detail: this.detail, isSilent: this.isSilent };
  }

  /** The daemon's answer to a frame about itself. */
  async ask(type: 'ask' | 'stop' | 'retire'): Promise<Outcome> {
    if (this.socket.destroyed) return this.lost();
    const outcome = new Promise<Outcome>((resolve) => this.questions.push(resolve));
    this.send({ type });
    return outcome;
  }

  /** Serves MCP on this connection or over HTTP while it lasts, or attaches a terminal. Call it at most once, before any calls. */
  async serve(frame: McpFrame | McpHttpFrame | AttachFrame): Promise<Outcome> {
    // A ping would be read as the first attach record.
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
    // In one write: one system call, one round trip.
    this.socket.write(hello === undefined ? bytes : Buffer.concat([encodeClientFrame(hello), bytes]));
    if (this.pings !== undefined) return;
    this.lastReceivedAt = nowMs();
    this.pings = setInterval(() => this.checkAlive(), PING_AFTER_MS);
  }

  private checkAlive(): void {
    if (this.calls.size === 0 && this.questions.length === 0 && this.settleServer === undefined) return;
    const silence = nowMs() - this.lastReceivedAt;
    if (silence < SILENCE_LIMIT_MS) {
      if (!this.isAttaching) this.send({ type: 'ask' });
    } else {
      this.giveUp();
    }
  }

  private readonly receive = (piece: Buffer): void => {
    this.lastReceivedAt = nowMs();
    try {
      for (const frame of this.reader.push(piece)) {
        this.hasReceivedFrame = true;
        this.handle(frame);
      }
    } catch (error) {
      this.detail = error instanceof Error ? error.message : String(error);
      if (!this.hasReceivedFrame) this.settleAll({ kind: 'foreign', detail: this.detail });
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
        this.calls.get(frame.id)?.listeners.onLog?.(frame.line);
        return;
      case 'progress':
        this.calls.get(frame.id)?.listeners.onProgress?.(frame.message);
        return;
      case 'question':
        void this.reply(frame.id, frame.text);
        return;
      case 'late':
        this.settle(frame.id, { kind: 'leaving' });
        return;
      case 'refused':
        if (frame.id === undefined) this.settleAll({ kind: 'refused', refusal: frame });
        else this.settle(frame.id, { kind: 'refused', refusal: frame });
        return;
      case 'piped':
        this.settleServing({ kind: 'piped', socket: this.releaseSocket() });
        return;
      case 'attached':
        this.settleServing({ ...frame, kind: 'attached', socket: this.releaseSocket() });
        return;
      case 'serving':
        this.settleServing({ kind: 'serving', url: frame.url });
        return;
      case 'echo':
        this.onEcho?.(frame.text);
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
        // Calls that have started may still be answered.
        this.isOpen = false;
        this.settleServing({ kind: 'leaving' });
        this.settleQuestions({ kind: 'leaving' });
        return;
    }
  }

  private async reply(id: number, text: string): Promise<void> {
    const ask = this.calls.get(id)?.listeners.onQuestion;
    const answer = ask === undefined ? 'absent' : await ask(text).catch(() => 'absent' as const);
    if (this.calls.has(id)) this.send({ type: 'reply', id, answer });
  }

  private releaseSocket(): Socket {
    this.isOpen = false;
    clearInterval(this.pings);
    // The server sends nothing before the client does.
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
    clearInterval(this.pings);
    this.settleCalls(outcome);
    this.settleServing(outcome);
    this.settleQuestions(outcome);
  }
}

/** Monotonic time. Not `performance`, whose first use loads ten modules. */
function nowMs(): number {
  return process.uptime() * 1000;
}

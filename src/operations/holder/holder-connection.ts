import { connect, type Socket } from 'node:net';
import { FrameReader } from '../../wire/frames.ts';
import { encodeToHolder, fromHolder, HOLDER_PROTOCOL } from '../../wire/holder-protocol.ts';
import type { FromHolder, ToHolder } from '../../wire/holder-protocol.ts';
import { WireError } from '../../wire/schema.ts';
import { holderSilent, lineOf, lost, toError } from './holder-failures.ts';
import { LifeSigns } from './life-signs.ts';
import { changesNothing, parseTerminalAnswer } from '../../wire/terminal-protocol.ts';
import type {
  TerminalAnswers,
  TerminalHolderRequest,
  TerminalHolderEvent,
} from '../../wire/terminal-protocol.ts';

/** For a running holder to answer the hello. */
const WELCOME_LIMIT_MS = 4000;
/** The id of questions whether the holder runs; no call has it. */
const PING_ID = 0;

export type Change = Extract<FromHolder, { readonly type: 'changed' }>;
type WithoutId<Type extends ToHolder['type']> = Type extends unknown
  ? Omit<Extract<ToHolder, { readonly type: Type }>, 'id'>
  : never;
type Call = WithoutId<'prepare' | 'start' | 'cancel' | 'end'>;
type Answer = Extract<FromHolder, { readonly type: 'started' | 'done' | 'answer' }>;
type Question = WithoutId<'ask'>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
  /** It only asks, so that nothing happens if it is carried out later. */
  readonly isQuestion?: boolean;
}

/** An authenticated connection to a holder. */
export class HolderConnection {
  /** Resolves when the connection closes, for any reason. */
  readonly closed: Promise<void>;
  private readonly socket: Socket;
  private readonly reader = new FrameReader(fromHolder);
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Set<(change: Change) => void>();
  private readonly closeListeners = new Set<() => void>();
  private readonly terminalListeners = new Set<(event: TerminalHolderEvent) => void>();
  private hear: ((change: Change) => void) | undefined;
  private welcome: Waiting | undefined;
  private nextId = 1;
  private pid: number | undefined;
  private readonly lifeSigns = new LifeSigns({
    ask: () => this.ping(),
    onSilence: () => this.giveUp(),
  });

  private constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.fail();
        resolve();
        for (const listener of this.closeListeners) listener();
        this.closeListeners.clear();
      });
    });
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece) => {
      this.lifeSigns.heard();
      try {
        for (const frame of this.reader.push(piece)) this.take(frame);
      } catch {
        socket.destroy();
      }
    });
  }

  /**
   * @returns `undefined` if no holder with this token listens there
   * @throws DeskterityError TIMEOUT if one listens, but does not answer
   */
  static async open(path: string, token: string): Promise<HolderConnection | undefined> {
    const socket = await dial(path);
    if (socket === undefined) return undefined;
    const connection = new HolderConnection(socket);
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      socket.destroy();
    }, WELCOME_LIMIT_MS);
    try {
      await new Promise<Answer>((resolve, reject) => {
        connection.welcome = { resolve, reject };
        socket.write(encodeToHolder({ type: 'hello', protocol: HOLDER_PROTOCOL, token }));
      });
      return connection;
    } catch {
      socket.destroy();
      if (isSilent) throw holderSilent(undefined, false);
      return undefined;
    } finally {
      clearTimeout(timer);
      connection.welcome = undefined;
      connection.updateRef();
    }
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** Whether there are pending calls or listeners, which {@link end} would drop. */
  get isUsed(): boolean {
    return this.waiting.size + this.listeners.size + this.terminalListeners.size > 0;
  }

  /**
   * Sends a call.
   * @throws DeskterityError as the holder answers; DAEMON_UNAVAILABLE if it exits before it answers; TIMEOUT if it shows no sign of life;
   * INVALID_ARGUMENT if the call is too large
   */
  call(call: Call): Promise<Answer> {
    return this.post(call).answer;
  }

  /**
   * Sends a request about terminals.
   * @param signal ends the wait; the request may still be carried out
   * @throws DeskterityError as {@link call}; the signal's reason
   */
  async request<Ask extends TerminalHolderRequest>(
    ask: Ask,
    signal?: AbortSignal,
  ): Promise<TerminalAnswers[Ask['do']]> {
    signal?.throwIfAborted();
    const { id, answer } = this.post({ type: 'ask', ask });
    const leave = () => {
      if (this.isOpen) this.socket.write(encodeToHolder({ type: 'leave', id }));
      const reason: unknown = signal?.reason;
      this.settle(id, ({ reject }) => reject(reason instanceof Error ? reason : new Error(String(reason))));
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      const given = await answer;
      if (given.type !== 'answer') throw new WireError('an answer is of another type');
      return parseTerminalAnswer(ask, given.answer);
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  private post(call: Call | Question): { readonly id: number; readonly answer: Promise<Answer> } {
    const id = this.nextId;
    this.nextId += 1;
    const answer = new Promise<Answer>((resolve, reject) => {
      if (!this.isOpen) return reject(lost(false));
      const line = lineOf({ ...call, id });
      const isQuestion = call.type === 'ask' && changesNothing(call.ask);
      this.waiting.set(id, { resolve, reject, isQuestion });
      this.updateRef();
      this.socket.write(line);
    });
    return { id, answer };
  }

  /** Receives the holder's events about terminals. @returns stops listening */
  onTerminalEvent(listener: (event: TerminalHolderEvent) => void): () => void {
    return this.subscribe(this.terminalListeners, listener);
  }

  /** Stops reading until {@link resume}; the holder notices through backpressure. */
  pause(): void {
    this.socket.pause();
    this.updateRef();
  }

  resume(): void {
    this.socket.resume();
    this.updateRef();
  }

  /**
   * Calls `listener` once when the connection closes, at once if it has. Does not keep the connection open.
   * A connection lasts for many calls, and what a call adds to {@link closed} stays until the end, so calls use this.
   * @returns stops listening
   */
  onClose(listener: () => void): () => void {
    if (this.socket.closed) listener();
    else this.closeListeners.add(listener);
    return () => void this.closeListeners.delete(listener);
  }

  /** Like {@link onChange}, but does not keep the connection open. */
  listen(listener: (change: Change) => void): void {
    this.hear = listener;
  }

  /** @returns stops listening */
  onChange(listener: (change: Change) => void): () => void {
    return this.subscribe(this.listeners, listener);
  }

  end(): void {
    this.socket.destroy();
  }

  private subscribe<T>(listeners: Set<T>, listener: T): () => void {
    listeners.add(listener);
    this.updateRef();
    return () => {
      listeners.delete(listener);
      this.updateRef();
    };
  }

  private take(frame: FromHolder): void {
    switch (frame.type) {
      case 'welcome':
        this.pid = frame.pid;
        return this.welcome?.resolve({ type: 'done', id: 0 });
      case 'changed':
        this.hear?.(frame);
        for (const listener of this.listeners) listener(frame);
        return;
      case 'news':
        for (const listener of this.terminalListeners) listener(frame.news);
        return;
      case 'refused':
        return this.settle(frame.id, (waiting) => waiting.reject(toError(frame)));
      default:
        return this.settle(frame.id, (waiting) => waiting.resolve(frame));
    }
  }

  private settle(id: number | undefined, step: (waiting: Waiting) => void): void {
    const waiting = id === undefined ? this.welcome : this.waiting.get(id);
    if (id !== undefined) this.waiting.delete(id);
    this.updateRef();
    if (waiting !== undefined) step(waiting);
  }

  private ping(): void {
    if (this.isOpen) this.socket.write(encodeToHolder({ type: 'ping', id: PING_ID }));
  }

  /** Ends all waits, and keeps the connection: a holder that goes on can be asked again. */
  private giveUp(): void {
    for (const [id, { reject, isQuestion }] of this.waiting) {
      if (this.isOpen) this.socket.write(encodeToHolder({ type: 'leave', id }));
      reject(holderSilent(this.pid, isQuestion !== true));
    }
    this.waiting.clear();
    this.updateRef();
  }

  private fail(): void {
    this.lifeSigns.expect(false);
    this.welcome?.reject(lost(false));
    for (const { reject } of this.waiting.values()) reject(lost(true));
    this.waiting.clear();
  }

  /** An unused connection does not keep the process running. */
  private updateRef(): void {
    // While we do not read, nothing can be heard.
    this.lifeSigns.expect(this.isOpen && !this.socket.isPaused() && this.waiting.size > 0);
    if (this.isUsed) this.socket.ref();
    else this.socket.unref();
  }
}

function dial(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.setTimeout(WELCOME_LIMIT_MS, () => socket.destroy());
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
    socket.once('error', () => resolve(undefined));
    socket.once('close', () => resolve(undefined));
  });
}

import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ClientLine, HolderApp, ServedTerminals } from '../../app/holder/holder-app.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { LogPort } from '../../ports/log.ts';
import { FrameReader, LARGEST_FRAME_BYTES } from '../../wire/frames.ts';
import { encodeFromHolder, HOLDER_PROTOCOL, toHolder } from '../../wire/holder-protocol.ts';
import type { FromHolder, Refused, ToHolder } from '../../wire/holder-protocol.ts';
import { WireError } from '../../wire/schema.ts';
import type { TerminalNews } from '../../wire/terminal-protocol.ts';

/** For the first frame. */
const HELLO_LIMIT_MS = 5000;
/** A client that has not read so much is not going to; of what it has asked for it may be more. */
const MOST_UNREAD_BYTES = { unasked: 1024 * 1024, asked: 64 * 1024 * 1024 };
/** From then on it is told nothing that can be told later. */
const BEHIND_BYTES = 256 * 1024;
/** Until it is known who it is, a client is not worth more memory. */
const LARGEST_HELLO_BYTES = 4096;

export interface ClientParts {
  readonly token: string;
  readonly app: HolderApp;
  readonly log: Pick<LogPort, 'write'>;
  readonly isLeaving: () => boolean;
  /** @returns whether the holder leaves */
  readonly leaveIfForgotten: () => Promise<boolean>;
}

/** One connection. Whatever it sends, or if it just goes: operations go on. */
export class ServedClient {
  private readonly socket: Socket;
  private readonly parts: ClientParts;
  private readonly reader = new FrameReader(toHolder, LARGEST_HELLO_BYTES);
  private isKnown = false;
  /** It is there for one terminal and may be slow: nothing else is to pile up for it. */
  private isOnlooker = false;
  private terminals: Promise<ServedTerminals> | undefined;
  /** Questions that wait for their answer. */
  private readonly asked = new Map<number, AbortController>();

  constructor(socket: Socket, parts: ClientParts) {
    this.socket = socket;
    this.parts = parts;
    const timer = setTimeout(() => socket.destroy(), HELLO_LIMIT_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.leave();
    });
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece) => {
      // What comes after a refusal is of no interest.
      if (socket.writableEnded) return;
      try {
        for (const frame of this.reader.push(piece)) this.take(frame, timer);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        this.refuse(undefined, 'INVALID_ARGUMENT', error.message);
      }
    });
  }

  /** Tells of a change, if it is known who this is. */
  tell(frame: FromHolder): void {
    if (this.isKnown && !this.isOnlooker) this.send(frame);
  }

  /** Tells something of terminals, if it has asked for any. */
  async tellOfTerminals(news: TerminalNews): Promise<void> {
    if (!this.isOnlooker) (await this.terminals)?.tell(news);
  }

  private take(frame: ToHolder, timer: NodeJS.Timeout): void {
    if (this.socket.destroyed || this.socket.writableEnded) return;
    if (!this.isKnown) {
      if (this.parts.isLeaving()) return void this.socket.destroy();
      if (frame.type !== 'hello' || !isSame(frame.token, this.parts.token))
        return this.refuse(undefined, 'UNAUTHORIZED', 'This is not a client of the holder.');
      if (frame.protocol !== HOLDER_PROTOCOL)
        return this.refuse(undefined, 'CONFLICT', `The holder speaks protocol ${HOLDER_PROTOCOL}.`);
      clearTimeout(timer);
      this.isKnown = true;
      this.reader.mostBytes = LARGEST_FRAME_BYTES;
      return this.send({ type: 'welcome', pid: process.pid });
    }
    switch (frame.type) {
      case 'hello':
        return this.refuse(undefined, 'INVALID_ARGUMENT', 'There was a hello already.');
      case 'prepare':
        return this.answer(frame.id, this.prepare(frame.id, frame.confinement));
      case 'start':
        return this.answer(frame.id, this.start(frame.id, frame.request));
      case 'cancel':
        return this.answer(frame.id, this.cancel(frame.id, frame.operation));
      case 'end':
        return this.answer(frame.id, this.end(frame));
      case 'ask':
        return this.answer(frame.id, this.ask(frame));
      case 'leave':
        return this.asked.get(frame.id)?.abort();
    }
  }

  private async prepare(id: number, confinement: Parameters<HolderApp['prepare']>[0]): Promise<FromHolder> {
    await this.parts.app.prepare(confinement);
    return { type: 'done', id };
  }

  private async start(id: number, request: Parameters<HolderApp['start']>[0]): Promise<FromHolder> {
    if (this.parts.isLeaving()) throw leaving();
    try {
      return { type: 'started', id, record: await this.parts.app.start(request) };
    } catch (error) {
      // Where the folder for records was removed, the next holder makes it anew.
      if (await this.parts.leaveIfForgotten()) throw leaving();
      throw error;
    }
  }

  private async cancel(id: number, operation: string): Promise<FromHolder> {
    await this.parts.app.cancel(operation);
    return { type: 'done', id };
  }

  private async end({
    id,
    operation,
    leader,
  }: Extract<ToHolder, { readonly type: 'end' }>): Promise<FromHolder> {
    await this.parts.app.end(operation, leader);
    return { type: 'done', id };
  }

  private async ask({ id, ask }: Extract<ToHolder, { readonly type: 'ask' }>): Promise<FromHolder> {
    if (this.parts.isLeaving()) throw leaving();
    if (ask.do === 'attach') this.isOnlooker = true;
    const controller = new AbortController();
    this.asked.set(id, controller);
    try {
      const terminals = await this.openTerminals();
      return { type: 'answer', id, answer: await terminals.answer(ask, controller.signal) };
    } catch (error) {
      if (await this.parts.leaveIfForgotten()) throw leaving();
      throw error;
    } finally {
      this.asked.delete(id);
    }
  }

  private async openTerminals(): Promise<ServedTerminals> {
    this.terminals ??= this.parts.app.terminalsFor(this.line());
    // Tried again with the next question.
    this.terminals.catch(() => (this.terminals = undefined));
    return this.terminals;
  }

  private line(): ClientLine {
    const { socket } = this;
    return {
      get isBehind() {
        return socket.writableLength > BEHIND_BYTES;
      },
      send: (news) => this.send({ type: 'news', news }),
      drained: (then) => void socket.once('drain', then),
    };
  }

  private leave(): void {
    for (const controller of this.asked.values()) controller.abort();
    void this.terminals?.then((terminals) => terminals.close()).catch(() => undefined);
  }

  private answer(id: number, step: Promise<FromHolder>): void {
    step
      .then((frame) => this.send(frame, MOST_UNREAD_BYTES.asked))
      .catch((error: unknown) => this.send(this.refusal(id, error), MOST_UNREAD_BYTES.asked));
  }

  private refusal(id: number, error: unknown): Refused {
    if (error instanceof DeskterityError) {
      const { code, message, suggestion, platformDetail: detail, retryable: isRetryable } = error;
      const isDelivered = error.delivered === true;
      return { type: 'refused', id, code, message, suggestion, detail, isRetryable, isDelivered };
    }
    if (error instanceof WireError) {
      const message = 'The answer is too large to be sent.';
      const suggestion = 'Ask for fewer lines.';
      return { type: 'refused', id, code: 'INVALID_ARGUMENT', message, suggestion, isRetryable: false };
    }
    const name = error instanceof Error ? error.name : typeof error;
    this.parts.log.write({ level: 'error', message: 'a call failed', fields: { name } });
    return {
      type: 'refused',
      id,
      code: 'INTERNAL',
      message: 'The holder has met a fault of its own.',
      suggestion: 'Try again; the log says what it was.',
      isRetryable: false,
    };
  }

  /** Says why, and ends the connection. */
  private refuse(id: number | undefined, code: string, message: string): void {
    this.send({
      type: 'refused',
      id,
      code,
      message,
      suggestion: 'Only Deskterity itself speaks to a holder.',
      isRetryable: false,
    });
    this.socket.destroySoon();
  }

  private send(frame: FromHolder, mostUnread = MOST_UNREAD_BYTES.unasked): void {
    if (this.socket.destroyed || this.socket.writableEnded) return;
    if (this.socket.writableLength > mostUnread) return void this.socket.destroy();
    this.socket.write(encodeFromHolder(frame));
  }
}

function isSame(token: string, expected: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(token)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

function leaving(): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder is just leaving.', {
    suggestion: 'Try again; another one will be started.',
    retryable: true,
    delivered: false,
  });
}

import { timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ClientChannel, HolderApp, ServedTerminals } from '../../app/holder/holder-app.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { LogPort } from '../../ports/log.ts';
import { FrameReader, LARGEST_FRAME_BYTES } from '../../wire/frames.ts';
import { encodeFromHolder, HOLDER_PROTOCOL, toHolder } from '../../wire/holder-protocol.ts';
import type { FromHolder, Refused, ToHolder } from '../../wire/holder-protocol.ts';
import { WireError } from '../../wire/schema.ts';
import type { TerminalHolderEvent } from '../../wire/terminal-protocol.ts';

/** For the first frame. */
const HELLO_LIMIT_MS = 5000;
/** A client with more unread bytes is disconnected; answers to its requests may be larger. */
const MAX_UNREAD_BYTES = { unasked: 1024 * 1024, asked: 64 * 1024 * 1024 };
/** Beyond this, events that can wait are not sent. */
const BEHIND_BYTES = 256 * 1024;
/** Bounds the memory for unauthenticated clients. */
const LARGEST_HELLO_BYTES = 4096;

export interface ClientParts {
  readonly token: string;
  readonly app: HolderApp;
  readonly log: Pick<LogPort, 'write'>;
  readonly isLeaving: () => boolean;
  /** @returns whether the holder leaves */
  readonly leaveIfUnreachable: () => Promise<boolean>;
}

/** One connection. Operations continue whatever it sends and when it closes. */
export class ServedClient {
  private readonly socket: Socket;
  private readonly parts: ClientParts;
  private readonly reader = new FrameReader(toHolder, LARGEST_HELLO_BYTES);
  private isKnown = false;
  /** The connection is for one attachment and may be slow, so it gets no other events. */
  private isForAttachment = false;
  private terminals: Promise<ServedTerminals> | undefined;
  /** Requests in progress. */
  private readonly requests = new Map<number, AbortController>();

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
      // Input after a refusal is ignored.
      if (socket.writableEnded) return;
      try {
        for (const frame of this.reader.push(piece)) this.take(frame, timer);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        this.refuse(undefined, 'INVALID_ARGUMENT', error.message);
      }
    });
  }

  /** Sends an event if the client is authenticated. */
  sendEvent(frame: FromHolder): void {
    if (this.isKnown && !this.isForAttachment) this.send(frame);
  }

  /** Sends a terminal event if the client has used terminals. */
  async sendTerminalEvent(event: TerminalHolderEvent): Promise<void> {
    if (!this.isForAttachment) (await this.terminals)?.send(event);
  }

  private take(frame: ToHolder, timer: NodeJS.Timeout): void {
    if (this.socket.destroyed || this.socket.writableEnded) return;
    if (!this.isKnown) {
      if (this.parts.isLeaving()) return void this.socket.destroy();
      if (frame.type !== 'hello' || !isSame(frame.token, this.parts.token))
        return this.refuse(undefined, 'UNAUTHORIZED', 'The client sent no valid token.');
      if (frame.protocol !== HOLDER_PROTOCOL)
        return this.refuse(undefined, 'CONFLICT', `The holder uses protocol ${HOLDER_PROTOCOL}.`);
      clearTimeout(timer);
      this.isKnown = true;
      this.reader.mostBytes = LARGEST_FRAME_BYTES;
      return this.send({ type: 'welcome', pid: process.pid });
    }
    const { app } = this.parts;
    switch (frame.type) {
      case 'hello':
        return this.refuse(undefined, 'INVALID_ARGUMENT', 'hello was sent twice.');
      case 'prepare':
        return this.answer(frame.id, done(frame.id, app.prepare(frame.confinement)));
      case 'start':
        return this.answer(frame.id, this.start(frame.id, frame.request));
      case 'cancel':
        return this.answer(frame.id, done(frame.id, app.cancel(frame.operation)));
      case 'end':
        return this.answer(frame.id, done(frame.id, app.end(frame.operation, frame.leader)));
      case 'ask':
        return this.answer(frame.id, this.answerRequest(frame));
      case 'leave':
        return this.requests.get(frame.id)?.abort();
      case 'ping':
        return this.send({ type: 'done', id: frame.id }, MAX_UNREAD_BYTES.asked);
    }
  }

  private async start(id: number, request: Parameters<HolderApp['start']>[0]): Promise<FromHolder> {
    if (this.parts.isLeaving()) throw leaving();
    try {
      return { type: 'started', id, record: await this.parts.app.start(request) };
    } catch (error) {
      // If the record folder was removed, the next holder creates it again.
      if (await this.parts.leaveIfUnreachable()) throw leaving();
      throw error;
    }
  }

  private async answerRequest({
    id,
    ask: request,
  }: Extract<ToHolder, { readonly type: 'ask' }>): Promise<FromHolder> {
    if (this.parts.isLeaving()) throw leaving();
    if (request.do === 'attach') this.isForAttachment = true;
    const controller = new AbortController();
    this.requests.set(id, controller);
    try {
      const terminals = await this.openTerminals();
      return { type: 'answer', id, answer: await terminals.answer(request, controller.signal) };
    } catch (error) {
      if (await this.parts.leaveIfUnreachable()) throw leaving();
      throw error;
    } finally {
      this.requests.delete(id);
    }
  }

  private async openTerminals(): Promise<ServedTerminals> {
    this.terminals ??= this.parts.app.terminalsFor(this.channel());
    // Retried with the next request.
    this.terminals.catch(() => (this.terminals = undefined));
    return this.terminals;
  }

  private channel(): ClientChannel {
    const { socket } = this;
    return {
      get isBehind() {
        return socket.writableLength > BEHIND_BYTES;
      },
      send: (event) => this.send({ type: 'news', news: event }),
      drained: (then) => void socket.once('drain', then),
    };
  }

  private leave(): void {
    for (const controller of this.requests.values()) controller.abort();
    void this.terminals?.then((terminals) => terminals.close()).catch(() => undefined);
  }

  private answer(id: number, step: Promise<FromHolder>): void {
    step
      .then((frame) => this.send(frame, MAX_UNREAD_BYTES.asked))
      .catch((error: unknown) => this.send(this.refusal(id, error), MAX_UNREAD_BYTES.asked));
  }

  private refusal(id: number, error: unknown): Refused {
    if (error instanceof DeskterityError) {
      const { code, message, suggestion, platformDetail: detail, retryable: isRetryable } = error;
      const isDelivered = error.delivered === true;
      return { type: 'refused', id, code, message, suggestion, detail, isRetryable, isDelivered };
    }
    const refused = { type: 'refused', id, isRetryable: false } as const;
    if (error instanceof WireError) {
      const message = 'The answer is too large to send.';
      return { ...refused, code: 'INVALID_ARGUMENT', message, suggestion: 'Request fewer lines.' };
    }
    const name = error instanceof Error ? error.name : typeof error;
    this.parts.log.write({ level: 'error', message: 'a call failed', fields: { name } });
    const message = 'The holder had an internal error.';
    return { ...refused, code: 'INTERNAL', message, suggestion: 'Try again; the log contains the error.' };
  }

  /** Sends the reason and closes the connection. */
  private refuse(id: number | undefined, code: string, message: string): void {
    this.send({
      type: 'refused',
      id,
      code,
      message,
      suggestion: 'Only Deskterity itself connects to a holder.',
      isRetryable: false,
    });
    this.socket.destroySoon();
  }

  private send(frame: FromHolder, mostUnread = MAX_UNREAD_BYTES.unasked): void {
    if (this.socket.destroyed || this.socket.writableEnded) return;
    if (this.socket.writableLength > mostUnread) return void this.socket.destroy();
    this.socket.write(encodeFromHolder(frame));
  }
}

async function done(id: number, step: Promise<void>): Promise<FromHolder> {
  await step;
  return { type: 'done', id };
}

function isSame(token: string, expected: string): boolean {
  const [ours, theirs] = [Buffer.from(expected), Buffer.from(token)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

function leaving(): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder is shutting down.', {
    suggestion: 'Try again; a new one will be started.',
    retryable: true,
    delivered: false,
  });
}

import type { Socket } from 'node:net';
import type { App } from '../../app/app.ts';
import type { LogEntry, LogPort } from '../../ports/log.ts';
import type { Lifetime } from './lifetime.ts';
import type { AttachService } from './attach-service.ts';
import type { HttpServer, McpService } from './mcp-service.ts';
import { refusalOf } from './refusal.ts';
import { progressLine, screenFor } from '../../app/page/screen-style.ts';
import { clientFrame } from '../../wire/client-frames.ts';
import { DAEMON_PROTOCOL, encodeServerFrame, type ServerFrame } from '../../wire/daemon-protocol.ts';
import type { AttachFrame, ClientFrame, ExecuteFrame, Hello, McpFrame } from '../../wire/client-frames.ts';
import type { ConsentAnswer } from '../../model/effects/consent-answer.ts';
import { FrameReader } from '../../wire/frames.ts';
import { WireError } from '../../wire/schema.ts';

/** Time for the first frame, and for each next piece of one that has begun. */
const FRAME_LIMIT_MS = 10_000;
/** Echoes that are buffered for a client. */
const ECHO_LIMIT_BYTES = 1024 * 1024;
/** Unread answers that are buffered for a client. */
const UNREAD_LIMIT_BYTES = 64 * 1024 * 1024;
/** Time for a client to read what is buffered. */
const DRAIN_LIMIT_MS = 30_000;
const MAX_CALLS = 256;

export interface ConnectionParts {
  readonly app: Pick<App, 'execute'>;
  readonly version: string;
  readonly lifetime: Lifetime;
  readonly mcp: Pick<McpService, 'serve' | 'serveHttp'>;
  readonly attachments: Pick<AttachService, 'open'>;
  readonly log: LogPort;
  /** A log entry as a line for standard error; `undefined` if it is less severe than `least`. */
  readonly toLine: (entry: LogEntry, least: 'debug' | 'info', colour: boolean) => string | undefined;
  /** Called when a call has been answered. */
  readonly onAnswered: (caller: Hello) => void;
}

/** Reads the frames of one client, runs its calls, and cancels them when it disconnects. Invalid input can only close the connection. */
export class ClientConnection {
  private readonly socket: Socket;
  private readonly parts: ConnectionParts;
  private readonly pid: number | undefined;
  private readonly reader = new FrameReader(clientFrame);
  private readonly calls = new Map<number, AbortController>();
  private readonly questions = new Map<number, (answer: ConsentAnswer) => void>();
  private hello: Hello | undefined;
  private isSkewed = false;
  private pipe: McpFrame | undefined;
  private isHandedOver = false;
  private isAttaching = false;
  private httpServer: Promise<HttpServer> | undefined;
  private frameTimer: NodeJS.Timeout | undefined;
  private drainTimer: NodeJS.Timeout | undefined;

  /** @param pid of the client, as the kernel tells */
  constructor(socket: Socket, parts: ConnectionParts, pid?: number) {
    this.socket = socket;
    this.pid = pid;
    this.parts = parts;
    this.expectFrame();
    socket.on('data', this.receive).on('drain', this.onDrain).on('end', this.onEnd);
    // The reason does not matter; 'close' follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(this.frameTimer);
      clearTimeout(this.drainTimer);
      this.cancelAll();
      this.httpServer?.then(
        (server) => void server.close(),
        () => undefined,
      );
    });
  }

  /** Ends every active call with CANCELLED. */
  cancelAll(): void {
    for (const call of this.calls.values()) call.abort();
  }

  /** Announces that no more calls are accepted. */
  announceLeaving(): void {
    if (this.hello !== undefined) this.send({ type: 'leaving', pid: process.pid });
  }

  /** Sends what is buffered, then closes. */
  end(): void {
    if (!this.isHandedOver) this.socket.end();
  }

  private readonly onDrain = (): void => {
    clearTimeout(this.drainTimer);
    this.drainTimer = undefined;
  };

  private readonly onEnd = (): void => {
    this.socket.end();
  };

  private readonly receive = (piece: Buffer): void => {
    let frames: readonly ClientFrame[];
    try {
      frames = this.reader.push(piece);
      for (const frame of frames) this.handle(frame);
      if (this.pipe !== undefined && this.hello !== undefined) {
        this.handOver(this.pipe, this.hello);
        return;
      }
    } catch (error) {
      const why = error instanceof WireError ? error.message : 'the daemon could not process a frame';
      this.refuse(`The client violated the protocol of the daemon: ${why}.`);
      return;
    }
    const isExpected = this.hello === undefined || this.reader.isPartial;
    // Bytes that complete no frame win no time: a client could send one every few seconds for ever.
    if (isExpected && frames.length === 0 && this.frameTimer !== undefined) return;
    clearTimeout(this.frameTimer);
    this.frameTimer = undefined;
    if (isExpected) this.expectFrame();
  };

  private expectFrame(): void {
    this.frameTimer = setTimeout(
      () => this.refuse('The client did not complete a frame within 10 seconds.'),
      FRAME_LIMIT_MS,
    );
  }

  private handle(frame: ClientFrame): void {
    if (this.socket.writableEnded) return;
    if (frame.type === 'hello') {
      if (this.hello !== undefined) throw new WireError('hello was sent twice');
      // What the client says of itself counts only where the kernel tells nothing.
      this.hello = { ...frame, pid: this.pid ?? frame.pid };
      this.isSkewed = frame.version !== this.parts.version || frame.protocol !== DAEMON_PROTOCOL;
      if (this.isSkewed) this.sendIdentity('skew');
      return;
    }
    if (this.hello === undefined) throw new WireError('the first frame must be hello');
    if (this.pipe !== undefined) throw new WireError('a frame followed the final frame');
    const isService = frame.type === 'mcp' || frame.type === 'attach' || frame.type === 'mcp-http';
    // The skew frame was the answer.
    if (this.isSkewed && (isService || frame.type === 'execute')) return;
    if (isService && this.parts.lifetime.isLeaving) {
      this.announceLeaving();
      return;
    }
    switch (frame.type) {
      case 'execute':
        this.execute(frame, this.hello);
        return;
      case 'mcp':
        this.pipe = frame;
        return;
      case 'attach':
        this.requireNothingElse();
        this.isAttaching = true;
        void this.attach(frame, this.hello);
        return;
      case 'mcp-http':
        if (this.httpServer !== undefined) throw new WireError('an HTTP server is already running');
        this.httpServer = this.parts.mcp.serveHttp(frame, this.hello, (text) => this.echo(text));
        void this.announceServer(this.httpServer, this.hello);
        return;
      case 'cancel':
        this.calls.get(frame.id)?.abort();
        return;
      case 'reply':
        this.questions.get(frame.id)?.(frame.answer);
        return;
      case 'ask':
        this.sendIdentity('self');
        return;
      case 'stop':
        this.parts.lifetime.leave('asked to stop');
        return;
      case 'retire':
        if (!this.parts.lifetime.retire()) this.sendIdentity('skew');
        return;
    }
  }

  private execute(frame: ExecuteFrame, caller: Hello): void {
    const { id, session, command, input, format, pretty, secrets, log, progress, asks } = frame;
    if (this.parts.lifetime.isLeaving) {
      this.send({ type: 'late', id });
      return;
    }
    if (this.calls.has(id)) throw new WireError('the id belongs to an active call');
    if (this.calls.size >= MAX_CALLS) {
      this.send({
        type: 'refused',
        id,
        code: 'DAEMON_UNAVAILABLE',
        message: `One connection cannot have more than ${MAX_CALLS} active calls.`,
        suggestion: 'Wait for answers before sending more calls.',
      });
      return;
    }
    const controller = new AbortController();
    this.calls.set(id, controller);
    const finish = this.parts.lifetime.begin();
    const onLog = (entry: LogEntry) => {
      const line = log && this.parts.toLine(entry, log, caller.colour === true);
      if (line !== undefined) this.send({ type: 'log', id, line });
    };
    this.parts.app
      .execute(session, command, input, {
        format,
        pretty,
        secrets,
        signal: controller.signal,
        caller: {
          environment: caller.environment,
          cwd: caller.cwd,
          program: caller.program,
          pid: caller.pid,
        },
        screen: screenFor(caller),
        onLog,
        onProgress: ({ message }) => {
          if (progress === true) this.send({ type: 'progress', id, message: progressLine(message) });
        },
        askPerson: asks === true ? async (text) => this.ask(id, text) : undefined,
      })
      .then((answer) => this.send({ type: 'answer', id, ...answer }))
      .catch((error: unknown) => this.send(refusalOf(id, error)))
      .finally(() => {
        this.calls.delete(id);
        this.questions.delete(id);
        finish();
        this.parts.onAnswered(caller);
      });
  }

  private async ask(id: number, text: string): Promise<ConsentAnswer> {
    return new Promise((resolve) => {
      this.questions.set(id, resolve);
      this.send({ type: 'question', id, text });
    });
  }

  /** Hands the socket over to MCP; this class no longer reads or writes it. */
  private handOver(frame: McpFrame, hello: Hello): void {
    this.requireNothingElse();
    this.send({ type: 'piped' });
    this.parts.mcp.serve(this.letGo(), frame, hello);
    this.parts.onAnswered(hello);
  }

  /** Hands the socket over to a terminal once that has been found. */
  private async attach({ terminal }: AttachFrame, hello: Hello): Promise<void> {
    try {
      const { name, command, serve } = await this.parts.attachments.open(terminal, hello);
      if (this.socket.destroyed) return;
      this.send({ type: 'attached', name, command });
      serve(this.letGo());
    } catch (error) {
      this.send(refusalOf(undefined, error));
    }
    this.parts.onAnswered(hello);
  }

  private requireNothingElse(): void {
    if (this.calls.size > 0 || this.httpServer !== undefined || this.reader.isPartial || this.isAttaching)
      throw new WireError('this connection is already in use');
  }

  private letGo(): Socket {
    const { socket } = this;
    this.isHandedOver = true;
    clearTimeout(this.frameTimer);
    this.onDrain();
    socket.off('data', this.receive).off('drain', this.onDrain).off('end', this.onEnd);
    // Paused until the new owner listens, so that nothing is lost.
    return socket.pause();
  }

  private async announceServer(server: Promise<HttpServer>, hello: Hello): Promise<void> {
    try {
      const { url } = await server;
      this.send({ type: 'serving', url });
    } catch (error) {
      this.send(refusalOf(undefined, error));
    }
    this.parts.onAnswered(hello);
  }

  /** Only for people who look: what they do not read in time is left out. */
  private echo(text: string): void {
    if (this.socket.writableLength < ECHO_LIMIT_BYTES) this.send({ type: 'echo', text });
  }

  private sendIdentity(type: 'self' | 'skew'): void {
    this.send({ type, ...this.parts.lifetime.identity() });
  }

  private send(frame: ServerFrame): void {
    if (this.socket.destroyed || this.socket.writableEnded || this.isHandedOver) return;
    const isTaken = this.socket.write(encodeServerFrame(frame));
    if (this.socket.writableLength > UNREAD_LIMIT_BYTES) this.drop('it does not read its answers');
    else if (!isTaken)
      this.drainTimer ??= setTimeout(() => this.drop('it does not read its answers'), DRAIN_LIMIT_MS);
  }

  private refuse(message: string): void {
    this.parts.log.write({ level: 'warn', message: 'client refused' });
    this.send({
      type: 'refused',
      code: 'INVALID_ARGUMENT',
      message,
      suggestion: 'Use the command line or the library of the same version.',
    });
    this.cancelAll();
    // Further input is discarded; an unread end does not keep the socket open.
    this.socket.end(() => this.socket.destroy());
    setTimeout(() => this.socket.destroy(), 1000).unref();
  }

  private drop(why: string): void {
    this.parts.log.write({ level: 'warn', message: 'client dropped', fields: { why } });
    this.socket.destroy();
  }
}

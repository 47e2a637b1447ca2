import buffer from 'node:buffer';
import type { Duplex } from 'node:stream';
import { endStream } from './end-stream.ts';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
} from '../sdk.ts';
import type { JSONRPCMessage, Transport } from '../sdk.ts';

/** Longest message a client may send; a longer one is thrown away and answered with an error. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
/** Messages that may wait for a client to read them. */
const UNREAD_LIMIT_BYTES = 64 * 1024 * 1024;
/** Requests of one client that may be under way at once. */
const MOST_REQUESTS = 256;
/** For answers that are under way when the client has said all it will say. */
const LAST_ANSWERS_MS = 2000;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const NEWLINE = 10;

type RequestId = string | number;

/** An error of JSON-RPC. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Who wants to see what goes through. */
export interface Taps {
  /** Gives the error a request is answered with instead of being delivered. */
  readonly received: (message: JSONRPCMessage) => Refusal | undefined;
  /** Gives what is to be written instead, perhaps later; nothing where `undefined`. */
  readonly sent: (
    message: JSONRPCMessage,
  ) => JSONRPCMessage | undefined | Promise<JSONRPCMessage | undefined>;
  /** Called once, when nothing more can come or go. */
  readonly gone: () => void;
}

/**
 * JSON-RPC messages as lines over a stream of bytes (MCP's stdio transport). Nothing a client sends ends it but the end of the stream: what is no
 * message, too long, or has the number of a request under way is answered with an error.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private readonly stream: Duplex;
  private readonly taps: Taps;
  private pieces: Buffer[] = [];
  private heldBytes = 0;
  private isSkipping = false;
  private isClosed = false;
  private lastAnswers: NodeJS.Timeout | undefined;
  /** By number, with the method. */
  private readonly underWay = new Map<RequestId, string>();

  constructor(stream: Duplex, taps: Taps) {
    this.stream = stream;
    this.taps = taps;
  }

  async start(): Promise<void> {
    this.stream
      .on('data', (piece: Buffer) => this.receive(piece))
      .on('end', () => this.finish())
      .on('error', (error: Error) => this.onerror?.(error))
      .on('close', () => void this.close())
      // It may have been held until somebody listens.
      .resume();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const written = this.taps.sent(message);
    // Whoever sends it does not wait: it would keep the client's other messages waiting.
    if (written instanceof Promise) void written.then((later) => this.settle(later));
    else this.settle(written);
    if (this.lastAnswers !== undefined && !this.owesAnswers()) await this.close();
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.lastAnswers);
    this.pieces = [];
    this.onclose?.();
    this.taps.gone();
    endStream(this.stream);
  }

  private receive(piece: Buffer): void {
    let rest = piece;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      this.hold(rest.subarray(0, end));
      this.takeLine();
      rest = rest.subarray(end + 1);
    }
    this.hold(rest);
  }

  private hold(piece: Buffer): void {
    if (this.isSkipping || piece.length === 0) return;
    this.pieces.push(piece);
    this.heldBytes += piece.length;
    if (this.heldBytes <= LONGEST_LINE_BYTES) return;
    this.isSkipping = true;
    this.pieces = [];
  }

  private takeLine(): void {
    const line = Buffer.concat(this.pieces);
    const isTooLong = this.isSkipping;
    this.pieces = [];
    this.heldBytes = 0;
    this.isSkipping = false;
    if (this.isClosed) return;
    if (isTooLong) {
      this.refuse(INVALID_REQUEST, `A message is longer than ${LONGEST_LINE_BYTES} bytes.`);
      return;
    }
    if (!buffer.isUtf8(line)) {
      this.refuse(PARSE_ERROR, 'A line is not UTF-8.');
      return;
    }
    const text = line.toString('utf8').trim();
    if (text !== '') this.takeText(text);
  }

  private takeText(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.refuse(PARSE_ERROR, 'A line is not JSON.');
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.refuse(INVALID_REQUEST, 'A line is not a JSON-RPC 2.0 message.', idOf(value));
      return;
    }
    this.deliver(message);
  }

  private deliver(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) {
      const { id, method } = message;
      // Refused without the number: an answer that carried it would end the first request of that number.
      if (this.underWay.has(id)) {
        this.refuse(INVALID_REQUEST, `A request with the id ${JSON.stringify(id)} is under way.`);
        return;
      }
      if (this.underWay.size >= MOST_REQUESTS) {
        this.refuse(INVALID_REQUEST, `More than ${MOST_REQUESTS} requests are under way.`, id);
        return;
      }
      this.underWay.set(id, method);
    } else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      // What is cancelled is not answered.
      if (typeof id === 'string' || typeof id === 'number') this.underWay.delete(id);
    }
    const refusal = this.taps.received(message);
    if (refusal === undefined || !isJSONRPCRequest(message)) this.onmessage?.(message);
    else this.settle({ jsonrpc: '2.0', id: message.id, error: { ...refusal } });
  }

  /** The client has said all it will; what it asked for is answered if that does not take long. */
  private finish(): void {
    if (!this.owesAnswers()) void this.close();
    else this.lastAnswers = setTimeout(() => void this.close(), LAST_ANSWERS_MS);
  }

  /** A stream of changes is no debt: it is answered when it ends, and it ends with the client. */
  private owesAnswers(): boolean {
    return [...this.underWay.values()].some((method) => method !== 'subscriptions/listen');
  }

  private settle(message: JSONRPCMessage | undefined): void {
    if (message === undefined) return;
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) {
      if (message.id !== undefined) this.underWay.delete(message.id);
    }
    this.write(message);
  }

  private refuse(code: number, message: string, id: RequestId | null = null): void {
    this.write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  private write(message: object): void {
    if (this.isClosed || this.stream.destroyed || this.stream.writableEnded) return;
    this.stream.write(`${JSON.stringify(message)}\n`);
    if (this.stream.writableLength <= UNREAD_LIMIT_BYTES) return;
    this.onerror?.(new Error('The client does not read its messages.'));
    void this.close();
  }
}

function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

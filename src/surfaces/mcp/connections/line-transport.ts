import buffer from 'node:buffer';
import { isTooDeep, TOO_DEEP } from '../../../model/given-json.ts';
import { isRecord } from '../../../model/is-record.ts';
import type { Duplex } from 'node:stream';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '../sdk.ts';
import type { JSONRPCMessage, Transport } from '../sdk.ts';
import { Batch, messageIn, whyNoBatch } from './batches.ts';
import { Socket } from 'node:net';

/** Longest message a client may send; longer ones are discarded and answered with an error. */
const LONGEST_LINE_BYTES = 16 * 1024 * 1024;
/** Limit of messages that the client has not read. */
const UNREAD_LIMIT_BYTES = 64 * 1024 * 1024;
/** Concurrent requests of one client. */
const MOST_REQUESTS = 256;
/** Time for pending answers after the client has ended its input. */
const LAST_ANSWERS_MS = 2000;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const NEWLINE = 10;

export type RequestId = string | number;

/** An error of JSON-RPC. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Intercepts messages. */
export interface Interceptors {
  /** Returns an error to answer a request with instead of delivering it. */
  readonly received: (message: JSONRPCMessage) => Refusal | undefined;
  /** Returns the message to write instead; nothing if `undefined`. */
  readonly sent: (
    message: JSONRPCMessage,
  ) => JSONRPCMessage | undefined | Promise<JSONRPCMessage | undefined>;
  /** Called once, when the transport has closed. */
  readonly gone: () => void;
}

/**
 * JSON-RPC messages as lines over a byte stream (MCP's stdio transport). Only the end of the stream ends it: an invalid or too long
 * message, or one with the id of a pending request, is answered with an error.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private readonly stream: Duplex;
  private readonly interceptors: Interceptors;
  private pieces: Buffer[] = [];
  private heldBytes = 0;
  private isSkipping = false;
  private isClosed = false;
  private lastAnswers: NodeJS.Timeout | undefined;
  /** By request id: the method, and the list of messages in which it came. */
  private readonly pending = new Map<
    RequestId,
    { readonly method: string; readonly batch?: Batch | undefined }
  >();
  private agreedVersion: string | undefined;

  constructor(stream: Duplex, interceptors: Interceptors) {
    this.stream = stream;
    this.interceptors = interceptors;
  }

  async start(): Promise<void> {
    this.stream
      .on('data', (piece: Buffer) => this.receive(piece))
      .on('end', () => this.finish())
      .on('error', (error: Error) => this.onerror?.(error))
      .on('close', () => void this.close())
      // It may be paused.
      .resume();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const written = this.interceptors.sent(message);
    // Not awaited: that would delay the client's other messages.
    if (written instanceof Promise) void written.then((later) => this.settle(later));
    else this.settle(written);
    if (this.lastAnswers !== undefined && !this.hasPendingAnswers()) await this.close();
  }

  /** Called by the protocol library when the version is agreed. */
  setProtocolVersion(version: string): void {
    this.agreedVersion = version;
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.lastAnswers);
    this.pieces = [];
    this.onclose?.();
    this.interceptors.gone();
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
    if (isTooDeep(value)) this.refuse(INVALID_REQUEST, `A message cannot be used: ${TOO_DEEP}.`, idOf(value));
    else if (Array.isArray(value)) this.takeBatch(value);
    else this.take(value);
  }

  private takeBatch(values: readonly unknown[]): void {
    const why = whyNoBatch(values, this.agreedVersion);
    if (why !== undefined) {
      this.refuse(INVALID_REQUEST, why);
      return;
    }
    const batch = new Batch((answers) => this.write(answers));
    for (const value of values) this.take(value, batch);
    batch.close();
  }

  private take(value: unknown, batch?: Batch): void {
    const message = messageIn(value) ?? answerIn(value);
    if (message === undefined)
      this.refuse(INVALID_REQUEST, 'This is not a JSON-RPC 2.0 message.', idOf(value), batch);
    else this.deliver(message, batch);
  }

  private deliver(message: JSONRPCMessage, batch?: Batch): void {
    if (isJSONRPCRequest(message)) {
      const { id, method } = message;
      // Refused without the id: an answer with the id would end the first request.
      if (this.pending.has(id)) {
        this.refuse(INVALID_REQUEST, `A request with the id ${JSON.stringify(id)} is pending.`, null, batch);
        return;
      }
      if (this.pending.size >= MOST_REQUESTS) {
        this.refuse(INVALID_REQUEST, `More than ${MOST_REQUESTS} requests are pending.`, id, batch);
        return;
      }
      this.pending.set(id, { method, batch });
      batch?.expect();
    } else {
      // Cancelled requests are not answered.
      const cancelled = cancelledBy(message);
      if (cancelled !== undefined) this.settled(cancelled)?.settle(undefined);
    }
    const refusal = this.interceptors.received(message);
    if (refusal === undefined || !isJSONRPCRequest(message)) this.onmessage?.(message);
    else this.settle({ jsonrpc: '2.0', id: message.id, error: { ...refusal } });
  }

  /** A request has ended. @returns the list of messages in which it came */
  private settled(id: RequestId): Batch | undefined {
    const batch = this.pending.get(id)?.batch;
    this.pending.delete(id);
    return batch;
  }

  /** The client has ended its input; pending requests are still answered, within a limit. */
  private finish(): void {
    if (!this.hasPendingAnswers()) void this.close();
    else this.lastAnswers = setTimeout(() => void this.close(), LAST_ANSWERS_MS);
  }

  /** A subscription does not count: it is answered when it ends, which is when the client ends. */
  private hasPendingAnswers(): boolean {
    return [...this.pending.values()].some(({ method }) => method !== 'subscriptions/listen');
  }

  private settle(message: JSONRPCMessage | undefined): void {
    if (message === undefined) return;
    const isAnswer = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    const batch = isAnswer && message.id !== undefined ? this.settled(message.id) : undefined;
    if (batch === undefined) this.write(message);
    else batch.settle(message);
  }

  private refuse(code: number, message: string, id: RequestId | null = null, batch?: Batch): void {
    const answer = { jsonrpc: '2.0', id, error: { code, message } };
    if (batch === undefined) this.write(answer);
    else batch.refuse(answer);
  }

  private write(message: object): void {
    if (this.isClosed || this.stream.destroyed || this.stream.writableEnded) return;
    this.stream.write(`${JSON.stringify(message)}\n`);
    if (this.stream.writableLength <= UNREAD_LIMIT_BYTES) return;
    this.onerror?.(new Error('The client does not read its messages.'));
    void this.close();
  }
}

/** Turns a malformed answer into an error, so that the call that asked does not wait for another answer. */
function answerIn(value: unknown): JSONRPCMessage | undefined {
  const id = idOf(value);
  if (id === null || !isRecord(value) || 'method' in value) return undefined;
  if (!('result' in value) && !('error' in value)) return undefined;
  return { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message: 'The answer is not valid.' } };
}

function idOf(value: unknown): RequestId | null {
  return isRecord(value) && isRequestId(value['id']) ? value['id'] : null;
}

/** The request that a message cancels. */
export function cancelledBy(message: unknown): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.['requestId'];
  return isRequestId(id) ? id : undefined;
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number';
}

/** Time in which the reader must read something. */
const STALLED_MS = 1000;

/** Ends a stream after everything written has been read, or when the reader stalls. */
export function endStream(stream: Duplex): void {
  stream.end(() => stream.destroy());
  if (stream instanceof Socket) {
    // A socket's timeout also notices progress within one long write, which `writableLength` does not show.
    stream.setTimeout(STALLED_MS, () => stream.destroy());
    return;
  }
  let left = stream.writableLength;
  const timer = setInterval(() => {
    if (stream.writableLength < left) left = stream.writableLength;
    else stream.destroy();
  }, STALLED_MS);
  timer.unref();
  stream.once('close', () => clearInterval(timer));
}

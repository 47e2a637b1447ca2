import { type BusError, LOCAL_ERROR, toBusError } from './bus-error.ts';
import type { Exchange } from './marshalling/call-template.ts';
import type { Frame } from './frame.ts';

/** Receives the outcome of a request: exactly one of the two is defined. */
export type ReplyHandler<T> = (error: BusError | undefined, value: T | undefined) => void;

/** Who made a request: a batch, or a single call. */
export interface RequestOwner {
  /** One of its requests has succeeded or failed, and its handler has run. */
  answered(): void;
  /** A reply handler threw. */
  handlerThrew(thrown: unknown): void;
}

/** Requests to one destination: the number unanswered, and the queue. */
export interface Lane {
  inFlight: number;
  /** Next of {@link waiting} to send. */
  head: number;
  waiting: AnyRequest[];
}

/** A request without the type of its value. */
export interface AnyRequest {
  readonly exchange: Exchange<unknown>;
  readonly path: string;
  readonly owner: RequestOwner;
  /** Set when it is added to the table. */
  lane: Lane | undefined;
  /** 0 until it is sent. */
  serial: number;
  /** Succeeded, failed or withdrawn. */
  finished: boolean;
  /** Reads a method return; returns the error if its body is malformed or unexpected. */
  complete(frame: Frame): BusError | undefined;
  fail(error: BusError): void;
}

/** One method call on its way: waiting for its turn, or for its reply. */
export abstract class Request<T> implements AnyRequest {
  readonly exchange: Exchange<T>;
  readonly path: string;
  readonly owner: RequestOwner;
  lane: Lane | undefined = undefined;
  serial = 0;
  finished = false;

  constructor(exchange: Exchange<T>, path: string, owner: RequestOwner) {
    this.exchange = exchange;
    this.path = path;
    this.owner = owner;
  }

  /** Passes the value on; may throw. */
  protected abstract succeeded(value: T): void;
  /** Passes the error on; may throw. */
  protected abstract failed(error: BusError): void;

  complete(frame: Frame): BusError | undefined {
    let value: T;
    try {
      value = this.exchange.readReply(frame.body(), frame.signature);
    } catch (thrown) {
      const error = toBusError(thrown, LOCAL_ERROR.DECODE);
      this.fail(error);
      return error;
    }
    this.finished = true;
    try {
      this.succeeded(value);
    } catch (thrown) {
      this.owner.handlerThrew(thrown);
    }
    this.owner.answered();
    return undefined;
  }

  fail(error: BusError): void {
    this.finished = true;
    try {
      this.failed(error);
    } catch (thrown) {
      this.owner.handlerThrew(thrown);
    }
    this.owner.answered();
  }
}

/** A request that is answered by a callback. */
export class CallbackRequest<T> extends Request<T> {
  readonly #onReply: ReplyHandler<T>;

  constructor(exchange: Exchange<T>, path: string, owner: RequestOwner, onReply: ReplyHandler<T>) {
    super(exchange, path, owner);
    this.#onReply = onReply;
  }

  protected override succeeded(value: T): void {
    this.#onReply(undefined, value);
  }

  protected override failed(error: BusError): void {
    this.#onReply(error, undefined);
  }
}

/** A request that is answered by a promise. */
export class PromiseRequest<T> extends Request<T> {
  readonly #resolve: (value: T) => void;
  readonly #reject: (error: BusError) => void;

  constructor(
    exchange: Exchange<T>,
    path: string,
    owner: RequestOwner,
    promise: { resolve: (value: T) => void; reject: (error: BusError) => void },
  ) {
    super(exchange, path, owner);
    this.#resolve = promise.resolve;
    this.#reject = promise.reject;
  }

  protected override succeeded(value: T): void {
    this.#resolve(value);
  }

  protected override failed(error: BusError): void {
    this.#reject(error);
  }
}

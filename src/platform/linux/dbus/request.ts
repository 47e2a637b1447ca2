import { type BusError, LOCAL_ERROR, toBusError } from './bus-error.ts';
import type { CallTemplate } from './marshalling/call-template.ts';
import type { Frame } from './frame.ts';

/** Receives the outcome of a request: the error or the value. */
export type ReplyHandler<T> = (
  ...outcome: [error: undefined, value: T] | [error: BusError, value: undefined]
) => void;

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
export type AnyRequest = Pick<Request<unknown>, keyof Request<unknown>>;

/** One method call on its way: waiting for its turn, or for its reply. */
export class Request<T> {
  readonly template: CallTemplate<T>;
  readonly path: string;
  readonly owner: RequestOwner;
  /** Set when it is added to the table. */
  lane: Lane | undefined = undefined;
  /** 0 until it is sent. */
  serial = 0;
  /** Succeeded, failed or withdrawn. */
  finished = false;
  readonly #onReply: ReplyHandler<T>;

  constructor(template: CallTemplate<T>, path: string, owner: RequestOwner, onReply: ReplyHandler<T>) {
    this.template = template;
    this.path = path;
    this.owner = owner;
    this.#onReply = onReply;
  }

  /** Reads a method return; returns the error if its body is malformed or unexpected. */
  complete(frame: Frame): BusError | undefined {
    let value: T;
    try {
      value = this.template.readReply(frame.body(), frame.signature);
    } catch (thrown) {
      const error = toBusError(thrown, LOCAL_ERROR.DECODE);
      this.fail(error);
      return error;
    }
    this.#finish(undefined, value);
    return undefined;
  }

  fail(error: BusError): void {
    this.#finish(error, undefined);
  }

  #finish(...outcome: Parameters<ReplyHandler<T>>): void {
    this.finished = true;
    try {
      this.#onReply(...outcome);
    } catch (thrown) {
      this.owner.handlerThrew(thrown);
    }
    this.owner.answered();
  }
}

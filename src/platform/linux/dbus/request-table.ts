import { BusError, protocolError } from './bus-error.ts';
import { Frame } from './frame.ts';
import { MESSAGE_TYPE } from './marshalling/header.ts';
import type { Outbox } from './outbox.ts';
import type { AnyRequest, Lane, RequestOwner } from './request.ts';

/**
 * How many requests to one destination may be unanswered at a time; further requests queue here. A bus refuses the
 * 50,001st outstanding call, a caller that gives up leaves less work behind, and one slow application does not
 * block requests to the others.
 */
export const WINDOW = 1024;

// Idle lanes are dropped beyond this number.
const IDLE_LANES = 64;
const LAST_SERIAL = 0xffff_ffff;

// Completes a request that expects no reply.
const NO_REPLY = new Frame();

/** All requests of a connection: those queued and those waiting for a reply. */
export class RequestTable {
  readonly #outbox: Outbox;
  readonly #lanes = new Map<string | undefined, Lane>();
  readonly #pending = new Map<number, AnyRequest>();
  #serial = 0;
  #wrapped = false;
  #closed: BusError | undefined;
  calls = 0;
  replies = 0;
  lateReplies = 0;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  /** Sends a request, now or when its destination has replied to earlier ones; returns the error if the connection is closed. */
  add(request: AnyRequest): BusError | undefined {
    if (this.#closed !== undefined) return this.#closed;
    const lane = this.#laneTo(request.template.prepared.destination);
    request.lane = lane;
    if (lane.inFlight < WINDOW && lane.head === lane.waiting.length) this.#send(lane, request);
    else lane.waiting.push(request);
    return undefined;
  }

  /** The next message serial. */
  nextSerial(): number {
    do {
      if (this.#serial === LAST_SERIAL) {
        this.#serial = 0;
        this.#wrapped = true;
      }
      this.#serial++;
    } while (this.#wrapped && this.#pending.has(this.#serial));
    return this.#serial;
  }

  /** Completes the request that a reply belongs to. Returns the error if the body of the reply is malformed. */
  answer(frame: Frame): BusError | undefined {
    frame.readReplyFields();
    const request = this.#pending.get(frame.replySerial);
    if (request === undefined) {
      this.lateReplies++;
      return undefined;
    }
    this.replies++;
    this.#pending.delete(frame.replySerial);
    this.#leave(request);
    if (frame.type === MESSAGE_TYPE.METHOD_RETURN) return request.complete(frame);
    request.fail(errorOf(frame));
    return undefined;
  }

  /** Fails every request of an owner; returns their number. */
  withdraw(owner: RequestOwner, error: BusError): number {
    return this.#withdrawWhere((request) => request.owner === owner, error);
  }

  /** Fails one request. */
  withdrawOne(request: AnyRequest, error: BusError): void {
    if (request.finished) return;
    this.#release(request);
    request.fail(error);
  }

  /** Fails all requests and refuses later ones. */
  close(error: BusError): void {
    this.#closed = error;
    this.#withdrawWhere(() => true, error);
  }

  #withdrawWhere(matches: (request: AnyRequest) => boolean, error: BusError): number {
    const withdrawn = [...this.#pending.values()].filter(matches);
    for (const { waiting, head } of this.#lanes.values()) {
      withdrawn.push(...waiting.slice(head).filter((request) => !request.finished && matches(request)));
    }
    // All are marked before the first handler runs, because it may make new requests.
    for (const request of withdrawn) request.finished = true;
    for (const request of withdrawn) this.#release(request);
    for (const request of withdrawn) request.fail(error);
    return withdrawn.length;
  }

  #release(request: AnyRequest): void {
    request.finished = true;
    if (this.#pending.delete(request.serial)) this.#leave(request);
  }

  #leave({ lane }: AnyRequest): void {
    if (lane === undefined) return;
    lane.inFlight--;
    if (lane.waiting.length > 0) this.#advance(lane);
  }

  #laneTo(destination: string | undefined): Lane {
    const known = this.#lanes.get(destination);
    if (known !== undefined) return known;
    if (this.#lanes.size >= IDLE_LANES) this.#dropIdleLanes();
    const lane: Lane = { inFlight: 0, head: 0, waiting: [] };
    this.#lanes.set(destination, lane);
    return lane;
  }

  #dropIdleLanes(): void {
    for (const [destination, lane] of this.#lanes) {
      if (lane.inFlight === 0 && lane.waiting.length === 0) this.#lanes.delete(destination);
    }
  }

  #advance(lane: Lane): void {
    while (lane.inFlight < WINDOW) {
      const request = lane.waiting[lane.head];
      if (request === undefined) {
        lane.waiting = [];
        lane.head = 0;
        return;
      }
      lane.head++;
      if (lane.head >= WINDOW) {
        lane.waiting.splice(0, lane.head);
        lane.head = 0;
      }
      if (!request.finished) this.#send(lane, request);
    }
  }

  #send(lane: Lane, request: AnyRequest): void {
    const { prepared } = request.template;
    const serial = this.nextSerial();
    try {
      this.#outbox.addCall(prepared, request.path, serial);
    } catch (error) {
      request.fail(error instanceof BusError ? error : protocolError(String(error)));
      return;
    }
    this.calls++;
    request.serial = serial;
    if (prepared.noReply) {
      request.complete(NO_REPLY);
      return;
    }
    lane.inFlight++;
    this.#pending.set(serial, request);
  }
}

function errorOf(frame: Frame): BusError {
  let message = '';
  try {
    if (frame.signature.startsWith('s')) message = frame.body().readString();
  } catch {
    // The name alone is enough for the caller.
  }
  return new BusError(frame.errorName, message === '' ? frame.errorName : message);
}

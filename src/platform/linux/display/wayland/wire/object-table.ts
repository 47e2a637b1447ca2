import { closeSync } from 'node:fs';
import type { EventArguments, EventOf, Interface, RequestArguments, RequestOf } from './interfaces.ts';
import { decodeArguments, WireError, type Message, type WireValue } from './message.ts';

export const DISPLAY_ID = 1;
/** Ids from here on are given out by the compositor. */
const FIRST_SERVER_ID = 0xff00_0000;
/** Objects that a hostile compositor may make us keep. */
const MOST_SERVER_OBJECTS = 1000;

/** One object of the compositor. */
export interface WaylandObject<I extends Interface> {
  readonly id: number;
  send<R extends RequestOf<I>>(request: R, ...values: RequestArguments<I, R>): void;
  on<E extends EventOf<I>>(event: E, listener: (...values: EventArguments<I, E>) => void): void;
  /** Sends a request that ends it, such as `destroy`; later events are ignored. */
  end(request: RequestOf<I>): void;
}

interface Known {
  readonly interface: Interface;
  readonly listeners: Map<string, (values: readonly WireValue[]) => void>;
}

/** Sends a request of an object. */
export type SendRequest = (
  target: { readonly object: number; readonly opcode: number },
  signature: string,
  values: readonly WireValue[],
) => void;

/** The objects of a connection. An id is used again once the compositor has freed it. */
export class ObjectTable {
  readonly #send: SendRequest;
  readonly #objects = new Map<number, Known>();
  readonly #free: number[] = [];
  #next = DISPLAY_ID;
  #serverObjects = 0;

  constructor(send: SendRequest) {
    this.#send = send;
  }

  /** A new object; its id goes into the request that creates it. The first one is the display. */
  create<I extends Interface>(table: I): WaylandObject<I> {
    return this.#known(this.#free.pop() ?? this.#next++, table);
  }

  /** An object that an event introduces. */
  adopt<I extends Interface>(id: number, table: I): WaylandObject<I> {
    if (id < FIRST_SERVER_ID) throw new WireError(`the compositor gave out the id ${id}`);
    if (!this.#objects.has(id) && ++this.#serverObjects > MOST_SERVER_OBJECTS)
      throw new WireError(`more than ${MOST_SERVER_OBJECTS} objects of the compositor`);
    return this.#known(id, table);
  }

  /** The compositor will not mention this id any more. */
  freed(id: number): void {
    if (id >= FIRST_SERVER_ID || id === DISPLAY_ID) return;
    if (this.#objects.delete(id)) this.#free.push(id);
  }

  nameOf(id: number): string {
    return this.#objects.get(id)?.interface.name ?? `object ${id}`;
  }

  /** @throws WireError if the message does not fit its object */
  dispatch({ object, opcode, body }: Message, takeDescriptor: () => number | undefined): void {
    const known = this.#objects.get(object);
    // Its creation may have crossed the request that destroyed what created it.
    if (known === undefined) return;
    const [event, signature] = Object.entries(known.interface.events)[opcode] ?? [];
    if (event === undefined || signature === undefined)
      throw new WireError(`event ${opcode} of ${known.interface.name}`);
    const values = decodeArguments(signature, body, takeDescriptor);
    const listener = known.listeners.get(event);
    if (listener) listener(values);
    else closeDescriptors(signature, values);
  }

  #known<I extends Interface>(id: number, table: I): WaylandObject<I> {
    const known: Known = { interface: table, listeners: new Map() };
    this.#objects.set(id, known);
    const opcodes = Object.keys(table.requests);
    const send = (request: string, values: readonly WireValue[]): void =>
      this.#send({ object: id, opcode: opcodes.indexOf(request) }, table.requests[request] ?? '', values);
    return {
      id,
      send: (request, ...values) => send(request, values),
      on: <E extends EventOf<I>>(event: E, listener: (...values: EventArguments<I, E>) => void) => {
        // They were decoded by the signature that types the listener.
        known.listeners.set(event, (values) => listener(...(values as EventArguments<I, E>)));
      },
      end: (request) => {
        known.listeners.clear();
        send(request, []);
        // The compositor does not confirm the end of its own objects.
        if (id >= FIRST_SERVER_ID && this.#objects.delete(id)) this.#serverObjects--;
      },
    };
  }
}

function closeDescriptors(signature: string, values: readonly WireValue[]): void {
  for (const [index, code] of Array.from(signature).entries()) {
    const value = values[index];
    if (code === 'h' && typeof value === 'number') closeSync(value);
  }
}

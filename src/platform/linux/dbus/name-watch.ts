import type { BusError } from './bus-error.ts';
import type { ReplyHandler } from './request.ts';
import type { SignalMessage } from './message.ts';
import { BUS } from './standard-calls.ts';

/** Receives the unique name behind a bus name; `undefined` while nobody owns it. */
export type OwnerListener = (owner: string | undefined) => void;

/** The owner in a reply to GetNameOwner, `undefined` if there is none; throws any other error. */
export function ownerOf(error: BusError | undefined, owner: string | undefined): string | undefined {
  if (error === undefined) return owner;
  if (error.errorName === 'org.freedesktop.DBus.Error.NameHasNoOwner') return undefined;
  throw error;
}

/**
 * Joins the reply to GetNameOwner with the NameOwnerChanged signals. A signal that arrives before the reply is older
 * and is ignored; both arrive in wire order, so no change is lost in between.
 */
export class NameWatch {
  readonly #name: string;
  readonly #listener: OwnerListener;
  #started = false;

  constructor(name: string, listener: OwnerListener) {
    this.#name = name;
    this.#listener = listener;
  }

  /** Receives the reply to GetNameOwner; must run before later messages are read. */
  readonly onOwner: ReplyHandler<string> = (error, owner) => {
    const current = ownerOf(error, owner);
    this.#started = true;
    this.#listener(current);
  };

  /** Receives every signal of the connection. */
  readonly onSignal = (message: SignalMessage): void => {
    if (!this.#started || message.sender !== BUS.name || message.member !== 'NameOwnerChanged') return;
    const [name, , owner] = message.body;
    if (name === this.#name && typeof owner === 'string') this.#listener(owner === '' ? undefined : owner);
  };
}

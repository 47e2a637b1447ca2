import type { BusError } from './bus-error.ts';
import type { ReplyHandler } from './request.ts';
import type { SignalMessage } from './message.ts';
import { BUS } from './standard-calls.ts';

/** Told of the unique name behind a bus name; `undefined` while nobody owns it. */
export type OwnerListener = (owner: string | undefined) => void;

/** The owner in an answer to GetNameOwner; throws what is not "nobody". */
export function ownerOf(error: BusError | undefined, owner: string | undefined): string | undefined {
  if (error === undefined) return owner;
  if (error.errorName === 'org.freedesktop.DBus.Error.NameHasNoOwner') return undefined;
  throw error;
}

/**
 * Joins the first answer to GetNameOwner with the NameOwnerChanged signals. A signal that arrives before the answer
 * is older than it and says nothing; both come in the order of the wire, so no change is lost in between.
 */
export class NameWatch {
  readonly #name: string;
  readonly #listener: OwnerListener;
  #started = false;

  constructor(name: string, listener: OwnerListener) {
    this.#name = name;
    this.#listener = listener;
  }

  /** Takes the answer to GetNameOwner; must run before later messages are read. */
  readonly onOwner: ReplyHandler<string> = (error, owner) => {
    const current = ownerOf(error, owner);
    this.#started = true;
    this.#listener(current);
  };

  /** Takes every signal of the connection. */
  readonly onSignal = (message: SignalMessage): void => {
    if (!this.#started || message.sender !== BUS.name || message.member !== 'NameOwnerChanged') return;
    const [name, , owner] = message.body;
    if (name === this.#name && typeof owner === 'string') this.#listener(owner === '' ? undefined : owner);
  };
}

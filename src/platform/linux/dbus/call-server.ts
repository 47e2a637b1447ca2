import { BusError, toBusError } from './bus-error.ts';
import type { MethodCallMessage } from './message.ts';
import { encodeError, encodeReturn, type MethodReply } from './reply-message.ts';

/** Serves a call: returns the reply, throws BusError for an error reply, or returns `undefined` for an unknown call. */
export type MethodCallHandler = (
  call: MethodCallMessage,
) => MethodReply | undefined | Promise<MethodReply | undefined>;

/** What serving needs from a connection. */
export interface ReplySender {
  nextSerial(): number;
  send(message: Buffer): void;
}

/** Replies to method calls made to this connection. */
export class CallServer {
  readonly #sender: ReplySender;
  readonly #handlers = new Set<MethodCallHandler>();

  constructor(sender: ReplySender) {
    this.#sender = sender;
  }

  add(handler: MethodCallHandler): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** Replies to a call once its handler has finished. Never throws. */
  async serve(call: MethodCallMessage): Promise<void> {
    let message: Buffer;
    try {
      const reply = await this.#handle(call);
      if (call.noReplyExpected) return;
      message = encodeReturn(call, this.#sender.nextSerial(), reply);
    } catch (thrown) {
      if (call.noReplyExpected) return;
      const error = toBusError(thrown, 'org.freedesktop.DBus.Error.Failed');
      message = encodeError(call, this.#sender.nextSerial(), error);
    }
    this.#sender.send(message);
  }

  async #handle(call: MethodCallMessage): Promise<MethodReply> {
    for (const handler of this.#handlers) {
      const reply = await handler(call);
      if (reply !== undefined) return reply;
    }
    if (call.interface === 'org.freedesktop.DBus.Peer' && call.member === 'Ping') return {};
    throw new BusError(
      'org.freedesktop.DBus.Error.UnknownMethod',
      `no method ${call.interface ?? ''}.${call.member} at ${call.path}`,
    );
  }
}

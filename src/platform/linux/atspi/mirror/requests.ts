import type { Batch } from '../../dbus/index.ts';
import type { Mirror } from './mirror.ts';
import type { ReadingCall } from './reading-call.ts';

type ReplyHandler<T> = Parameters<typeof Batch.prototype.request<T>>[2];

/** Questions of one reading. */
export interface Requests {
  /** Asks an object. `onReply` is called once: at once if the answer is known, otherwise when it comes. */
  request<T>(call: ReadingCall<T>, path: string, onReply: ReplyHandler<T>): void;
}

/** The requests of a reading: all of them, or, with a mirror, only those that it cannot answer. */
export function requestsThrough(mirror: Mirror | undefined, batch: Batch): Requests {
  return mirror ? new MirroredRequests(batch, mirror) : batch;
}

/** Asks only what the mirror does not know, and keeps the answers in it. */
class MirroredRequests implements Requests {
  readonly #batch: Batch;
  readonly #mirror: Mirror;

  constructor(batch: Batch, mirror: Mirror) {
    this.#batch = batch;
    this.#mirror = mirror;
  }

  request<T>(call: ReadingCall<T>, path: string, onReply: ReplyHandler<T>): void {
    const { slot } = call;
    if (slot === undefined) {
      this.#batch.request(call, path, onReply);
      return;
    }
    const mirror = this.#mirror;
    const known = mirror.answer(path, slot);
    if (known !== undefined) {
      onReply(undefined, known);
      return;
    }
    const object = mirror.object(path);
    const askedAt = mirror.now;
    this.#batch.request(call, path, (...outcome) => {
      const [error, answer] = outcome;
      if (error === undefined) mirror.keep(object, slot, answer, askedAt);
      onReply(...outcome);
    });
  }
}

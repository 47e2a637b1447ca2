import type { Batch } from '../../dbus/index.ts';
import { asked, type Known, type ReadingLog } from './asked.ts';
import { isLocal, type Outcome } from './early-answers.ts';
import type { Slot } from './known-object.ts';
import type { Mirror } from './mirror.ts';
import type { ReadingCall } from './reading-call.ts';

type ReplyHandler<T> = Parameters<typeof Batch.prototype.request<T>>[2];

/** Questions of one reading. */
export interface Requests {
  /** Asks an object. `onReply` is called once: at once if the answer is known, otherwise when it comes. */
  request<T>(call: ReadingCall<T>, path: string, onReply: ReplyHandler<T>): void;
}

/** What is known of an application, for one reading. */
export interface Knowledge {
  readonly mirror: Mirror;
  /** What the reading may rest on. If this is absent, it asks everything anew, which is known from then on. */
  readonly used?: Known | undefined;
  /** Where a reading that rests on it notes what it asks nevertheless. */
  readonly log?: ReadingLog | undefined;
}

/** The requests of a reading: all of them, or only those that the mirror cannot answer. */
export function requestsThrough(knowledge: Knowledge | undefined, batch: Batch): Requests {
  return knowledge ? new MirroredRequests(batch, knowledge) : batch;
}

/** Keeps the answers in the mirror, and asks only what that does not know if the reading may rest on it. */
class MirroredRequests implements Requests {
  readonly #batch: Batch;
  readonly #mirror: Mirror;
  readonly #used: Known | undefined;
  readonly #log: ReadingLog | undefined;

  constructor(batch: Batch, { mirror, used, log }: Knowledge) {
    this.#batch = batch;
    this.#mirror = mirror;
    this.#used = used;
    this.#log = log;
  }

  request<T>(call: ReadingCall<T>, path: string, onReply: ReplyHandler<T>): void {
    const { slot } = call;
    const log = this.#log;
    if (slot === undefined) {
      if (log) log.isComplete = false;
      this.#batch.request(call, path, onReply);
      return;
    }
    if (slot.question === 'childCount') log?.counted.add(path);
    const mirror = this.#mirror;
    const known = this.#used?.answer(path, slot);
    if (known !== undefined) {
      onReply(undefined, known);
      return;
    }
    const early = log?.early.outcome(path, slot);
    if (early !== undefined) {
      this.#note(call, slot, path, early);
      onReply(...early);
      return;
    }
    const object = mirror.object(path);
    const askedAt = mirror.now;
    this.#batch.request(call, path, (...outcome) => {
      const [error, answer] = outcome;
      if (error === undefined) mirror.keep(object, slot, answer, askedAt);
      this.#note<T>(call, slot, path, outcome);
      onReply(...outcome);
    });
  }

  #note<T>(call: ReadingCall<T>, slot: Slot<T>, path: string, outcome: Outcome<T>): void {
    const log = this.#log;
    if (log === undefined) return;
    const [error] = outcome;
    if (error !== undefined && isLocal(error)) log.isComplete = false;
    else log.asked.push(asked<T>(call, slot, path, outcome));
  }
}

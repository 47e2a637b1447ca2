import { closeSync } from 'node:fs';
import type { Descriptors } from './descriptors.ts';

/** How soon a full socket is tried again. */
const RETRY_MS = 2;
/** A compositor that reads nothing must not fill our memory. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;

interface Waiting {
  readonly parts: Buffer[];
  /** Ours: closed once they are sent. */
  readonly descriptors: readonly number[];
}

/** Sends bytes and descriptors in order, without Node, which cannot send descriptors. */
export class Outbox {
  readonly #file: number;
  readonly #descriptors: Descriptors;
  readonly #onFailure: (error: unknown) => void;
  readonly #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #retry: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #isEnded = false;

  constructor(file: number, descriptors: Descriptors, onFailure: (error: unknown) => void) {
    this.#file = file;
    this.#descriptors = descriptors;
    this.#onFailure = onFailure;
  }

  /** Everything that is added in one turn of the event loop goes out together. Descriptors belong to the outbox from here on. */
  add(bytes: Buffer, descriptors: readonly number[]): void {
    if (this.#isEnded) {
      closeAll(descriptors);
      return;
    }
    const last = this.#waiting.at(-1);
    if (last !== undefined && descriptors.length === 0) last.parts.push(bytes);
    else this.#waiting.push({ parts: [bytes], descriptors });
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > MOST_WAITING_BYTES)
      this.#onFailure(new Error('it does not read what is sent to it'));
    else this.#schedule();
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#retry);
    for (const { descriptors } of this.#waiting.splice(0)) closeAll(descriptors);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    this.#isScheduled = false;
    try {
      this.#sendWaiting();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #sendWaiting(): void {
    for (let next = this.#waiting[0]; next !== undefined && !this.#isEnded; next = this.#waiting[0]) {
      const bytes = next.parts.length === 1 && next.parts[0] ? next.parts[0] : Buffer.concat(next.parts);
      const sent = this.#descriptors.send(this.#file, bytes, next.descriptors);
      if (sent === undefined) {
        this.#isScheduled = true;
        this.#retry = setTimeout(() => this.#flush(), RETRY_MS);
        return;
      }
      closeAll(next.descriptors);
      this.#waiting.shift();
      this.#waitingBytes -= sent;
      if (sent < bytes.length) this.#waiting.unshift({ parts: [bytes.subarray(sent)], descriptors: [] });
    }
  }
}

function closeAll(descriptors: readonly number[]): void {
  for (const descriptor of descriptors) closeSync(descriptor);
}

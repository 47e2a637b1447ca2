import { CallTemplate } from '../../dbus/index.ts';
import type { Slot } from './known-object.ts';

/** A question to an object. Its answer may be kept until an event says that it may have changed. */
export class ReadingCall<T> extends CallTemplate<T> {
  #slot: Slot<T> | undefined;

  /** Where answers are kept; absent if each reading has to ask. */
  get slot(): Slot<T> | undefined {
    return this.#slot;
  }

  keptIn(slot: Slot<T> | undefined): this {
    this.#slot = slot;
    return this;
  }
}

/** The storage of one session between calls: refs, counters. Plain JSON data, one document per name. */
export interface SessionStore {
  /** The stored document, or `undefined` if there is none or it cannot be read; never rejects. */
  load(name: string): Promise<unknown>;
  /**
   * Replaces the document by the result of `change`, atomically: two calls of one session must never assign the same ref to different elements.
   * `change` throws to leave it unchanged, and returns `undefined` to remove it. A write failure is noted, not thrown, so that it never loses an
   * answer. `change` may run twice; the last result counts. `isAlone` is true if the result cannot be stored or the stored document cannot be
   * read: then other processes do not know the numbers this one assigns, nor this one theirs.
   *
   * @throws DeskterityError ACTION_FAILED with the reason if it cannot be written and `mustStore` is set
   */
  update(
    name: string,
    change: (data: unknown, isAlone?: boolean) => unknown,
    options?: { readonly mustStore?: boolean },
  ): Promise<void>;
  /** Removes every document of the session. A failure is noted, not thrown. */
  clear(): Promise<void>;
}

/** The stores of all sessions, each in its own folder. */
export interface SessionStoresPort {
  /** `note` receives one sentence for a document that could not be read or written. */
  open(folder: string, note: (message: string) => void): SessionStore;
  /** Names of the sessions with a folder in this one; empty if it cannot be read. */
  names(folder: string): Promise<readonly string[]>;
}

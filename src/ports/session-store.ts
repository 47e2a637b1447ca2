/** Where one session keeps what must survive between calls: its refs, its counters. Plain JSON data, one document per name. */
export interface SessionStore {
  /** The stored document, or `undefined` when there is none or it cannot be read; never rejects. */
  load(name: string): Promise<unknown>;
  /**
   * Replaces the document by what `change` makes of it, with nobody else between: two calls of one session must never give the same ref to
   * different elements. `change` throws to leave it as it was, and answers `undefined` to remove it. A failure to write is noted, not thrown, so
   * that an answer is never lost for it. `change` may run twice; what it made last counts. `isAlone` is true when what it makes cannot be
   * stored, or what was stored cannot be read: then other processes do not know what this one gives out, nor this one what they did.
   */
  update(name: string, change: (data: unknown, isAlone?: boolean) => unknown): Promise<void>;
  /** Removes every document of the session. A failure is noted, not thrown. */
  clear(): Promise<void>;
}

/** The stores of all sessions, each in a folder of its own. */
export interface SessionStoresPort {
  /** `note` receives one sentence for a document that could not be read or written. */
  open(folder: string, note: (message: string) => void): SessionStore;
  /** Names of the sessions that have a folder in this one; none where it cannot be read. */
  names(folder: string): Promise<readonly string[]>;
}

import type { SessionStore } from '../../../src/ports/session-store.ts';

/** A session store that lives as long as the test; what it holds has been through JSON, as on a disk. */
export class MemoryStore implements SessionStore {
  private readonly documents = new Map<string, string>();
  private queue: Promise<unknown> = Promise.resolve();
  /** A disk that is full: what is changed is not kept. */
  full = false;

  async load(name: string): Promise<unknown> {
    const text = this.documents.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async update(name: string, change: (data: unknown) => unknown): Promise<void> {
    const run = async (): Promise<void> => {
      const data = change(await this.load(name));
      if (!this.full) this.documents.set(name, JSON.stringify(data));
    };
    const done = this.queue.then(run);
    this.queue = done.catch(() => undefined);
    return done;
  }

  async clear(): Promise<void> {
    this.documents.clear();
  }

  /** Puts a document there as if an earlier or broken program had left it. */
  put(name: string, data: unknown): void {
    this.documents.set(name, JSON.stringify(data));
  }
}

import type { SessionStore } from '../../../src/ports/session-store.ts';

/** A session store in memory; its content is converted to JSON, as on a disk. */
export class MemoryStore implements SessionStore {
  private readonly documents = new Map<string, string>();
  private queue: Promise<unknown> = Promise.resolve();
  /** A full disk: changes are not stored. */
  full = false;

  async load(name: string): Promise<unknown> {
    const text = this.documents.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  async update(
    name: string,
    change: (data: unknown) => unknown,
    { mustStore = false }: { readonly mustStore?: boolean } = {},
  ): Promise<void> {
    const run = async (): Promise<void> => {
      const data = change(await this.load(name));
      if (this.full && mustStore) throw new Error('the disk is full');
      if (!this.full) this.documents.set(name, JSON.stringify(data));
    };
    const done = this.queue.then(run);
    this.queue = done.catch(() => undefined);
    return done;
  }

  async clear(): Promise<void> {
    this.documents.clear();
  }

  /** Stores a document as if an earlier or broken program had written it. */
  put(name: string, data: unknown): void {
    this.documents.set(name, JSON.stringify(data));
  }
}

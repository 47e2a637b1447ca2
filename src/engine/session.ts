import type { SessionStore } from '../ports/session-store.ts';
import { RefTable } from './ref-table.ts';
import type { Counters } from './ref-table.ts';

const DOCUMENT = 'refs';

/** One agent's memory of one desktop. */
export class Session {
  private readonly store: SessionStore;
  private readonly desktopId: string;
  /** What was given out here is never given out again, even when it could not be stored. */
  private given: Counters | undefined;

  constructor(store: SessionStore, desktopId: string) {
    this.store = store;
    this.desktopId = desktopId;
  }

  async read(): Promise<RefTable> {
    return RefTable.from(await this.store.load(DOCUMENT), this.desktopId, this.given);
  }

  /** Changes the table with no other call of this session between reading and writing. */
  async edit<T>(change: (table: RefTable) => T): Promise<T> {
    let result: { value: T } | undefined;
    await this.store.update(DOCUMENT, (data) => {
      const table = RefTable.from(data, this.desktopId, this.given);
      result = { value: change(table) };
      const document = table.toDocument();
      const { next_element, next_window, cursor } = document;
      this.given = { next_element, next_window, cursor };
      return document;
    });
    if (!result) throw new Error('the session store did not run the change');
    return result.value;
  }
}

import type { SessionStore } from '../../ports/session-store.ts';
import { RefTable, type Counters, type RefScope } from './ref-table.ts';

const DOCUMENT = 'refs';

/** The stored refs of one session on one desktop or text screen. */
export class Session {
  private readonly store: SessionStore;
  private readonly scope: RefScope;
  private readonly onCursor: ((cursor: number) => void) | undefined;
  /** Numbers issued here are never reused, even if they could not be stored. */
  private issued: Counters | undefined;
  /** Whether numbers were moved to a range of this process, and nothing was stored since. */
  private hasOwnRange = false;

  /** @param onCursor called with each cursor that is issued */
  constructor(store: SessionStore, scope: RefScope, onCursor?: (cursor: number) => void) {
    this.store = store;
    this.scope = scope;
    this.onCursor = onCursor;
  }

  async read(): Promise<RefTable> {
    return RefTable.from(await this.store.load(DOCUMENT), this.scope, this.issued);
  }

  /** Changes the table with no other call of this session between reading and writing. */
  async edit<T>(change: (table: RefTable) => T): Promise<T> {
    let result: { value: T } | undefined;
    let wasAlone = false;
    await this.store.update(DOCUMENT, (data, isAlone = false) => {
      wasAlone = isAlone;
      let table = RefTable.from(data, this.scope, this.issued);
      if (isAlone && !this.hasOwnRange) {
        table = RefTable.from(data, this.scope, ownRange(table.counters));
        this.hasOwnRange = true;
      }
      const before = table.counters.cursor;
      result = { value: change(table) };
      this.issued = table.counters;
      for (let cursor = before + 1; cursor <= this.issued.cursor; cursor++) this.onCursor?.(cursor);
      return table.toDocument();
    });
    this.hasOwnRange = wasAlone;
    if (!result) throw new Error('the session store did not run the change');
    return result.value;
  }
}

/** References have at most nine digits. */
const LAST_NUMBER = 900_000_000;

/**
 * Counters far above the given ones, random for each process: the next process does not know numbers that could not be stored, and must not issue
 * them for other elements. Each call uses at most a sixteenth of the remaining numbers, so that they do not run out.
 */
function ownRange(counters: Counters): Counters {
  const share = 0.2 + 0.8 * Math.random();
  const above = (next: number) => next + Math.floor((Math.max(0, LAST_NUMBER - next) / 16) * share);
  return {
    next_element: above(counters.next_element),
    next_window: above(counters.next_window),
    next_terminal: above(counters.next_terminal),
    cursor: above(counters.cursor),
  };
}

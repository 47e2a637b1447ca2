import type { SessionStore } from '../../ports/session-store.ts';
import { RefTable } from './ref-table.ts';
import type { Counters, RefScope } from './ref-table.ts';

const DOCUMENT = 'refs';

/** One agent's memory of one desktop, or of one screen of text. */
export class Session {
  private readonly store: SessionStore;
  private readonly scope: RefScope;
  /** What was given out here is never given out again, even when it could not be stored. */
  private given: Counters | undefined;
  /** Numbers were moved to where other processes do not give any, and nothing was stored since. */
  private isApart = false;

  constructor(store: SessionStore, scope: RefScope) {
    this.store = store;
    this.scope = scope;
  }

  async read(): Promise<RefTable> {
    return RefTable.from(await this.store.load(DOCUMENT), this.scope, this.given);
  }

  /** Changes the table with no other call of this session between reading and writing. */
  async edit<T>(change: (table: RefTable) => T): Promise<T> {
    let result: { value: T } | undefined;
    let wasAlone = false;
    await this.store.update(DOCUMENT, (data, isAlone = false) => {
      wasAlone = isAlone;
      let table = RefTable.from(data, this.scope, this.given);
      if (isAlone && !this.isApart) {
        table = RefTable.from(data, this.scope, apartFrom(countersOf(table)));
        this.isApart = true;
      }
      result = { value: change(table) };
      this.given = countersOf(table);
      return table.toDocument();
    });
    this.isApart = wasAlone;
    if (!result) throw new Error('the session store did not run the change');
    return result.value;
  }
}

function countersOf(table: RefTable): Counters {
  const { next_element, next_window, next_terminal, cursor } = table.toDocument();
  return { next_element, next_window, next_terminal, cursor };
}

/** References have at most nine digits. */
const LAST_NUMBER = 900_000_000;

/**
 * Counters far above the given ones, and elsewhere for each process that asks: what cannot be stored is unknown to the next process, which must not
 * give the same number to another element. Each time takes at most a sixteenth of what is left, so that numbers do not run out.
 */
function apartFrom(counters: Counters): Counters {
  const share = 0.2 + 0.8 * Math.random();
  const above = (next: number) => next + Math.floor((Math.max(0, LAST_NUMBER - next) / 16) * share);
  return {
    next_element: above(counters.next_element),
    next_window: above(counters.next_window),
    next_terminal: above(counters.next_terminal),
    cursor: above(counters.cursor),
  };
}

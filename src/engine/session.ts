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
  /** Numbers were moved to where other processes do not give any, and nothing was stored since. */
  private isApart = false;

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
    let wasAlone = false;
    await this.store.update(DOCUMENT, (data, isAlone = false) => {
      wasAlone = isAlone;
      let table = RefTable.from(data, this.desktopId, this.given);
      if (isAlone && !this.isApart) {
        table = RefTable.from(data, this.desktopId, apartFrom(countersOf(table)));
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
  const { next_element, next_window, cursor } = table.toDocument();
  return { next_element, next_window, cursor };
}

/** References have at most nine digits. */
const LAST_NUMBER = 900_000_000;

/**
 * Counters far above the given ones, and elsewhere for each process that asks: what cannot be stored is unknown to the next process, which must not
 * give the same number to another element. Each time takes at most a sixteenth of what is left, so that numbers do not run out.
 */
function apartFrom({ next_element, next_window, cursor }: Counters): Counters {
  const share = 0.2 + 0.8 * Math.random();
  const above = (next: number) => next + Math.floor((Math.max(0, LAST_NUMBER - next) / 16) * share);
  return { next_element: above(next_element), next_window: above(next_window), cursor: above(cursor) };
}

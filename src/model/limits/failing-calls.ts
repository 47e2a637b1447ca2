/** Failures in a row after which advice is added. */
export const REPEATED = 3;

interface Failing {
  readonly key: string;
  readonly count: number;
}

/**
 * The last calls of a session that failed, each by a key of its command and input. A model that repeats what fails does not notice it by itself. What
 * only reads, and succeeds, between two attempts changes nothing; anything else that succeeds begins anew.
 */
export class FailingCalls {
  private last: Failing | undefined;

  /** @returns how often this call has failed in a row */
  failed(key: string): number {
    const count = this.last?.key === key ? this.last.count + 1 : 1;
    this.last = { key, count };
    return count;
  }

  succeeded(key: string, isRead: boolean): void {
    if (!isRead || this.last?.key === key) this.last = undefined;
  }
}

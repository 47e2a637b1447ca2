import { DeskterityError } from '../../../model/effects/errors.ts';
import type { DeskCalls } from '../tools/desk-calls.ts';

/** Sessions that one client may bring into being by naming them; each costs memory, and a file. */
const MOST_BEGUN = 64;

/** The sessions that one client names in its calls: the first call of a session that is not there begins it. */
export class NamedSessions {
  private readonly calls: Pick<DeskCalls, 'answer' | 'session'>;
  private readonly mayBegin: boolean;
  /** Found, by name. */
  private readonly found = new Set<string>();
  private readonly begun = new Set<string>();

  constructor(calls: Pick<DeskCalls, 'answer' | 'session'>, { mayBegin }: { readonly mayBegin: boolean }) {
    this.calls = calls;
    this.mayBegin = mayBegin;
  }

  /** @throws DeskterityError SESSION_NOT_FOUND where the client may begin none, RATE_LIMITED where it has begun too many */
  async require(name: string, signal: AbortSignal): Promise<void> {
    const key = name.toLowerCase();
    if (key === this.calls.session.toLowerCase() || this.begun.has(key)) return;
    if (this.mayBegin && this.found.has(key)) return;
    try {
      await this.calls.answer('session info', { name }, { signal });
      this.found.add(key);
    } catch (error) {
      const isMissing = error instanceof DeskterityError && error.code === 'SESSION_NOT_FOUND';
      if (!isMissing || !this.mayBegin) throw error;
      this.begin(key);
    }
  }

  private begin(key: string): void {
    if (this.begun.size >= MOST_BEGUN && !this.begun.has(key)) {
      throw new DeskterityError(
        'RATE_LIMITED',
        `${MOST_BEGUN} sessions have been begun by naming them, and no more are allowed.`,
        { suggestion: 'Use one of those, or make one with "desk session new".' },
      );
    }
    this.begun.add(key);
  }
}

import { type CallSettings, Deadline } from './deadline.ts';

/** Calls AddMatch or RemoveMatch. */
export type MatchCall = (
  member: 'AddMatch' | 'RemoveMatch',
  rule: string,
  settings: CallSettings,
) => Promise<void>;

interface Entry {
  users: number;
  /** AddMatch calls that may be in effect; the bus counts them too. Every user that arrives before the first reply sends one. */
  sent: number;
  established: boolean;
}

// No caller depends on the result, and the connection may be closing.
const REMOVAL: CallSettings = { deadlineMs: 10_000 };

/** Reference-counted match rules. */
export class MatchTable {
  readonly #call: MatchCall;
  readonly #entries = new Map<string, Entry>();

  constructor(call: MatchCall) {
    this.#call = call;
  }

  /** Adds a user of a rule; returns the function that removes it, which may be called repeatedly and does not fail. */
  async add(rule: string, settings: CallSettings): Promise<() => Promise<void>> {
    // Otherwise the cleanup would remove a rule that was never added.
    const spent = Deadline.spent(settings);
    if (spent !== undefined) throw spent;
    const entry = this.#entries.get(rule) ?? { users: 0, sent: 0, established: false };
    this.#entries.set(rule, entry);
    entry.users++;
    try {
      if (!entry.established) await this.#establish(entry, rule, settings);
    } catch (error) {
      await this.#leave(entry, rule);
      throw error;
    }
    let removed = false;
    return async () => {
      if (removed) return;
      removed = true;
      await this.#leave(entry, rule);
    };
  }

  async #establish(entry: Entry, rule: string, settings: CallSettings): Promise<void> {
    // Counted before the reply: a call that timed out may still have reached the bus.
    entry.sent++;
    await this.#call('AddMatch', rule, settings);
    if (!entry.established) {
      entry.established = true;
      return;
    }
    // One is enough for all users, and would stay as often as it was added until the last of them leaves.
    entry.sent--;
    this.#call('RemoveMatch', rule, REMOVAL).catch(() => undefined);
  }

  async #leave(entry: Entry, rule: string): Promise<void> {
    entry.users--;
    if (entry.users > 0) return;
    if (this.#entries.get(rule) === entry) this.#entries.delete(rule);
    const removals = Array.from({ length: entry.sent }, () => this.#call('RemoveMatch', rule, REMOVAL));
    await Promise.allSettled(removals);
  }
}

import { type CallSettings, Deadline } from './deadline.ts';

/** Calls AddMatch or RemoveMatch. */
export type MatchCall = (
  member: 'AddMatch' | 'RemoveMatch',
  rule: string,
  settings: CallSettings,
) => Promise<void>;

interface Entry {
  users: number;
  /** How often the bus was told; it counts too. Users that come before the first answer all tell it. */
  told: number;
  established: boolean;
}

// Nobody waits for it, and the connection may be on its way out.
const REMOVAL: CallSettings = { deadlineMs: 10_000 };

/** Reference-counted match rules. */
export class MatchTable {
  readonly #call: MatchCall;
  readonly #entries = new Map<string, Entry>();

  constructor(call: MatchCall) {
    this.#call = call;
  }

  /** Adds a user of a rule; gives what removes it again, which may be called more than once and does not fail. */
  async add(rule: string, settings: CallSettings): Promise<() => Promise<void>> {
    // The bus would be told to take back what it never heard of.
    const spent = Deadline.spent(settings);
    if (spent !== undefined) throw spent;
    const entry = this.#entries.get(rule) ?? { users: 0, told: 0, established: false };
    this.#entries.set(rule, entry);
    entry.users++;
    try {
      if (!entry.established) await this.#tell(entry, rule, settings);
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

  async #tell(entry: Entry, rule: string, settings: CallSettings): Promise<void> {
    // Counted before the answer: a call that timed out may still have reached the bus.
    entry.told++;
    await this.#call('AddMatch', rule, settings);
    entry.established = true;
  }

  async #leave(entry: Entry, rule: string): Promise<void> {
    entry.users--;
    if (entry.users > 0) return;
    if (this.#entries.get(rule) === entry) this.#entries.delete(rule);
    const { told } = entry;
    const removals = Array.from({ length: told }, () => this.#call('RemoveMatch', rule, REMOVAL));
    await Promise.allSettled(removals);
  }
}

import { DeskterityError } from '../model/effects/errors.ts';
import type { SessionSummary } from '../model/sessions/session-summary.ts';
import type { LiveSession } from './live-session.ts';

/** A taken session name. */
export interface Slot {
  readonly opened: Promise<LiveSession>;
  /** The result of {@link opened}, once it has resolved. */
  readonly session: LiveSession | undefined;
  /** Set for a session that `session new` requested. */
  readonly requested: { readonly abort: AbortController; readonly facts: SessionSummary } | undefined;
  /** Set while the session is ending; resolves when the name is free again. */
  readonly freed: Promise<void> | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const MAX_LOST_NAMES = 1000;

/** Sessions by name. All changes are synchronous, so that two calls never get different sessions with one name. */
export class SessionSlots {
  private readonly slots = new Map<string, Writable<Slot>>();
  /**
   * Names whose private desktop was killed or could not be started: later calls with such a name must not fall back to the caller's desktop.
   */
  private readonly lost = new Set<string>();

  get(name: string): Slot | undefined {
    return this.slots.get(name);
  }

  get names(): readonly string[] {
    return [...this.slots.keys()];
  }

  get all(): readonly Slot[] {
    return [...this.slots.values()];
  }

  isLost(name: string): boolean {
    return this.lost.has(name);
  }

  /** Claims a free name, which becomes free again if `open` fails. */
  take(name: string, requested: Slot['requested'], open: () => Promise<LiveSession>): Slot {
    const slot: Writable<Slot> = { opened: open(), session: undefined, requested, freed: undefined };
    this.slots.set(name, slot);
    void this.note(name, slot);
    return slot;
  }

  /** Ends a session, whose name stays taken until the session has ended completely. */
  end(name: string, session: LiveSession): Promise<void> {
    const slot = this.slots.get(name);
    if (session.isPrivate) this.noteLost(name);
    if (slot?.session !== session) return session.end();
    slot.freed ??= session.end().finally(() => this.drop(name, slot));
    return slot.freed;
  }

  drop(name: string, slot: Slot): void {
    if (this.slots.get(name) === slot) this.slots.delete(name);
  }

  clear(): void {
    this.slots.clear();
  }

  private async note(name: string, slot: Writable<Slot>): Promise<void> {
    try {
      slot.session = await slot.opened;
      if (slot.requested !== undefined) this.lost.delete(name);
    } catch (error) {
      this.drop(name, slot);
      const isTaken = error instanceof DeskterityError && error.code === 'CONFLICT';
      if (slot.requested?.facts.desktop === 'private' && !isTaken) this.noteLost(name);
    }
  }

  private noteLost(name: string): void {
    this.lost.add(name);
    const [oldest] = this.lost;
    if (this.lost.size > MAX_LOST_NAMES && oldest !== undefined) this.lost.delete(oldest);
  }
}

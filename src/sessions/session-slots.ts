import { DeskterityError } from '../model/effects/errors.ts';
import type { SessionFacts } from '../ports/sessions.ts';
import type { LiveSession } from './live-session.ts';

/** A name that is taken, from the moment on at which somebody takes it. */
export interface Slot {
  readonly opened: Promise<LiveSession>;
  /** What {@link opened} resolved to. */
  readonly session: LiveSession | undefined;
  /** Of a session that `session new` has asked for. */
  readonly asked: { readonly abort: AbortController; readonly facts: SessionFacts } | undefined;
  /** Set while the session is ended; resolves when the name is free again. */
  readonly freed: Promise<void> | undefined;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const MAX_LOST_NAMES = 1000;

/** Who has which name. All changes are made without awaiting anything, so that two calls never get different sessions of one name. */
export class SessionSlots {
  private readonly slots = new Map<string, Writable<Slot>>();
  /**
   * Names whose private desktop was killed or could not be started: whoever goes on using one must not find itself on the desktop of the
   * caller.
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

  /** Claims a free name; it is free again when `open` fails. */
  take(name: string, asked: Slot['asked'], open: () => Promise<LiveSession>): Slot {
    const slot: Writable<Slot> = { opened: open(), session: undefined, asked, freed: undefined };
    this.slots.set(name, slot);
    void this.note(name, slot);
    return slot;
  }

  /** Ends a session; its name stays taken until nothing is left of it. */
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
      if (slot.asked !== undefined) this.lost.delete(name);
    } catch (error) {
      this.drop(name, slot);
      const isTaken = error instanceof DeskterityError && error.code === 'CONFLICT';
      if (slot.asked?.facts.desktop === 'private' && !isTaken) this.noteLost(name);
    }
  }

  private noteLost(name: string): void {
    this.lost.add(name);
    const [oldest] = this.lost;
    if (this.lost.size > MAX_LOST_NAMES && oldest !== undefined) this.lost.delete(oldest);
  }
}

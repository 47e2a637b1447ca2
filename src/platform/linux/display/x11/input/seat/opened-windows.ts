import { setTimeout as sleep } from 'node:timers/promises';
import { readRootState } from '../../root-state.ts';
import type { X11Wire } from '../../wire.ts';
import type { XEvent } from '../../x11-library.ts';
import { OWN_BITS } from '../../windows/point-content.ts';
import { takesKeys } from './takes-keys.ts';
import type { Thaw, UsersKeyboard } from './users-keyboard.ts';
import type { UsersPlace } from './seat-places.ts';

/** For so long, a new window of the same program is the doing of an act; slow programs take a second to open a dialog. */
const AFTER_MS = 2000;
/** A window that insists on the focus, as a modal dialog of the user's own window does, gets it. */
const MOST_RETURNS = 3;
/** A window manager that was too busy is asked so often. */
const MOST_ATTEMPTS = 3;
/** From the creation of a window until it is shown; toolkits need a few milliseconds, and some never show it. */
const SHOWN_MS = 150;
/** All of that together, for an act: a program may create any number of windows. */
const HELD_MS = 600;
/** For the window manager to decide who has the focus. */
const DECIDED_MS = 250;

interface Noted {
  /** The connections of the programs that were acted on, by their part of each window id. */
  readonly programs: ReadonlySet<number>;
  readonly before: UsersPlace;
  /** The windows that were there and not acted on: what makes them active is not the act. */
  readonly others: readonly number[];
  /** All windows that were there, and those that our keyboard was led to. */
  readonly known: Set<number>;
  readonly endMs: number;
}

/** Whether the focus was given back; it is not if another window has it by now, or if the user chose the window. */
export type GivenBack = 'given' | 'elsewhere' | 'chosen';

interface OpenedParts {
  readonly keyboard: UsersKeyboard;
  /** Resolves when the window manager has processed what it was told so far. */
  readonly settled: () => Promise<void>;
  /** A window seems to have the user's focus. `wasThere`: the user may have chosen it from afar. */
  readonly giveBack: (opened: number, before: UsersPlace, wasThere: boolean) => Promise<GivenBack>;
  /** Directs our keyboard to a window. */
  readonly lead: (window: number) => Promise<void>;
}

/**
 * The windows that an act opens, and those that a busy window manager makes active only after the act. Window managers may give them the user's focus: it is given
 * back, and the user's keyboard is frozen from the moment when the window is created. Our keyboard goes there, as after an act by hand.
 */
export class OpenedWindows {
  readonly #wire: X11Wire;
  readonly #parts: OpenedParts;
  #noted: Noted | undefined;
  /** How often each window gave it back since the last act. */
  readonly #returns = new Map<number, number>();
  /** When the keyboard is no longer frozen for windows of the last act. */
  #holdEndMs: number | undefined;
  readonly #holds = new Map<number, Thaw>();

  /** @param wire must report the properties of the root window and the windows in it */
  constructor(wire: X11Wire, parts: OpenedParts) {
    this.#wire = wire;
    this.#parts = parts;
    const changes = [wire.atom('_NET_ACTIVE_WINDOW'), wire.atom('_NET_CLIENT_LIST')];
    wire.onEvent((event) => {
      if (!this.#isLive) return;
      const { name, wid = 0, atom = 0 } = event;
      if (name === 'PropertyNotify' && wid === wire.root && changes.includes(atom))
        this.#look().catch(() => undefined);
      else if (event.overrideRedirect === false) this.#expect(event);
    });
  }

  /** An act begins. */
  note(acted: readonly number[], before: UsersPlace, clients: readonly number[]): void {
    const earlier = this.#isLive && this.#noted?.before.active === before.active ? this.#noted : undefined;
    const programs = acted.map((window) => programOf(window));
    this.#returns.clear();
    this.#holdEndMs = undefined;
    this.#noted = {
      programs: new Set([...programs, ...(earlier?.programs ?? [])]),
      before,
      // Its windows may still come.
      others: (earlier?.others ?? clients).filter((window) => !acted.includes(window)),
      known: new Set([...clients.filter((window) => earlier?.known.has(window) ?? true), ...acted]),
      endMs: performance.now() + AFTER_MS,
    };
  }

  get #isLive(): boolean {
    return this.#noted !== undefined && performance.now() <= this.#noted.endMs;
  }

  /** A window that is created, or about to be shown, may soon have the focus. */
  #expect({ name, wid = 0 }: XEvent): void {
    const noted = this.#noted;
    if (noted === undefined || noted.known.has(wid) || !noted.programs.has(programOf(wid))) return;
    this.#holdEndMs ??= performance.now() + HELD_MS;
    if (performance.now() > this.#holdEndMs) return;
    if (name === 'CreateNotify') void this.#hold(wid, SHOWN_MS);
    else if (name === 'ReparentNotify' || name === 'MapNotify') void this.#hold(wid, DECIDED_MS);
  }

  /** Freezes the user's keyboard for a while, or until {@link #release}. */
  async #hold(window: number, ms: number): Promise<void> {
    const thaw = await this.#parts.keyboard.freeze(AbortSignal.timeout(ms)).catch(() => undefined);
    if (thaw === undefined) return;
    const earlier = this.#holds.get(window);
    this.#holds.set(window, thaw);
    await earlier?.();
    await sleep(ms, undefined, { ref: false });
    await thaw();
    if (this.#holds.get(window) === thaw) this.#holds.delete(window);
  }

  async #release(window: number): Promise<void> {
    const thaw = this.#holds.get(window);
    this.#holds.delete(window);
    await thaw?.();
  }

  async #look(): Promise<void> {
    const noted = this.#noted;
    if (noted === undefined) return;
    const { active, clients = [] } = await readRootState(this.#wire);
    if (active !== undefined && this.#isTaken(active, noted)) {
      const wasThere = noted.known.has(active);
      noted.known.add(active);
      await this.#returnFrom(active, noted, wasThere);
      return this.#release(active);
    }
    const opened = clients.filter(
      (window) => !noted.known.has(window) && noted.programs.has(programOf(window)),
    );
    for (const window of opened) noted.known.add(window);
    for (const window of opened) await this.#leadTo(window, noted);
  }

  #isTaken(active: number, { before, others, programs }: Noted): boolean {
    return active !== before.active && !others.includes(active) && programs.has(programOf(active));
  }

  async #returnFrom(active: number, noted: Noted, wasThere: boolean): Promise<void> {
    const returns = this.#returns.get(active) ?? 0;
    if (returns >= MOST_RETURNS) return;
    const outcome = await this.#giveBack(active, noted, wasThere);
    if (this.#noted !== noted) return;
    // When our keyboard is led to a window, window managers report it as active for a moment; the user keeps the focus then.
    if (outcome === 'given') this.#returns.set(active, returns + 1);
    if (outcome === 'chosen') this.#noted = undefined;
  }

  /** A window manager that was too busy is asked again: without that, the user's keys would go there from then on. */
  async #giveBack(active: number, noted: Noted, wasThere: boolean): Promise<GivenBack> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#parts.giveBack(active, noted.before, wasThere);
      } catch (error) {
        if (attempt === MOST_ATTEMPTS || this.#noted !== noted) throw error;
      }
    }
  }

  /** A window that the window manager gives nobody's focus. */
  async #leadTo(window: number, noted: Noted): Promise<void> {
    try {
      await this.#parts.settled();
      const { active } = await readRootState(this.#wire);
      // A change of the focus is looked at for itself.
      if (active === window || this.#noted !== noted) return;
      if (await takesKeys(this.#wire, window)) await this.#parts.lead(window);
    } finally {
      await this.#release(window);
    }
  }
}

function programOf(window: number): number {
  return window >>> OWN_BITS;
}

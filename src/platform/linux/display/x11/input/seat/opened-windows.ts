import type { X11Wire } from '../../wire.ts';
import { OWN_BITS } from '../../windows/point-content.ts';
import type { UsersPlace } from './users-place.ts';

/** For so long, a new window of the same program is the doing of an act; slow programs take a second to open a dialog. */
const AFTER_MS = 2000;
/** A dialog that insists on the focus, as a modal one of the user's own window does, gets it. */
const MOST_RETURNS = 3;

interface Noted {
  /** The connections of the programs that were acted on, by their part of each window id. */
  readonly programs: ReadonlySet<number>;
  readonly before: UsersPlace;
  /** The windows that were there and not acted on: what makes them active is not the act. */
  readonly others: readonly number[];
  readonly endMs: number;
}

/** Notices that a window which an act opened, or a busy window manager later that was acted on, took the user's focus. */
export class OpenedWindows {
  readonly #giveBack: (opened: number, before: UsersPlace) => Promise<boolean>;
  #noted: Noted | undefined;
  #returns = 0;

  /** @param giveBack returns whether to go on: not if the user chose the window */
  constructor(
    wire: X11Wire,
    read: () => Promise<number | undefined>,
    giveBack: (opened: number, before: UsersPlace) => Promise<boolean>,
  ) {
    this.#giveBack = giveBack;
    const property = wire.atom('_NET_ACTIVE_WINDOW');
    wire.onEvent(({ name, wid, atom }) => {
      if (name !== 'PropertyNotify' || wid !== wire.root || atom !== property || !this.#isLive) return;
      read()
        .then((active) => this.#look(active))
        .catch(() => undefined);
    });
  }

  /** An act begins. */
  note(acted: readonly number[], before: UsersPlace, clients: readonly number[]): void {
    const earlier = this.#isLive && this.#noted?.before.active === before.active ? this.#noted : undefined;
    const programs = acted.map((window) => programOf(window));
    this.#returns = 0;
    this.#noted = {
      programs: new Set([...programs, ...(earlier?.programs ?? [])]),
      before,
      // Its windows may still come.
      others: (earlier?.others ?? clients).filter((window) => !acted.includes(window)),
      endMs: performance.now() + AFTER_MS,
    };
  }

  get #isLive(): boolean {
    return this.#noted !== undefined && performance.now() <= this.#noted.endMs;
  }

  async #look(active: number | undefined): Promise<void> {
    const noted = this.#noted;
    if (noted === undefined || active === undefined || active === noted.before.active) return;
    if (noted.others.includes(active) || !noted.programs.has(programOf(active))) return;
    if (this.#returns >= MOST_RETURNS) return;
    this.#returns += 1;
    if (!(await this.#giveBack(active, noted.before)) && this.#noted === noted) this.#noted = undefined;
  }
}

function programOf(window: number): number {
  return window >>> OWN_BITS;
}

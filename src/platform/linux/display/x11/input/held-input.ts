import type { FakeInput, SentEvent } from './fake-input.ts';
import type { XEvent } from '../x11-library.ts';
import type { RootProperty } from './root-property.ts';

/** Keys by their keycode, buttons from here on. */
const FIRST_BUTTON = 0x100;
const KEYCODES = { first: 8, last: 255 };
/** Further buttons are notches of the wheel, which nobody holds. */
const LAST_HELD_BUTTON = 3;
/** Of a PropertyNotify. */
const SET = 0;
/** The note may be written by anybody. */
const MOST_NOTED = 300;

/**
 * What our own events hold down. It is noted on the root window before it goes down, so that whoever comes after us finds it when we are killed.
 * The note may name more than is down, never less.
 */
export class HeldInput {
  readonly #note: RootProperty;
  /** In the order in which they went down. */
  readonly #down = new Set<number>();
  #noted: ReadonlySet<number> = new Set();

  constructor(note: RootProperty) {
    this.#note = note;
  }

  /** What is down now: keycodes, and buttons as {@link buttonCode} has them. */
  get down(): readonly number[] {
    return [...this.#down];
  }

  beforeSend(event: SentEvent): void {
    if (event.kind === 'motion') return;
    const code = event.kind === 'key' ? event.keycode : buttonCode(event.button);
    if (code > buttonCode(LAST_HELD_BUTTON)) return;
    if (!event.isDown) {
      this.#down.delete(code);
      return;
    }
    this.#down.add(code);
    if (!this.#noted.has(code)) this.#write(new Set([...this.#noted, code]));
  }

  /** Brings the note in line with what is down, once it is known to be. */
  settle(): void {
    if (this.#noted.size === this.#down.size) return;
    this.#write(new Set(this.#down));
  }

  /** Lets go of `codes`, last pressed first. */
  release(fake: FakeInput, codes: readonly number[] = this.down): void {
    for (const code of codes.toReversed()) {
      if (code >= FIRST_BUTTON) fake.button(code - FIRST_BUTTON, false);
      else fake.key(code, false);
    }
  }

  /** Whether an event tells that something was noted: what goes down does so after that. */
  isNotedBy({ name, atom, state }: XEvent): boolean {
    return name === 'PropertyNotify' && atom === this.#note.atom && state === SET;
  }

  /** Whether anything is noted, by whomever. */
  async isNoted(): Promise<boolean> {
    return (await this.#note.readNumbers()).length > 0;
  }

  /** Lets go of what is noted though nobody is there who holds it. */
  async releaseLeftOver(fake: FakeInput): Promise<void> {
    const noted = await this.#note.readNumbers();
    const codes = noted.filter((code) => isCode(code)).slice(0, MOST_NOTED);
    this.release(fake, codes);
    if (noted.length > 0) await this.#note.remove();
  }

  /** When the display is lost, it says so elsewhere. */
  #write(codes: ReadonlySet<number>): void {
    this.#noted = codes;
    const written = codes.size > 0 ? this.#note.writeNumbers([...codes]) : this.#note.remove();
    written.catch(() => undefined);
  }
}

/** A button as {@link HeldInput.down} names it. */
export function buttonCode(button: number): number {
  return FIRST_BUTTON + button;
}

function isCode(code: number): boolean {
  const { first, last } = KEYCODES;
  return (code >= first && code <= last) || (code > FIRST_BUTTON && code <= buttonCode(LAST_HELD_BUTTON));
}

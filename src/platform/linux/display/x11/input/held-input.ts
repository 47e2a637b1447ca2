import type { FakeInput, SentEvent } from './fake-input.ts';
import type { XEvent } from '../x11-library.ts';
import type { X11Wire } from '../wire.ts';
import { RootProperty } from './root-property.ts';

/** Keys are identified by keycode, buttons by numbers from here on. */
const FIRST_BUTTON = 0x100;
const KEYCODES = { first: 8, last: 255 };
/** Higher buttons are wheel notches, which are never held. */
const LAST_HELD_BUTTON = 3;
/** State of a PropertyNotify event. */
const SET = 0;
/** Any client may write the record. */
const MAX_RECORDED = 300;

/**
 * Keys and buttons that our own events hold down. They are recorded on the root window before they go down, so that the next
 * process can release them if this one is killed. The record may contain more than is down, never less.
 */
export class HeldInput {
  readonly #record: RootProperty;
  /** In order of pressing. */
  readonly #down = new Set<number>();
  #recorded: ReadonlySet<number> = new Set();

  constructor(record: RootProperty) {
    this.#record = record;
  }

  /** Whether the record says that nothing is down. */
  get isClean(): boolean {
    return this.#recorded.size === 0;
  }

  /** What is down now: keycodes, and buttons as {@link buttonCode}. */
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
    if (!this.#recorded.has(code)) this.#write(new Set([...this.#recorded, code]));
  }

  /** Writes the record again unchanged: the event about it carries the time by the server's clock. */
  tellTime(): void {
    this.#write(new Set(this.#recorded));
  }

  /** Updates the record to what is down, once the server has confirmed it. */
  settle(): void {
    if (this.#recorded.size === this.#down.size) return;
    this.#write(new Set(this.#down));
  }

  /** Releases `codes`, last pressed first. */
  release(fake: FakeInput, codes: readonly number[] = this.down): void {
    for (const code of codes.toReversed()) {
      if (code >= FIRST_BUTTON) fake.button(code - FIRST_BUTTON, false);
      else fake.key(code, false);
    }
  }

  /** Whether an event shows that held input was recorded, which happens just before it goes down. */
  isRecordedBy({ name, atom, state }: XEvent): boolean {
    return name === 'PropertyNotify' && atom === this.#record.atom && state === SET;
  }

  /** Whether any process has held input recorded. */
  async isRecorded(): Promise<boolean> {
    return (await this.#record.readNumbers()).length > 0;
  }

  /** Releases recorded input whose holder no longer exists. */
  async releaseLeftOver(fake: FakeInput): Promise<void> {
    const recorded = await this.#record.readNumbers();
    const codes = recorded.filter((code) => isCode(code)).slice(0, MAX_RECORDED);
    this.release(fake, codes);
    if (recorded.length > 0) await this.#record.remove();
  }

  /** Errors are ignored: a loss of the display is reported elsewhere. */
  #write(codes: ReadonlySet<number>): void {
    this.#recorded = codes;
    const written = codes.size > 0 ? this.#record.writeNumbers([...codes]) : this.#record.remove();
    written.catch(() => undefined);
  }
}

/** Whether any process has held input recorded on the display. */
export async function isHeldRecorded(wire: X11Wire): Promise<boolean> {
  return (await heldRecord(wire).readNumbers()).length > 0;
}

/** The property with what the user's keyboard and pointer, or those of a seat of ours, hold for us. */
export function heldRecord(wire: X11Wire, isOwnSeat = false): RootProperty {
  return new RootProperty(wire, isOwnSeat ? '_DESKTERITY_SEAT_HELD' : '_DESKTERITY_HELD');
}

/** A button's code in {@link HeldInput.down}. */
export function buttonCode(button: number): number {
  return FIRST_BUTTON + button;
}

function isCode(code: number): boolean {
  const { first, last } = KEYCODES;
  return (code >= first && code <= last) || (code > FIRST_BUTTON && code <= buttonCode(LAST_HELD_BUTTON));
}

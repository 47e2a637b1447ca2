import { DeskterityError } from '../../../../model/errors.ts';
import { numbersOf } from '../properties.ts';
import type { X11Wire } from '../wire.ts';
import { decodeKey, plainKeyRecord } from './xkb-map.ts';
import type { MappedKey, XkbMap } from './xkb-map.ts';
import type { XkbRequests } from './xkb-requests.ts';

/** A key that bears something else for a while. */
interface Loan {
  readonly keycode: number;
  readonly keysym: number;
  /** What it had before. */
  readonly before: MappedKey;
}

/** On the root window while keys are borrowed, so that whoever comes after a process that was killed can give them back. */
export const LOANS_PROPERTY = '_DESKTERITY_BORROWED_KEYS';
const REPLACE = 0;
const CARDINAL = 6;
const MAX_WORDS = 1 << 14;
/** With fewer keys that bear nothing than this, rarely used ones are borrowed too. */
const FEW = 8;

/** Keys that bear nothing, lent to characters that the layout has not. */
export class SpareKeycodes {
  readonly #wire: X11Wire;
  readonly #xkb: XkbRequests;
  readonly #property: number;
  #loans: readonly Loan[] = [];

  private constructor(wire: X11Wire, xkb: XkbRequests, property: number) {
    this.#wire = wire;
    this.#xkb = xkb;
    this.#property = property;
  }

  static async open(wire: X11Wire, xkb: XkbRequests): Promise<SpareKeycodes> {
    return new SpareKeycodes(wire, xkb, await wire.internAtom(LOANS_PROPERTY));
  }

  isBorrowed(keycode: number): boolean {
    return this.#loans.some((loan) => loan.keycode === keycode);
  }

  get hasLoans(): boolean {
    return this.#loans.length > 0;
  }

  /**
   * Makes keys bear these keysyms, as many of them as there are keys for, from the first on. What else was borrowed is given back, in the same
   * request: window managers stall for seconds when each key changes by itself.
   * @param held keycodes that are down and keep what they bear
   * @throws DeskterityError ACTION_NOT_SUPPORTED when no key can be borrowed
   */
  async borrow(map: XkbMap, keysyms: readonly number[], held: ReadonlySet<number>): Promise<void> {
    const kept = this.#loans.filter(({ keycode }) => held.has(keycode));
    const free = this.#lendable(map).filter(({ keycode }) => !held.has(keycode));
    const loans = keysyms.slice(0, free.length).flatMap((keysym, index): Loan[] => {
      const before = free[index];
      return before === undefined ? [] : [{ keycode: before.keycode, keysym, before }];
    });
    if (loans.length === 0) throw noSpareKey();
    const changes = this.#givingBack(map, (loan) => !kept.includes(loan));
    for (const { keycode, keysym } of loans) changes.set(keycode, plainKeyRecord(keysym));
    this.#loans = [...kept, ...loans];
    await Promise.all([this.#note(), this.#xkb.setKeys(map, changes)]);
  }

  /** Gives all keys back what they had, but for those that bear something else by now. */
  async giveBack(map: XkbMap): Promise<void> {
    const changes = this.#givingBack(map, () => true);
    await Promise.all([changes.size === 0 ? undefined : this.#xkb.setKeys(map, changes), this.#forget()]);
    this.#loans = [];
  }

  /** Takes over what a process left borrowed that ended without giving back. */
  async adopt(): Promise<void> {
    if (this.hasLoans) return;
    const property = await this.#wire.request<{ readonly format: number; readonly data: Buffer }>(
      (client, done) => {
        client.GetProperty(0, this.#wire.root, this.#property, CARDINAL, 0, MAX_WORDS, done);
      },
    );
    this.#loans = decodeLoans(numbersOf({ type: CARDINAL, bytesAfter: 0, ...property }));
  }

  /** Records to write for loans that `selects` names and that still bear what they were lent for. */
  #givingBack(map: XkbMap, selects: (loan: Loan) => boolean): Map<number, Buffer> {
    const due = this.#loans.filter(
      (loan) => selects(loan) && bearsOnly(map.keys.get(loan.keycode), loan.keysym),
    );
    return new Map(due.map(({ keycode, before }) => [keycode, before.record]));
  }

  /** Keys as they are without us, those that bear nothing first. */
  #lendable(map: XkbMap): readonly MappedKey[] {
    const ours = new Map(this.#loans.map(({ keycode, before }) => [keycode, before]));
    const unbound = [...map.keys.values()]
      .filter(({ keycode }) => !map.modifiers.has(keycode))
      .map((key) => ours.get(key.keycode) ?? key);
    const empty = unbound.filter(({ keysyms }) => keysyms.every((keysym) => keysym === 0));
    if (empty.length >= FEW) return empty;
    const rare = unbound.filter(
      ({ keysyms, groupCount }) => groupCount === 1 && keysyms.length === 1 && keysyms.every(isRare),
    );
    return [...empty, ...rare];
  }

  async #note(): Promise<void> {
    const data = encodeLoans(this.#loans);
    await this.#wire.request<undefined>((client, done) => {
      client.ChangeProperty(REPLACE, this.#wire.root, this.#property, CARDINAL, 32, data, done);
    });
  }

  async #forget(): Promise<void> {
    await this.#wire.request<unknown>((client, done) => {
      client.GetProperty(1, this.#wire.root, this.#property, 0, 0, MAX_WORDS, done);
    });
  }
}

function bearsOnly(key: MappedKey | undefined, keysym: number): boolean {
  return key?.keysyms.length === 1 && key.keysyms[0] === keysym;
}

/** F13 to F35, and keys of media, power and applications that few keyboards have. */
function isRare(keysym: number): boolean {
  return (keysym >= 0xffca && keysym <= 0xffe0) || (keysym >= 0x1008_ff30 && keysym <= 0x1008_ffff);
}

/** For each loan: keycode, keysym, number of words, words of the record it had. */
function encodeLoans(loans: readonly Loan[]): Buffer {
  return Buffer.concat(
    loans.map(({ keycode, keysym, before }) => {
      const head = Buffer.alloc(12);
      head.writeUInt32LE(keycode, 0);
      head.writeUInt32LE(keysym, 4);
      head.writeUInt32LE(before.record.length / 4, 8);
      return Buffer.concat([head, before.record]);
    }),
  );
}

/** Any client may write there: what makes no sense ends the list. */
export function decodeLoans(words: readonly number[]): readonly Loan[] {
  const loans: Loan[] = [];
  for (let at = 0; at + 3 <= words.length;) {
    const [keycode = 0, keysym = 0, length = 0] = words.slice(at, at + 3);
    const bytes = Buffer.alloc(Math.min(length, MAX_WORDS) * 4);
    const record = words.slice(at + 3, at + 3 + length);
    if (keycode < 8 || keycode > 255 || record.length < 2 || record.length !== length) break;
    for (const [index, word] of record.entries()) bytes.writeUInt32LE(word, index * 4);
    if (bytes.readUInt16LE(6) !== length - 2) break;
    loans.push({ keycode, keysym, before: decodeKey(keycode, bytes) });
    at += 3 + length;
  }
  return loans;
}

function noSpareKey(): DeskterityError {
  return new DeskterityError(
    'ACTION_NOT_SUPPORTED',
    'The keyboard layout has no key for this, and no key is free to be borrowed for it.',
    {
      suggestion: 'Add a layout that has it (setxkbmap us,ru), or paste it: desk clipboard set.',
      delivered: false,
    },
  );
}

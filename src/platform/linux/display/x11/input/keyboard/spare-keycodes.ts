import type { X11Wire } from '../../wire.ts';
import { noSpareKey } from './keyboard-failures.ts';
import { decodeKey, keyRecord } from './xkb-map.ts';
import type { MappedKey, XkbMap } from './xkb-map.ts';
import type { XkbRequests } from './xkb-requests.ts';

/** A key that bears something else for a while. */
interface Loan {
  readonly keycode: number;
  readonly lent: MappedKey;
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

  /** @throws DeskterityError ACTION_NOT_SUPPORTED when no key can be borrowed */
  demand(map: XkbMap, held: ReadonlySet<number>, isDelivered: boolean): void {
    if (this.#lendable(map, held).length === 0) throw noSpareKey(isDelivered);
  }

  /**
   * Makes keys bear these keysyms, a list for each key, as many of them as there are keys for, from the first on. What else was borrowed is given
   * back, in the same request: window managers stall for seconds when each key changes by itself.
   * @param held keycodes that are down and keep what they bear
   */
  async borrow(
    map: XkbMap,
    wanted: readonly (readonly number[])[],
    held: ReadonlySet<number>,
  ): Promise<void> {
    const kept = this.#loans.filter(({ keycode }) => held.has(keycode));
    const free = this.#lendable(map, held);
    const loans = free.slice(0, wanted.length).map((before, index): Loan => {
      const { keycode } = before;
      return { keycode, lent: decodeKey(keycode, keyRecord(wanted[index] ?? [])), before };
    });
    const changes = this.#givingBack(map, (loan) => !kept.includes(loan));
    for (const { keycode, lent } of loans) changes.set(keycode, lent.record);
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
    this.#loans = property.format === 32 ? decodeLoans(property.data) : [];
  }

  /** Records to write for loans that `selects` names and that still bear what they were lent for. */
  #givingBack(map: XkbMap, selects: (loan: Loan) => boolean): Map<number, Buffer> {
    const due = this.#loans.filter((loan) => selects(loan) && isStanding(map, loan));
    return new Map(due.map(({ keycode, before }) => [keycode, before.record]));
  }

  /** Keys as they are without us, those that bear nothing first. */
  #lendable(map: XkbMap, held: ReadonlySet<number>): readonly MappedKey[] {
    const ours = new Map(
      this.#loans.flatMap((loan) => (isStanding(map, loan) ? [[loan.keycode, loan.before]] : [])),
    );
    const unbound = [...map.keys.values()]
      .filter(({ keycode }) => !map.modifiers.has(keycode) && !held.has(keycode))
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

/** Whether the key still bears what it was lent for: the layout may have been set anew since. */
function isStanding(map: XkbMap, { keycode, lent }: Loan): boolean {
  return map.keys.get(keycode)?.keysyms.join() === lent.keysyms.join();
}

/** F13 to F35, and keys of media, power and applications that few keyboards have. */
function isRare(keysym: number): boolean {
  return (keysym >= 0xffca && keysym <= 0xffe0) || (keysym >= 0x1008_ff30 && keysym <= 0x1008_ffff);
}

/** For each loan its keycode, then what it was lent for and what it had, as in the protocol. */
function encodeLoans(loans: readonly Loan[]): Buffer {
  return Buffer.concat(
    loans.flatMap(({ keycode, lent, before }) => {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(keycode);
      return [head, lent.record, before.record];
    }),
  );
}

/** Any client may write there: what makes no sense ends the list. */
export function decodeLoans(bytes: Buffer): readonly Loan[] {
  const loans: Loan[] = [];
  for (let at = 0; at < bytes.length;) {
    try {
      const keycode = bytes.readUInt32LE(at);
      const lent = decodeKey(keycode, bytes.subarray(at + 4));
      const before = decodeKey(keycode, bytes.subarray(at + 4 + lent.record.length));
      if (keycode < 8 || keycode > 255 || lent.keysyms.length === 0) break;
      loans.push({ keycode, lent, before });
      at += 4 + lent.record.length + before.record.length;
    } catch (error) {
      if (error instanceof RangeError) break;
      throw error;
    }
  }
  return loans;
}

import type { X11Wire } from '../../wire.ts';
import { RootProperty } from '../root-property.ts';
import { noSpareKey } from './keyboard-failures.ts';
import { decodeKey, keyRecord, type MappedKey, type XkbMap } from './xkb-map.ts';
import type { XkbRequests } from './xkb-requests.ts';

/** A temporarily remapped key. */
interface Loan {
  readonly keycode: number;
  readonly lent: MappedKey;
  /** Its original mapping. */
  readonly before: MappedKey;
}

/** Set on the root window while keys are borrowed, so that the next process can restore them if this one is killed. */
export const LOANS_PROPERTY = '_DESKTERITY_BORROWED_KEYS';
/** With fewer unused keys than this, rarely used ones are borrowed, too. */
const FEW = 8;

/** Unused keys, borrowed for characters that the layout lacks. */
export class SpareKeycodes {
  readonly #xkb: XkbRequests;
  readonly #property: RootProperty;
  #loans: readonly Loan[] = [];

  constructor(wire: X11Wire, xkb: XkbRequests) {
    this.#xkb = xkb;
    this.#property = new RootProperty(wire, LOANS_PROPERTY);
  }

  isBorrowed(keycode: number): boolean {
    return this.#loans.some((loan) => loan.keycode === keycode);
  }

  get hasLoans(): boolean {
    return this.#loans.length > 0;
  }

  /** @throws DeskterityError ACTION_NOT_SUPPORTED if no key can be borrowed */
  require(map: XkbMap, held: ReadonlySet<number>, isDelivered: boolean): void {
    if (this.#lendable(map, held).length === 0) throw noSpareKey(isDelivered);
  }

  /**
   * Maps keys to these keysyms, one list per key, for as many lists as there are keys. Other borrowed keys are restored in
   * the same request: window managers stall for seconds when keys change one by one.
   * @param held keycodes that are down and keep their mapping
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
    const changes = this.#restoration(map, (loan) => !kept.includes(loan));
    for (const { keycode, lent } of loans) changes.set(keycode, lent.record);
    this.#loans = [...kept, ...loans];
    await Promise.all([this.#property.writeData(encodeLoans(this.#loans)), this.#xkb.setKeys(map, changes)]);
  }

  /** Restores all borrowed keys except those that have been remapped since. */
  async restore(map: XkbMap): Promise<void> {
    const changes = this.#restoration(map, () => true);
    await Promise.all([
      changes.size === 0 ? undefined : this.#xkb.setKeys(map, changes),
      this.#property.remove(),
    ]);
    this.#loans = [];
  }

  /** Takes over the loans of a process that exited without restoring them. */
  async adopt(): Promise<void> {
    if (this.hasLoans) return;
    const property = await this.#property.read();
    this.#loans = property?.format === 32 ? decodeLoans(property.data) : [];
  }

  /** Original records of the selected loans that still have their borrowed mapping. */
  #restoration(map: XkbMap, selects: (loan: Loan) => boolean): Map<number, Buffer> {
    const due = this.#loans.filter((loan) => selects(loan) && isActive(map, loan));
    return new Map(due.map(({ keycode, before }) => [keycode, before.record]));
  }

  /** Keys that can be borrowed, with their original mapping; unused ones first. */
  #lendable(map: XkbMap, held: ReadonlySet<number>): readonly MappedKey[] {
    const ours = new Map(
      this.#loans.flatMap((loan) => (isActive(map, loan) ? [[loan.keycode, loan.before]] : [])),
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
}

/** Whether the key still has its borrowed mapping: the layout may have been replaced since. */
function isActive(map: XkbMap, { keycode, lent }: Loan): boolean {
  return map.keys.get(keycode)?.keysyms.join() === lent.keysyms.join();
}

/** F13 to F35, and media, power and application keys that few keyboards have. */
function isRare(keysym: number): boolean {
  return (keysym >= 0xffca && keysym <= 0xffe0) || (keysym >= 0x1008_ff30 && keysym <= 0x1008_ffff);
}

/** For each loan its keycode, then its borrowed and its original mapping in protocol format. */
function encodeLoans(loans: readonly Loan[]): Buffer {
  return Buffer.concat(
    loans.flatMap(({ keycode, lent, before }) => {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(keycode);
      return [head, lent.record, before.record];
    }),
  );
}

/** Any client may write the property: decoding stops at invalid data. */
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

import type { BodyReader } from '../../dbus/index.ts';
import type { StateBits } from './states.ts';

/** One object of Cache.GetItems, which never contains children, extents, actions, values or text. */
export interface CacheItem {
  readonly path: string;
  readonly parentPath: string;
  /** Position among its siblings; -1 if the toolkit does not report it. */
  readonly index: number;
  /** -1 if the toolkit does not report it. */
  readonly childCount: number;
  readonly interfaces: InterfaceSet;
  readonly name: string;
  readonly nativeRole: number;
  readonly description: string;
  readonly states: StateBits;
}

/** Bits for the interfaces that matter here. */
export type InterfaceSet = number;
export const IMPLEMENTS = {
  ACTION: 1,
  COMPONENT: 2,
  TEXT: 4,
  VALUE: 8,
  SELECTION: 16,
  TABLE: 32,
  EDITABLE_TEXT: 64,
  TABLE_CELL: 128,
} as const;

const BIT_BY_INTERFACE: Readonly<Record<string, number>> = {
  'org.a11y.atspi.Action': IMPLEMENTS.ACTION,
  'org.a11y.atspi.Component': IMPLEMENTS.COMPONENT,
  'org.a11y.atspi.Text': IMPLEMENTS.TEXT,
  'org.a11y.atspi.Value': IMPLEMENTS.VALUE,
  'org.a11y.atspi.Selection': IMPLEMENTS.SELECTION,
  'org.a11y.atspi.Table': IMPLEMENTS.TABLE,
  'org.a11y.atspi.EditableText': IMPLEMENTS.EDITABLE_TEXT,
  'org.a11y.atspi.TableCell': IMPLEMENTS.TABLE_CELL,
};

export function interfaceSet(names: readonly string[]): InterfaceSet {
  let set = 0;
  for (const name of names) set |= BIT_BY_INTERFACE[name] ?? 0;
  return set;
}

/** Reads an array; `alignment` is that of the element type. */
export function readArray<T>(reader: BodyReader, alignment: 4 | 8, read: (reader: BodyReader) => T): T[] {
  const bytes = reader.readUint32();
  reader.align(alignment);
  const end = reader.offset + bytes;
  const values: T[] = [];
  while (reader.offset < end) values.push(read(reader));
  return values;
}

/** Decodes both item layouts: `…iiassusau` (index and child count) and the older `…a(so)assusau` (child list). */
export function decodeCacheItems(reader: BodyReader, signature: string): CacheItem[] {
  const hasIndex = signature === 'a((so)(so)(so)iiassusau)';
  return readArray(reader, 8, () => decodeItem(reader, hasIndex));
}

function decodeItem(reader: BodyReader, hasIndex: boolean): CacheItem {
  reader.align(8);
  const path = readPath(reader);
  readPath(reader);
  const parentPath = readPath(reader);
  const index = hasIndex ? reader.readInt32() : -1;
  const childCount = hasIndex ? reader.readInt32() : readArray(reader, 8, readPath).length;
  const interfaces = readInterfaces(reader);
  const name = reader.readString();
  const nativeRole = reader.readUint32();
  const description = reader.readString();
  const states = readStateBits(reader);
  return { path, parentPath, index, childCount, interfaces, name, nativeRole, description, states };
}

/** The first two words of a state set; a later AT-SPI may send more. */
export function readStateBits(reader: BodyReader): StateBits {
  const bytes = reader.readUint32();
  const end = reader.offset + bytes;
  const states: StateBits = [bytes >= 4 ? reader.readUint32() : 0, bytes >= 8 ? reader.readUint32() : 0];
  while (reader.offset < end) reader.readUint32();
  return states;
}

function readPath(reader: BodyReader): string {
  reader.align(8);
  reader.skipString();
  return reader.readString();
}

/** The bytes of an array of interface names, and the set it decodes to. */
interface KnownArray {
  readonly bytes: Buffer;
  readonly set: InterfaceSet;
}

/** Applications have few kinds of objects: comparing a hundred bytes is cheaper than decoding ten names. */
const MAX_KNOWN_ARRAYS = 32;
const knownArrays: KnownArray[] = [];

export function readInterfaces(reader: BodyReader): InterfaceSet {
  const length = reader.readUint32();
  const { buffer, offset } = reader;
  const end = offset + length;
  if (end <= reader.end) {
    const known = knownArrays.findIndex(
      ({ bytes }) => bytes.length === length && bytes.compare(buffer, offset, end) === 0,
    );
    const found = knownArrays[known];
    if (found) {
      reader.offset = end;
      // Neighbours are alike, so the latest match is tried first.
      if (known > 0) knownArrays.unshift(...knownArrays.splice(known, 1));
      return found.set;
    }
  }
  let set = 0;
  while (reader.offset < end) set |= BIT_BY_INTERFACE[reader.readString()] ?? 0;
  knownArrays.unshift({ bytes: Buffer.from(buffer.subarray(offset, end)), set });
  knownArrays.length = Math.min(knownArrays.length, MAX_KNOWN_ARRAYS);
  return set;
}

/** The objects of a bulk read of an application, by path. */
export class CachedTree {
  private readonly byPath = new Map<string, CacheItem>();
  private readonly byParent = new Map<string, CacheItem[]>();
  private readonly isComplete: boolean;

  /** `isComplete`: the toolkit's cache contains every child it counts. */
  constructor(isComplete: boolean) {
    this.isComplete = isComplete;
  }

  add(items: readonly CacheItem[]): void {
    for (const item of items) {
      this.byPath.set(item.path, item);
      const siblings = this.byParent.get(item.parentPath);
      if (siblings) siblings.push(item);
      else this.byParent.set(item.parentPath, [item]);
    }
  }

  get(path: string): CacheItem | undefined {
    return this.byPath.get(path);
  }

  /**
   * An object's children in order, if the cache certainly contains them all: as many as the object counts, at indexes 0, 1,
   * 2 … GTK 4 keeps hidden children in its cache and omits new ones, so there only a child count of 0 is trusted.
   */
  childrenOf(item: CacheItem): readonly CacheItem[] | undefined {
    if (item.childCount === 0) return [];
    if (item.childCount < 0 || !this.isComplete) return undefined;
    const known = this.byParent.get(item.path) ?? [];
    if (known.length !== item.childCount) return undefined;
    known.sort((a, b) => a.index - b.index);
    return known.some((child, place) => child.index !== place) ? undefined : known;
  }
}

/** How keys of one type map modifiers to levels. */
interface KeyType {
  readonly modifiers: number;
  readonly levels: ReadonlyMap<number, number>;
}

/** The mapping of one key. */
export interface MappedKey {
  readonly keycode: number;
  readonly groupCount: number;
  readonly levelCount: number;
  /** Keysyms by group, each with `levelCount` levels; 0 for none. */
  readonly keysyms: readonly number[];
  /** In protocol format; writing it back restores the key. */
  readonly record: Buffer;
}

/** The keyboard as returned by the XKB request GetMap. */
export interface XkbMap {
  readonly minKeycode: number;
  readonly maxKeycode: number;
  readonly types: readonly KeyType[];
  /** By keycode. */
  readonly keys: ReadonlyMap<number, MappedKey>;
  /** The real modifiers that keys are bound to, by keycode; absent for none. */
  readonly modifiers: ReadonlyMap<number, number>;
}

const CORE_KEYBOARD = 0x100;
const GET_MAP = 8;
const SET_MAP = 9;
const KEY_TYPES = 1;
const KEY_SYMS = 2;
const MODIFIER_MAP = 4;
const WHOLE_LISTS = KEY_TYPES | KEY_SYMS | MODIFIER_MAP;
/** Fixed part of the reply, without the eight bytes that the package removes. */
const REPLY_HEAD = 32;
const KEY_HEAD = 8;
/** Predefined key types. */
const ONE_LEVEL = 0;
const ALPHABETIC = 2;

export function encodeGetMap(majorOpcode: number): Buffer {
  const bytes = Buffer.alloc(28);
  bytes.writeUInt8(majorOpcode, 0);
  bytes.writeUInt8(GET_MAP, 1);
  bytes.writeUInt16LE(bytes.length / 4, 2);
  bytes.writeUInt16LE(CORE_KEYBOARD, 4);
  bytes.writeUInt16LE(WHOLE_LISTS, 6);
  return bytes;
}

/** @param reply from its ninth byte. @throws RangeError if it is truncated */
export function decodeMap(reply: Buffer): XkbMap {
  const typeCount = reply.readUInt8(7);
  const firstKey = reply.readUInt8(9);
  const keyCount = reply.readUInt8(12);
  const modifierCount = reply.readUInt8(25);
  let at = REPLY_HEAD;

  const types: KeyType[] = [];
  for (let index = 0; index < typeCount; index += 1) {
    const entryCount = reply.readUInt8(at + 5);
    const isPreserving = reply.readUInt8(at + 6) !== 0;
    const levels = new Map<number, number>();
    for (let entry = 0; entry < entryCount; entry += 1) {
      const place = at + 8 + entry * 8;
      // An inactive entry is for a virtual modifier without keys.
      if (reply.readUInt8(place) !== 0) levels.set(reply.readUInt8(place + 1), reply.readUInt8(place + 2));
    }
    types.push({ modifiers: reply.readUInt8(at), levels });
    at += 8 + entryCount * (isPreserving ? 12 : 8);
  }

  const keys = new Map<number, MappedKey>();
  for (let keycode = firstKey; keycode < firstKey + keyCount; keycode += 1) {
    const key = decodeKey(keycode, reply.subarray(at));
    keys.set(keycode, key);
    at += key.record.length;
  }

  const modifiers = new Map<number, number>();
  for (let index = 0; index < modifierCount; index += 1) {
    modifiers.set(reply.readUInt8(at + index * 2), reply.readUInt8(at + index * 2 + 1));
  }
  return { minKeycode: reply.readUInt8(2), maxKeycode: reply.readUInt8(3), types, keys, modifiers };
}

/** @throws RangeError if the bytes are truncated */
export function decodeKey(keycode: number, bytes: Buffer): MappedKey {
  const count = bytes.readUInt16LE(6);
  const keysyms: number[] = [];
  for (let index = 0; index < count; index += 1) keysyms.push(bytes.readUInt32LE(KEY_HEAD + index * 4));
  return {
    keycode,
    groupCount: bytes.readUInt8(4) & 0x0f,
    levelCount: bytes.readUInt8(5),
    keysyms,
    record: Buffer.from(bytes.subarray(0, KEY_HEAD + count * 4)),
  };
}

/** A key with the same mapping in every group: one keysym for all modifiers, or a lower-case and an upper-case letter. */
export function keyRecord(keysyms: readonly number[]): Buffer {
  const bytes = Buffer.alloc(KEY_HEAD + keysyms.length * 4);
  bytes.writeUInt8(keysyms.length > 1 ? ALPHABETIC : ONE_LEVEL, 0);
  bytes.writeUInt8(1, 4);
  bytes.writeUInt8(keysyms.length, 5);
  bytes.writeUInt16LE(keysyms.length, 6);
  for (const [index, keysym] of keysyms.entries()) bytes.writeUInt32LE(keysym, KEY_HEAD + index * 4);
  return bytes;
}

/** One request that changes these keys. All keys between the lowest and the highest are written, unchanged. */
export function encodeSetKeys(
  majorOpcode: number,
  map: XkbMap,
  changes: ReadonlyMap<number, Buffer>,
): Buffer {
  const first = Math.min(...changes.keys());
  const last = Math.max(...changes.keys());
  const records: Buffer[] = [];
  for (let keycode = first; keycode <= last; keycode += 1) {
    const record = changes.get(keycode) ?? map.keys.get(keycode)?.record;
    records.push(record ?? Buffer.alloc(KEY_HEAD));
  }
  const head = Buffer.alloc(36);
  const body = Buffer.concat(records);
  head.writeUInt8(majorOpcode, 0);
  head.writeUInt8(SET_MAP, 1);
  head.writeUInt16LE((head.length + body.length) / 4, 2);
  head.writeUInt16LE(CORE_KEYBOARD, 4);
  head.writeUInt16LE(KEY_SYMS, 6);
  head.writeUInt8(map.minKeycode, 10);
  head.writeUInt8(map.maxKeycode, 11);
  head.writeUInt8(first, 14);
  head.writeUInt8(records.length, 15);
  head.writeUInt16LE(
    records.reduce((total, record) => total + (record.length - KEY_HEAD) / 4, 0),
    16,
  );
  return Buffer.concat([head, body]);
}

/** The group that a key uses when `group` is active; `undefined` if it has no keysyms. */
function groupOf(key: MappedKey, group: number): number | undefined {
  if (key.groupCount === 0) return undefined;
  if (group < key.groupCount) return group;
  const info = key.record.readUInt8(4);
  if ((info & 0xc0) === 0x40) return key.groupCount - 1;
  if ((info & 0xc0) === 0x80) {
    const instead = (info >> 4) & 3;
    return instead < key.groupCount ? instead : 0;
  }
  return group % key.groupCount;
}

/** The keysym of a key with these modifiers and this group; 0 for none. */
export function keysymOf(map: XkbMap, key: MappedKey, group: number, modifiers: number): number {
  const own = groupOf(key, group);
  if (own === undefined) return 0;
  const type = map.types[key.record.readUInt8(own)];
  const level = type?.levels.get(modifiers & type.modifiers) ?? 0;
  return key.keysyms[own * key.levelCount + level] ?? 0;
}

/**
 * Requests of version 2 of the X Input Extension, as bytes (XI2proto.h). Replies are given from their ninth byte on, as the package leaves them.
 */

const OPCODES = {
  QueryPointer: 40,
  WarpPointer: 41,
  ChangeCursor: 42,
  ChangeHierarchy: 43,
  SetClientPointer: 44,
  SetFocus: 49,
  GetFocus: 50,
  GrabDevice: 51,
  UngrabDevice: 52,
} as const;

const ADD_MASTER = 1;
const REMOVE_MASTER = 2;
/** What is attached to a removed master goes to another one. */
const ATTACH_TO_MASTER = 1;
const CURRENT_TIME = 0;
const NONE = 0;
const SYNCHRONOUS = 0;
const ASYNCHRONOUS = 1;

/** A pair of a pointer and a keyboard. */
export interface DevicePair {
  readonly pointer: number;
  readonly keyboard: number;
}

/** Adds a pair of master devices: `NAME pointer` and `NAME keyboard`. */
export function encodeAddMaster(majorOpcode: number, name: string): Buffer {
  const text = Buffer.from(name);
  const length = 8 + padded(text.length);
  const bytes = request(majorOpcode, OPCODES.ChangeHierarchy, 8 + length);
  bytes.writeUInt8(1, 4);
  bytes.writeUInt16LE(ADD_MASTER, 8);
  bytes.writeUInt16LE(length / 4, 10);
  bytes.writeUInt16LE(text.length, 12);
  // Its events are also core events, which programs without this extension receive; it is enabled.
  bytes.writeUInt8(1, 14);
  bytes.writeUInt8(1, 15);
  text.copy(bytes, 16);
  return bytes;
}

/** Removes a pair of master devices. Devices that somebody attached to it go to `heir`. */
export function encodeRemoveMaster(majorOpcode: number, pointer: number, heir: DevicePair): Buffer {
  const bytes = request(majorOpcode, OPCODES.ChangeHierarchy, 20);
  bytes.writeUInt8(1, 4);
  bytes.writeUInt16LE(REMOVE_MASTER, 8);
  bytes.writeUInt16LE(3, 10);
  bytes.writeUInt16LE(pointer, 12);
  bytes.writeUInt8(ATTACH_TO_MASTER, 14);
  bytes.writeUInt16LE(heir.pointer, 16);
  bytes.writeUInt16LE(heir.keyboard, 18);
  return bytes;
}

/** From then on, core requests and XTEST events of the sending connection concern this pair. */
export function encodeSetClientPointer(majorOpcode: number, pointer: number): Buffer {
  const bytes = request(majorOpcode, OPCODES.SetClientPointer, 12);
  bytes.writeUInt32LE(NONE, 4);
  bytes.writeUInt16LE(pointer, 8);
  return bytes;
}

/** @param window 0 for none */
export function encodeSetFocus(majorOpcode: number, keyboard: number, window: number): Buffer {
  const bytes = request(majorOpcode, OPCODES.SetFocus, 16);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(CURRENT_TIME, 8);
  bytes.writeUInt16LE(keyboard, 12);
  return bytes;
}

export function encodeGetFocus(majorOpcode: number, keyboard: number): Buffer {
  const bytes = request(majorOpcode, OPCODES.GetFocus, 8);
  bytes.writeUInt16LE(keyboard, 4);
  return bytes;
}

export function decodeFocus(reply: Buffer): number {
  return reply.readUInt32LE(0);
}

/** Freezes a keyboard: what it sends is kept, and delivered as usual once the grab ends. */
export function encodeFreeze(majorOpcode: number, keyboard: number, window: number): Buffer {
  const bytes = request(majorOpcode, OPCODES.GrabDevice, 24);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(CURRENT_TIME, 8);
  bytes.writeUInt32LE(NONE, 12);
  bytes.writeUInt16LE(keyboard, 16);
  bytes.writeUInt8(SYNCHRONOUS, 18);
  bytes.writeUInt8(ASYNCHRONOUS, 19);
  return bytes;
}

const GRABBED = 0;

/** Whether the keyboard is frozen now. It is not if another program has it, as an open menu does. */
export function decodeFreeze(reply: Buffer): boolean {
  return reply.readUInt8(0) === GRABBED;
}

export function encodeThaw(majorOpcode: number, keyboard: number): Buffer {
  const bytes = request(majorOpcode, OPCODES.UngrabDevice, 12);
  bytes.writeUInt32LE(CURRENT_TIME, 4);
  bytes.writeUInt16LE(keyboard, 8);
  return bytes;
}

export function encodeQueryPointer(majorOpcode: number, pointer: number, window: number): Buffer {
  const bytes = request(majorOpcode, OPCODES.QueryPointer, 12);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt16LE(pointer, 8);
  return bytes;
}

/** @param to pixels from the top left of the window; what is outside the screen is moved to its edge */
export function encodeWarpPointer(
  majorOpcode: number,
  pointer: number,
  to: { readonly window: number; readonly x: number; readonly y: number },
): Buffer {
  const bytes = request(majorOpcode, OPCODES.WarpPointer, 36);
  bytes.writeUInt32LE(NONE, 4);
  bytes.writeUInt32LE(to.window, 8);
  // As parts of 65,536.
  bytes.writeInt32LE(to.x << 16, 24);
  bytes.writeInt32LE(to.y << 16, 28);
  bytes.writeUInt16LE(pointer, 32);
  return bytes;
}

/** What a pointer looks like in a window, whatever the window's own cursor is. @param cursor 0 for that of the window */
export function encodeChangeCursor(
  majorOpcode: number,
  pointer: number,
  window: number,
  cursor: number,
): Buffer {
  const bytes = request(majorOpcode, OPCODES.ChangeCursor, 16);
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(cursor, 8);
  bytes.writeUInt16LE(pointer, 12);
  return bytes;
}

/** The child of the queried window that a pointer is in, 0 for none. */
export function decodePointerChild(reply: Buffer): number {
  return reply.readUInt32LE(4);
}

function request(majorOpcode: number, opcode: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUInt8(majorOpcode, 0);
  bytes.writeUInt8(opcode, 1);
  bytes.writeUInt16LE(length / 4, 2);
  return bytes;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}

import { viewOf } from './marshalling/body-reader.ts';
import { protocolError } from './bus-error.ts';
import { FIXED_HEADER } from './frame.ts';
import { MESSAGE_TYPE } from './marshalling/header.ts';
import { isPathCode } from './names.ts';
import type { PreparedCall } from './prepared-call.ts';

const CHUNK = 64 * 1024;
const SPARES = 4;

// 'l', type, version 1; the third byte holds the flags.
const CALL_WORD = 0x6c | (MESSAGE_TYPE.METHOD_CALL << 8) | (1 << 24);
const SIGNAL_WORD = 0x6c | (MESSAGE_TYPE.SIGNAL << 8) | (1 << 24);
// Path field: code 1, signature "o".
const PATH_WORD = 1 | (1 << 8) | (0x6f << 16);

/** Writes a chunk and calls back when its memory may be reused. */
export type WriteChunk = (bytes: Buffer, done: () => void) => void;

/** Collects outgoing messages and writes them once per microtask. */
export class Outbox {
  readonly #write: WriteChunk;
  readonly #chunkBytes: number;
  readonly #spares: Buffer[] = [];
  #bytes: Buffer;
  #view: DataView;
  #length = 0;
  #flushing = false;

  constructor(write: WriteChunk, chunkBytes = CHUNK) {
    this.#write = write;
    this.#chunkBytes = chunkBytes;
    this.#bytes = Buffer.allocUnsafeSlow(chunkBytes);
    this.#view = viewOf(this.#bytes);
  }

  /** Adds a method call; throws `local.Protocol` for a bad path without adding anything. */
  addCall(call: PreparedCall, path: string, serial: number): void {
    this.#add(CALL_WORD, call, path, serial);
  }

  /** Adds a signal, which is laid out like a call; throws as {@link addCall} does. */
  addSignal(signal: PreparedCall, path: string, serial: number): void {
    this.#add(SIGNAL_WORD, signal, path, serial);
  }

  #add(word: number, call: PreparedCall, path: string, serial: number): void {
    const { tail } = call;
    const pathField = (8 + path.length + 1 + 7) & ~7;
    const start = this.#reserve(FIXED_HEADER + pathField + tail.length);
    const view = this.#view;
    this.#writePath(path, start + FIXED_HEADER + 8, start + FIXED_HEADER + pathField);
    view.setUint32(start, word | (call.flags << 16), true);
    view.setUint32(start + 4, call.bodyLength, true);
    view.setUint32(start + 8, serial, true);
    view.setUint32(start + 12, pathField + call.fieldsLength, true);
    view.setUint32(start + 16, PATH_WORD, true);
    view.setUint32(start + 20, path.length, true);
    this.#bytes.set(tail, start + FIXED_HEADER + pathField);
    this.#added(FIXED_HEADER + pathField + tail.length);
  }

  /** Adds a complete message. */
  addMessage(message: Buffer): void {
    const start = this.#reserve(message.length);
    this.#bytes.set(message, start);
    this.#added(message.length);
  }

  /** Writes immediately what was added. */
  flush(): void {
    this.#flushing = false;
    if (this.#length === 0) return;
    const bytes = this.#bytes;
    const used = bytes.subarray(0, this.#length);
    this.#replace(this.#spares.pop() ?? Buffer.allocUnsafeSlow(this.#chunkBytes));
    this.#write(used, () => {
      if (bytes.length === this.#chunkBytes && this.#spares.length < SPARES) this.#spares.push(bytes);
    });
  }

  // Checks and writes the path in one pass, then the NUL and padding.
  #writePath(path: string, at: number, end: number): void {
    const bytes = this.#bytes;
    let last = 0;
    for (let index = 0; index < path.length; index++) {
      const code = path.charCodeAt(index);
      const isSlash = code === 47;
      if (isSlash ? last === 47 : index === 0 || !isPathCode(code)) throw badPath(path);
      bytes[at + index] = code;
      last = code;
    }
    if (path.length === 0 || (last === 47 && path.length > 1)) throw badPath(path);
    for (let rest = at + path.length; rest < end; rest++) bytes[rest] = 0;
  }

  #reserve(length: number): number {
    if (this.#length + length > this.#bytes.length) {
      this.flush();
      if (length > this.#bytes.length) this.#replace(Buffer.allocUnsafeSlow(length));
    }
    return this.#length;
  }

  #added(length: number): void {
    this.#length += length;
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => this.flush());
  }

  #replace(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#length = 0;
  }
}

function badPath(path: string): Error {
  return protocolError(`${JSON.stringify(path.slice(0, 80))} is not an object path`);
}

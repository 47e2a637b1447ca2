/** Object and opcode with size, four bytes each. */
const HEADER_BYTES = 8;
/** libwayland ends connections with larger messages. */
export const MAX_MESSAGE_BYTES = 4096;
const MAX_FIXED = 2 ** 23;

/** An argument: a number for `i u f o n h`, a string for `s`, bytes for `a`. */
export type WireValue = number | string | Uint8Array;

/** One message in either direction. */
export interface Message {
  readonly object: number;
  readonly opcode: number;
  readonly body: Buffer;
}

/** The peer sent what the protocol does not allow. Internal to this folder: callers see the loss of the display. */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/**
 * A message as bytes, with the descriptors that accompany it.
 * @throws WireError if the arguments do not fit the signature or the message would be too long
 */
export function encodeMessage(
  { object, opcode }: Pick<Message, 'object' | 'opcode'>,
  signature: string,
  values: readonly WireValue[],
): { readonly bytes: Buffer; readonly descriptors: readonly number[] } {
  if (values.length !== signature.length)
    throw new WireError(`${values.length} arguments for the signature "${signature}"`);
  const descriptors: number[] = [];
  const parts: Buffer[] = [];
  for (const [index, code] of Array.from(signature).entries()) {
    const value = values[index];
    if (code === 's' && typeof value === 'string') parts.push(encodeString(value));
    else if (code === 'a' && value instanceof Uint8Array) parts.push(counted(value, value.length));
    else if (typeof value !== 'number') throw new WireError(`argument ${index} is not of type ${code}`);
    else if (code === 'h') descriptors.push(value);
    else parts.push(encodeNumber(code, value));
  }
  const size = parts.reduce((sum, { length }) => sum + length, HEADER_BYTES);
  if (size > MAX_MESSAGE_BYTES) throw new WireError(`a message of ${size} bytes is too long`);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(object, 0);
  header.writeUInt32LE(((size << 16) | opcode) >>> 0, 4);
  return { bytes: Buffer.concat([header, ...parts]), descriptors };
}

/**
 * The arguments of a message.
 * @param takeDescriptor the next descriptor that arrived on the connection
 * @throws WireError if the body does not have exactly these arguments
 */
export function decodeArguments(
  signature: string,
  body: Buffer,
  takeDescriptor: () => number | undefined,
): WireValue[] {
  let at = 0;
  const word = (): number => {
    if (at + 4 > body.length) throw new WireError(`the arguments "${signature}" are cut off`);
    at += 4;
    return body.readUInt32LE(at - 4);
  };
  const block = (): Buffer => {
    const length = word();
    const end = at + length;
    if (end > body.length) throw new WireError(`an argument of ${length} bytes is longer than its message`);
    const bytes = body.subarray(at, end);
    at = Math.min(body.length, end + padding(length));
    return bytes;
  };
  const values = Array.from(signature, (code): WireValue => {
    if (code === 's') return decodeString(block());
    if (code === 'a') return Buffer.from(block());
    if (code === 'h') {
      const descriptor = takeDescriptor();
      if (descriptor === undefined) throw new WireError('a descriptor is missing');
      return descriptor;
    }
    const value = word();
    if (code === 'i') return value | 0;
    return code === 'f' ? (value | 0) / 256 : value;
  });
  if (at !== body.length) throw new WireError(`${body.length - at} bytes more than "${signature}"`);
  return values;
}

function encodeNumber(code: string, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  if (code === 'f') {
    if (!(Math.abs(value) < MAX_FIXED)) throw new WireError(`${value} does not fit a fixed-point number`);
    bytes.writeInt32LE(Math.round(value * 256));
  } else if (code === 'i') bytes.writeInt32LE(checked(value, -(2 ** 31), 2 ** 31 - 1));
  else bytes.writeUInt32LE(checked(value, 0, 2 ** 32 - 1));
  return bytes;
}

function checked(value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new WireError(`${value} is not an integer from ${least} to ${most}`);
}

function encodeString(text: string): Buffer {
  if (text.includes('\0')) throw new WireError('a string contains NUL');
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  return counted(bytes, bytes.length);
}

function decodeString(bytes: Buffer): string {
  // Length 0 is the null string, which we treat as empty.
  if (bytes.length === 0) return '';
  if (bytes[bytes.length - 1] !== 0) throw new WireError('a string does not end with NUL');
  return bytes.toString('utf8', 0, bytes.length - 1);
}

function counted(bytes: Uint8Array, length: number): Buffer {
  const block = Buffer.alloc(4 + length + padding(length));
  block.writeUInt32LE(length);
  block.set(bytes, 4);
  return block;
}

function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}

/** Cuts the byte stream of a peer into messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);

  /** @throws WireError for a size that no message has */
  push(chunk: Uint8Array): Message[] {
    let bytes = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk]);
    const messages: Message[] = [];
    while (bytes.length >= HEADER_BYTES) {
      const word = bytes.readUInt32LE(4);
      const size = word >>> 16;
      if (size < HEADER_BYTES || size > MAX_MESSAGE_BYTES || size % 4 !== 0)
        throw new WireError(`a message claims ${size} bytes`);
      if (bytes.length < size) break;
      messages.push({
        object: bytes.readUInt32LE(0),
        opcode: word & 0xffff,
        body: bytes.subarray(HEADER_BYTES, size),
      });
      bytes = bytes.subarray(size);
    }
    this.#rest = bytes;
    return messages;
  }
}

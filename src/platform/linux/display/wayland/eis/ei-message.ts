/** Bytes before the arguments: the object (64 bits), the length of the whole message, the number of the request or event. */
const HEADER_BYTES = 16;
/** Ours never come near it; a server that sends more is broken or hostile. */
const LONGEST_MESSAGE = 64 * 1024;

export type EiValue = number | bigint | string;

export interface EiMessage {
  readonly object: bigint;
  readonly opcode: number;
  readonly body: Buffer;
}

/** The stream breaks the protocol. */
export class EiError extends Error {}

/** One message, little endian as the protocol is on these processors. @param signature as in `protocol.ts` */
export function encodeEi(
  object: bigint,
  opcode: number,
  signature: string,
  values: readonly EiValue[],
): Buffer {
  const body = signature.split('').map((code, index) => encodeValue(code, values[index] ?? 0));
  const length = HEADER_BYTES + body.reduce((sum, { length: bytes }) => sum + bytes, 0);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeBigUInt64LE(object, 0);
  header.writeUInt32LE(length, 8);
  header.writeUInt32LE(opcode, 12);
  return Buffer.concat([header, ...body]);
}

function encodeValue(code: string, value: EiValue): Buffer {
  if (code === 's') return encodeText(String(value));
  const bytes = Buffer.alloc(code === 't' ? 8 : 4);
  if (code === 't') bytes.writeBigUInt64LE(BigInt(value));
  else if (code === 'f') bytes.writeFloatLE(Number(value));
  else if (code === 'i') bytes.writeInt32LE(Number(value));
  else bytes.writeUInt32LE(Number(value));
  return bytes;
}

/** Its length with the NUL, then the text, filled up to whole words. */
function encodeText(text: string): Buffer {
  const content = Buffer.from(`${text}\0`, 'utf8');
  const bytes = Buffer.alloc(4 + Math.ceil(content.length / 4) * 4);
  bytes.writeUInt32LE(content.length);
  bytes.set(content, 4);
  return bytes;
}

/** The arguments of an event. @throws EiError if the body is not that of the signature */
export function decodeEi(signature: string, body: Buffer): readonly EiValue[] {
  let at = 0;
  const take = (bytes: number): number => {
    const from = at;
    at += bytes;
    if (at > body.length) throw new EiError('a message is shorter than its arguments');
    return from;
  };
  return signature
    .split('')
    .filter((code) => code !== 'h')
    .map((code): EiValue => {
      switch (code) {
        case 't':
          return body.readBigUInt64LE(take(8));
        case 'f':
          return body.readFloatLE(take(4));
        case 'i':
          return body.readInt32LE(take(4));
        case 's': {
          const length = body.readUInt32LE(take(4));
          if (length === 0) return '';
          const from = take(Math.ceil(length / 4) * 4);
          return body.toString('utf8', from, from + length - 1);
        }
        default:
          return body.readUInt32LE(take(4));
      }
    });
}

/** Splits a stream into messages. */
export class EiReader {
  #held: Buffer = Buffer.alloc(0);

  /** @throws EiError */
  *push(bytes: Buffer): Generator<EiMessage> {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    while (this.#held.length >= HEADER_BYTES) {
      const length = this.#held.readUInt32LE(8);
      if (length < HEADER_BYTES || length > LONGEST_MESSAGE)
        throw new EiError(`a message of ${length} bytes`);
      if (this.#held.length < length) return;
      const message = this.#held.subarray(0, length);
      this.#held = this.#held.subarray(length);
      yield {
        object: message.readBigUInt64LE(0),
        opcode: message.readUInt32LE(12),
        body: message.subarray(HEADER_BYTES),
      };
    }
  }
}

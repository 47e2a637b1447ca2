import type { BodyReader } from './body-reader.ts';
import type { BodyWriter } from './body-writer.ts';
import { protocolError } from '../bus-error.ts';
import { decodeVariant } from './decode.ts';
import { isBusName, isInterfaceName, isMemberName } from '../names.ts';
import type { BusValue } from './value.ts';

/** Message types (specification, "Message Format"). */
export const MESSAGE_TYPE = { METHOD_CALL: 1, METHOD_RETURN: 2, ERROR: 3, SIGNAL: 4 } as const;

/** Message flags. */
export const MESSAGE_FLAG = { NO_REPLY_EXPECTED: 1, NO_AUTO_START: 2 } as const;

/** Header field codes. */
export const FIELD = {
  PATH: 1,
  INTERFACE: 2,
  MEMBER: 3,
  ERROR_NAME: 4,
  REPLY_SERIAL: 5,
  DESTINATION: 6,
  SENDER: 7,
  SIGNATURE: 8,
  UNIX_FDS: 9,
} as const;

/** All fields of a message that is not a reply to us. */
export interface HeaderFields {
  readonly path: string | undefined;
  readonly interface: string | undefined;
  readonly member: string | undefined;
  readonly sender: string | undefined;
  readonly destination: string | undefined;
  readonly signature: string;
  /** How many descriptors it came with. */
  readonly descriptors: number;
}

const FIELD_TYPE: Readonly<Record<number, string>> = {
  [FIELD.PATH]: 'o',
  [FIELD.INTERFACE]: 's',
  [FIELD.MEMBER]: 's',
  [FIELD.ERROR_NAME]: 's',
  [FIELD.REPLY_SERIAL]: 'u',
  [FIELD.DESTINATION]: 's',
  [FIELD.SENDER]: 's',
  [FIELD.SIGNATURE]: 'g',
  [FIELD.UNIX_FDS]: 'u',
};

/** Reads one header field, including one with an unknown code. */
export function readHeaderField(reader: BodyReader): { code: number; value: BusValue } {
  reader.align(8);
  const code = reader.readByte();
  const { signature, value } = decodeVariant(reader, 2);
  const expected = FIELD_TYPE[code];
  if (code === 0) throw protocolError('header field 0');
  if (expected !== undefined && expected !== signature) {
    throw protocolError(`header field ${code} of type ${signature}`);
  }
  return { code, value };
}

/** Writes one header field with the type of its code. */
export function writeHeaderField(writer: BodyWriter, code: number, value: string | number): void {
  const type = FIELD_TYPE[code] ?? 's';
  writer.align(8);
  writer.byte(code);
  writer.signature(type);
  if (typeof value === 'number') writer.uint32(value);
  else if (type === 'g') writer.signature(value);
  else writer.string(value);
}

function collect(reader: BodyReader): ReadonlyMap<number, BusValue> {
  const fields = new Map<number, BusValue>();
  while (reader.offset < reader.end) {
    const { code, value } = readHeaderField(reader);
    if (fields.has(code)) throw protocolError(`header field ${code} is given twice`);
    fields.set(code, value);
  }
  return fields;
}

/** Reads all header fields; `reader` starts at the message and is positioned at its first field. */
export function readHeaderFields(reader: BodyReader): HeaderFields {
  const fields = collect(reader);
  const named = (code: number, isValid: (text: string) => boolean): string | undefined => {
    const value = fields.get(code);
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || !isValid(value)) throw protocolError(`bad name in header field ${code}`);
    return value;
  };
  return {
    path: named(FIELD.PATH, () => true),
    interface: named(FIELD.INTERFACE, isInterfaceName),
    member: named(FIELD.MEMBER, isMemberName),
    sender: named(FIELD.SENDER, isBusName),
    destination: named(FIELD.DESTINATION, isBusName),
    signature: named(FIELD.SIGNATURE, () => true) ?? '',
    descriptors: Number(fields.get(FIELD.UNIX_FDS) ?? 0),
  };
}

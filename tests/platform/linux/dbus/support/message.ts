import { type BusValue, Variant } from '../../../../../src/platform/linux/dbus/index.ts';
import { encodeBody } from '../../../../../src/platform/linux/dbus/marshalling/encode.ts';

/** Parts of a message, any of which may be wrong. */
export interface MessageParts {
  readonly type: number;
  readonly serial?: number;
  readonly flags?: number;
  readonly version?: number;
  /** Header fields: code, type, value. */
  readonly fields: readonly (readonly [number, string, BusValue])[];
  readonly signature?: string;
  readonly values?: readonly BusValue[];
  /** The bytes of the body, instead of `values`. */
  readonly body?: Buffer;
  readonly littleEndian?: boolean;
}

/** Builds a message as bytes, in either byte order. The signature field is added if there is a signature. */
export function buildMessage(parts: MessageParts): Buffer {
  const { littleEndian = true, signature = '' } = parts;
  const body = parts.body ?? encodeBody(signature, parts.values ?? [], littleEndian);
  const fields = signature === '' ? parts.fields : [...parts.fields, [8, 'g', signature] as const];
  const header = encodeBody(
    'yyyyuua(yv)',
    [
      littleEndian ? 0x6c : 0x42,
      parts.type,
      parts.flags ?? 0,
      parts.version ?? 1,
      body.length,
      parts.serial ?? 1,
      fields.map(([code, type, value]) => [code, new Variant(type, value)]),
    ],
    littleEndian,
  );
  return Buffer.concat([header, Buffer.alloc(-header.length & 7), body]);
}

/** A method return. */
export function buildReply(replySerial: number, parts: Partial<MessageParts> = {}): Buffer {
  return buildMessage({
    type: 2,
    serial: 9,
    ...parts,
    fields: [[5, 'u', replySerial], ...(parts.fields ?? [])],
  });
}

import { BodyWriter } from './marshalling/body-writer.ts';
import { protocolError } from './bus-error.ts';
import { encodeBody } from './marshalling/encode.ts';
import { FIELD, MESSAGE_FLAG, writeHeaderField } from './marshalling/header.ts';
import { isBusName, isInterfaceName, isMemberName } from './names.ts';
import { parseSignature } from './marshalling/signature.ts';
import type { BusValue } from './marshalling/value.ts';

/** A method call (specification, "Message Types"). Without `destination` it goes directly to the peer. */
export interface Call {
  readonly destination?: string | undefined;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Types of `args`; without a signature the call has no body. */
  readonly signature?: string | undefined;
  readonly args?: readonly BusValue[] | undefined;
  /** How many descriptors go with it; `h` in the body is the number of one, from 0 on. */
  readonly descriptors?: number | undefined;
  /** Do not start the owner of `destination` for this call. */
  readonly noAutoStart?: boolean | undefined;
  /** Do not wait for a reply. */
  readonly noReplyExpected?: boolean | undefined;
}

/** A signal to send. */
export type Signal = Pick<Call, 'path' | 'interface' | 'member' | 'signature' | 'args'>;

/** A call as bytes, except its path and serial. */
export interface PreparedCall {
  readonly destination: string | undefined;
  readonly flags: number;
  readonly noReply: boolean;
  /** Everything after the padded path field: other header fields, padding and body. */
  readonly tail: Buffer;
  /** Length of the header fields in {@link tail}, without the padding after the last. */
  readonly fieldsLength: number;
  readonly bodyLength: number;
}

function checked(text: string, isValid: (text: string) => boolean, what: string): string {
  if (!isValid(text)) throw protocolError(`${JSON.stringify(text.slice(0, 80))} is not a valid ${what} name`);
  return text;
}

/** Encodes everything except path and serial; throws `local.Protocol` for invalid names or values. */
export function prepareCall(call: Omit<Call, 'path'>): PreparedCall {
  const { destination, signature = '', args = [] } = call;
  const writer = new BodyWriter();
  writeHeaderField(writer, FIELD.INTERFACE, checked(call.interface, isInterfaceName, 'interface'));
  writeHeaderField(writer, FIELD.MEMBER, checked(call.member, isMemberName, 'member'));
  if (destination !== undefined) {
    writeHeaderField(writer, FIELD.DESTINATION, checked(destination, isBusName, 'bus'));
  }
  parseSignature(signature);
  if (signature !== '') writeHeaderField(writer, FIELD.SIGNATURE, signature);
  if (call.descriptors !== undefined) writeHeaderField(writer, FIELD.UNIX_FDS, call.descriptors);
  const fieldsLength = writer.length;
  writer.align(8);
  const body = encodeBody(signature, args);
  writer.raw(body);
  const noReply = call.noReplyExpected === true;
  return {
    destination,
    flags:
      (noReply ? MESSAGE_FLAG.NO_REPLY_EXPECTED : 0) |
      (call.noAutoStart === true ? MESSAGE_FLAG.NO_AUTO_START : 0),
    noReply,
    tail: writer.toBuffer(),
    fieldsLength,
    bodyLength: body.length,
  };
}

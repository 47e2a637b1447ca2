import { BodyWriter } from './marshalling/body-writer.ts';
import type { BusError } from './bus-error.ts';
import { encodeBody } from './marshalling/encode.ts';
import { FIXED_HEADER } from './frame.ts';
import { FIELD, MESSAGE_FLAG, MESSAGE_TYPE } from './marshalling/header.ts';
import type { MethodCallMessage } from './message.ts';
import { isInterfaceName } from './names.ts';
import type { BusValue } from './marshalling/value.ts';

/** What a served method returns. */
export interface MethodReply {
  readonly signature?: string | undefined;
  readonly values?: readonly BusValue[] | undefined;
}

const LITTLE_ENDIAN_MARK = 0x6c;

function encodeReply(
  call: MethodCallMessage,
  serial: number,
  content: { errorName?: string; signature: string; values: readonly BusValue[] },
): Buffer {
  const body = encodeBody(content.signature, content.values);
  const writer = new BodyWriter();
  writer.byte(LITTLE_ENDIAN_MARK);
  writer.byte(content.errorName === undefined ? MESSAGE_TYPE.METHOD_RETURN : MESSAGE_TYPE.ERROR);
  writer.byte(MESSAGE_FLAG.NO_REPLY_EXPECTED);
  writer.byte(1);
  writer.uint32(body.length);
  writer.uint32(serial);
  writer.array(8, () => {
    const field = (code: number, type: string, write: () => void): void => {
      writer.align(8);
      writer.byte(code);
      writer.signature(type);
      write();
    };
    field(FIELD.REPLY_SERIAL, 'u', () => writer.uint32(call.serial));
    const { sender } = call;
    const { errorName, signature } = content;
    if (sender !== undefined) field(FIELD.DESTINATION, 's', () => writer.string(sender));
    if (errorName !== undefined) field(FIELD.ERROR_NAME, 's', () => writer.string(errorName));
    if (signature !== '') field(FIELD.SIGNATURE, 'g', () => writer.signature(signature));
  });
  writer.align(FIXED_HEADER / 2);
  writer.raw(body);
  return writer.toBuffer();
}

/** A method return as bytes; throws `local.Protocol` for invalid values. */
export function encodeReturn(call: MethodCallMessage, serial: number, reply: MethodReply): Buffer {
  return encodeReply(call, serial, { signature: reply.signature ?? '', values: reply.values ?? [] });
}

/** An error reply as bytes. */
export function encodeError(call: MethodCallMessage, serial: number, error: BusError): Buffer {
  const errorName = isInterfaceName(error.errorName) ? error.errorName : 'org.freedesktop.DBus.Error.Failed';
  const message = Buffer.from(error.message).toString('utf8').replaceAll('\0', '\uFFFD');
  return encodeReply(call, serial, { errorName, signature: 's', values: [message] });
}

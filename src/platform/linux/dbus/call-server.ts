import { BusError, toBusError } from './bus-error.ts';
import type { MethodCallMessage } from './message.ts';
import { BodyWriter } from './marshalling/body-writer.ts';
import { encodeBody } from './marshalling/encode.ts';
import { FIXED_HEADER } from './frame.ts';
import { FIELD, MESSAGE_FLAG, MESSAGE_TYPE, writeHeaderField } from './marshalling/header.ts';
import { isInterfaceName } from './names.ts';
import type { BusValue } from './marshalling/value.ts';

const LITTLE_ENDIAN_MARK = 0x6c;

/** What a served method returns. */
export interface MethodReply {
  readonly signature?: string | undefined;
  readonly values?: readonly BusValue[] | undefined;
}

/** Serves a call: returns the reply, throws BusError for an error reply, or returns `undefined` for an unknown call. */
export type MethodCallHandler = (
  call: MethodCallMessage,
) => MethodReply | undefined | Promise<MethodReply | undefined>;

/** Replies to method calls made to this connection. */
export class CallServer {
  readonly #handlers = new Set<MethodCallHandler>();

  add(handler: MethodCallHandler): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  /** The reply to a call, once its handler has finished; `undefined` if none is expected. Never rejects. */
  async replyTo(call: MethodCallMessage, nextSerial: () => number): Promise<Buffer | undefined> {
    try {
      const { signature = '', values = [] } = await this.#handle(call);
      return call.noReplyExpected ? undefined : encodeReply(call, nextSerial(), { signature, values });
    } catch (thrown) {
      if (call.noReplyExpected) return undefined;
      return encodeError(call, nextSerial(), toBusError(thrown, 'org.freedesktop.DBus.Error.Failed'));
    }
  }

  async #handle(call: MethodCallMessage): Promise<MethodReply> {
    for (const handler of this.#handlers) {
      const reply = await handler(call);
      if (reply !== undefined) return reply;
    }
    if (call.interface === 'org.freedesktop.DBus.Peer' && call.member === 'Ping') return {};
    throw new BusError(
      'org.freedesktop.DBus.Error.UnknownMethod',
      `no method ${call.interface ?? ''}.${call.member} at ${call.path}`,
    );
  }
}

/** A reply as bytes; throws `local.Protocol` for invalid values. */
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
    writeHeaderField(writer, FIELD.REPLY_SERIAL, call.serial);
    const { errorName, signature } = content;
    if (call.sender !== undefined) writeHeaderField(writer, FIELD.DESTINATION, call.sender);
    if (errorName !== undefined) writeHeaderField(writer, FIELD.ERROR_NAME, errorName);
    if (signature !== '') writeHeaderField(writer, FIELD.SIGNATURE, signature);
  });
  writer.align(FIXED_HEADER / 2);
  writer.raw(body);
  return writer.toBuffer();
}

/** An error reply as bytes. */
function encodeError(call: MethodCallMessage, serial: number, error: BusError): Buffer {
  const errorName = isInterfaceName(error.errorName) ? error.errorName : 'org.freedesktop.DBus.Error.Failed';
  const message = Buffer.from(error.message).toString('utf8').replaceAll('\0', '\uFFFD');
  return encodeReply(call, serial, { errorName, signature: 's', values: [message] });
}

import { BodyReader } from './marshalling/body-reader.ts';
import { protocolError } from './bus-error.ts';
import { decodeBody } from './marshalling/decode.ts';
import type { Frame } from './frame.ts';
import { type HeaderFields, MESSAGE_FLAG, MESSAGE_TYPE } from './marshalling/header.ts';
import type { BusValue } from './marshalling/value.ts';

/** A signal or method call. Its body is decoded on demand and may be kept. */
class IncomingMessage {
  /** Unique name of the sender; `undefined` on a peer-to-peer connection. */
  readonly sender: string | undefined;
  readonly path: string;
  readonly member: string;
  readonly signature: string;
  readonly #bytes: Buffer;
  readonly #littleEndian: boolean;
  #body: readonly BusValue[] | undefined;

  protected constructor(frame: Frame, fields: HeaderFields) {
    const { path, member, signature } = fields;
    if (path === undefined || member === undefined)
      throw protocolError('a call or signal without path or member');
    if (signature === '' && frame.end > frame.bodyStart) throw protocolError('a body without a signature');
    this.sender = fields.sender;
    this.path = path;
    this.member = member;
    this.signature = signature;
    this.#bytes = Buffer.from(frame.buffer.subarray(frame.bodyStart, frame.end));
    this.#littleEndian = frame.littleEndian;
  }

  /** The values of the body, decoded on first use; throws `local.Protocol` if the body is malformed. */
  get body(): readonly BusValue[] {
    this.#body ??= decodeBody(this.reader(), this.signature);
    return this.#body;
  }

  /** A new reader at the start of the body, for the caller's own decoder. */
  reader(): BodyReader {
    return new BodyReader(this.#bytes, this.#littleEndian);
  }
}

/** A signal (specification, "Message Types"). */
export class SignalMessage extends IncomingMessage {
  readonly interface: string;

  /** Throws `local.Protocol` if a required header field is missing. */
  constructor(frame: Frame, fields: HeaderFields) {
    super(frame, fields);
    if (fields.interface === undefined) throw protocolError('a signal without an interface');
    this.interface = fields.interface;
  }
}

/** A method call to us. */
export class MethodCallMessage extends IncomingMessage {
  /** Optional in a method call. */
  readonly interface: string | undefined;
  /** As the caller wrote it: of messages that are only listened to, it may be anyone's. */
  readonly destination: string | undefined;
  readonly serial: number;
  readonly noReplyExpected: boolean;

  /** Throws `local.Protocol` if a required header field is missing. */
  constructor(frame: Frame, fields: HeaderFields) {
    super(frame, fields);
    this.interface = fields.interface;
    this.destination = fields.destination;
    this.serial = frame.serial;
    this.noReplyExpected = (frame.flags & MESSAGE_FLAG.NO_REPLY_EXPECTED) !== 0;
  }
}

/** Whether a message replies to one of ours. */
export function isReply(frame: Frame): boolean {
  return frame.type === MESSAGE_TYPE.METHOD_RETURN || frame.type === MESSAGE_TYPE.ERROR;
}

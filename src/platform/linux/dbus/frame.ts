import { BodyReader } from './marshalling/body-reader.ts';
import { protocolError } from './bus-error.ts';
import { FIELD, MESSAGE_TYPE, readHeaderField } from './marshalling/header.ts';
import { MAX_ARRAY, MAX_MESSAGE } from './limits.ts';

/** Bytes before the header fields. */
export const FIXED_HEADER = 16;

const LITTLE = 0x6c;
const BIG = 0x42;

// The first four bytes of a header field: code, then a variant signature of length 1, read as a little-endian word.
const word = (code: number, type: string): number => code | (1 << 8) | (type.charCodeAt(0) << 16);
const REPLY_SERIAL = word(FIELD.REPLY_SERIAL, 'u');
const SIGNATURE = word(FIELD.SIGNATURE, 'g');
const ERROR_NAME = word(FIELD.ERROR_NAME, 's');
const SENDER = word(FIELD.SENDER, 's');
const DESTINATION = word(FIELD.DESTINATION, 's');
const UNIX_FDS = word(FIELD.UNIX_FDS, 'u');

/** One whole message inside a buffer. Reused for the next message: copy what must outlive the callback. */
export class Frame {
  buffer: Buffer = Buffer.alloc(0);
  view: DataView = new DataView(new ArrayBuffer(0));
  /** Positions in {@link buffer}. */
  start = 0;
  fieldsEnd = 0;
  bodyStart = 0;
  end = 0;
  littleEndian = true;
  type = 0;
  flags = 0;
  serial = 0;
  /** Set by {@link readReplyFields}. */
  replySerial = 0;
  signature = '';
  errorName = '';
  /** How many descriptors it came with. */
  descriptors = 0;

  /** Checks the fixed header at `start` (16 bytes must be available) and returns the message's length in bytes. */
  locate(buffer: Buffer, view: DataView, start: number): number {
    const order = view.getUint8(start);
    if (order !== LITTLE && order !== BIG) throw protocolError(`byte order mark ${order}`);
    const littleEndian = order === LITTLE;
    const type = view.getUint8(start + 1);
    if (type === 0) throw protocolError('message type 0');
    const version = view.getUint8(start + 3);
    if (version !== 1) throw protocolError(`protocol version ${version}`);
    const bodyLength = view.getUint32(start + 4, littleEndian);
    const serial = view.getUint32(start + 8, littleEndian);
    if (serial === 0) throw protocolError('message serial 0');
    const fieldsLength = view.getUint32(start + 12, littleEndian);
    if (fieldsLength > MAX_ARRAY) throw protocolError(`header fields of ${fieldsLength} bytes`);
    const headerLength = (FIXED_HEADER + fieldsLength + 7) & ~7;
    const length = headerLength + bodyLength;
    if (length > MAX_MESSAGE) throw protocolError(`message of ${length} bytes`);
    this.buffer = buffer;
    this.view = view;
    this.start = start;
    this.fieldsEnd = start + FIXED_HEADER + fieldsLength;
    this.bodyStart = start + headerLength;
    this.end = start + length;
    this.littleEndian = littleEndian;
    this.type = type;
    this.flags = view.getUint8(start + 2);
    this.serial = serial;
    return length;
  }

  /** A reader over the body. */
  body(): BodyReader {
    return new BodyReader(this.buffer, this.littleEndian, this.bodyStart, this.end, this.view);
  }

  /** A reader over the header fields, aligned from the start of the message. */
  fields(): BodyReader {
    const reader = new BodyReader(this.buffer, this.littleEndian, this.start, this.fieldsEnd, this.view);
    reader.offset = this.start + FIXED_HEADER;
    return reader;
  }

  /**
   * Reads what matters in a reply: the serial it replies to, the signature of its body and the name of an error. Other
   * fields are skipped. Throws `local.Protocol`.
   */
  readReplyFields(): void {
    const { view } = this;
    const reader = this.fields();
    this.replySerial = 0;
    this.signature = '';
    this.errorName = '';
    this.descriptors = 0;
    while (reader.offset < reader.end) {
      reader.align(8);
      const at = reader.offset;
      if (at + 4 > reader.end) throw protocolError('the header ends inside a field');
      reader.offset = at + 4;
      switch (view.getUint32(at, true)) {
        case REPLY_SERIAL:
          this.replySerial = reader.readUint32();
          break;
        case SIGNATURE:
          this.signature = reader.readSignature();
          break;
        case ERROR_NAME:
          this.errorName = reader.readString();
          break;
        case SENDER:
        case DESTINATION:
          reader.skipString();
          break;
        case UNIX_FDS:
          this.descriptors = reader.readUint32();
          break;
        default:
          reader.offset = at;
          readHeaderField(reader);
      }
    }
    if (this.replySerial === 0) throw protocolError('a reply without a reply serial');
    if (this.type === MESSAGE_TYPE.ERROR && this.errorName === '')
      throw protocolError('an error without a name');
    if (this.signature === '' && this.end > this.bodyStart) throw protocolError('a body without a signature');
  }
}

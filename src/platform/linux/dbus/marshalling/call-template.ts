import type { BodyReader } from './body-reader.ts';
import { BusError, LOCAL_ERROR } from '../bus-error.ts';
import { type Call, type PreparedCall, prepareCall } from '../prepared-call.ts';

/** What a {@link CallTemplate} is made from. */
export interface CallTemplateOptions<T> extends Omit<Call, 'path'> {
  /** Reply signatures that `decode` accepts, by default all; any other is BusError `local.UnexpectedSignature`. */
  readonly accepts?: readonly string[] | undefined;
  /** Reads the reply. It need not read to the end, and must not keep the reader. */
  readonly decode: (reader: BodyReader, signature: string) => T;
}

/** A method call with header and body encoded in advance; only the object path varies per request. */
export class CallTemplate<T> {
  readonly prepared: PreparedCall;
  readonly interface: string;
  readonly member: string;
  readonly #accepts: readonly string[] | undefined;
  readonly #decode: (reader: BodyReader, signature: string) => T;

  /** Throws BusError `local.Protocol` for invalid names or arguments. */
  constructor(options: CallTemplateOptions<T>) {
    this.prepared = prepareCall(options);
    this.interface = options.interface;
    this.member = options.member;
    this.#accepts = options.accepts;
    this.#decode = options.decode;
  }

  /** Reads the body of a reply; throws BusError. */
  readReply(reader: BodyReader, signature: string): T {
    const accepts = this.#accepts;
    if (accepts === undefined || accepts.includes(signature)) return this.#decode(reader, signature);
    throw new BusError(
      LOCAL_ERROR.UNEXPECTED_SIGNATURE,
      `${this.interface}.${this.member} returned ${JSON.stringify(signature)}, not ${accepts.join(' or ')}`,
    );
  }
}

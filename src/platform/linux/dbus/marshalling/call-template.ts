import type { BodyReader } from './body-reader.ts';
import { BusError, LOCAL_ERROR } from '../bus-error.ts';
import { type PreparedCall, prepareCall } from '../prepared-call.ts';
import type { BusValue } from './value.ts';

/** What a request needs to be sent and its reply to be read. */
export interface Exchange<T> {
  readonly prepared: PreparedCall;
  /** Reads the body of a reply; throws BusError. */
  readReply(reader: BodyReader, signature: string): T;
}

/** What a {@link CallTemplate} is made from. */
export interface CallTemplateOptions<T> {
  readonly destination?: string | undefined;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string | undefined;
  readonly args?: readonly BusValue[] | undefined;
  readonly noAutoStart?: boolean | undefined;
  /** Reply signatures that `decode` accepts; any other is BusError `local.UnexpectedSignature`. */
  readonly accepts: readonly string[];
  /** Reads the reply. It need not read to the end, and must not keep the reader. */
  readonly decode: (reader: BodyReader, signature: string) => T;
}

/** A method call with header and body encoded in advance; only the object path varies per request. */
export class CallTemplate<T> implements Exchange<T> {
  readonly prepared: PreparedCall;
  readonly interface: string;
  readonly member: string;
  readonly #accepts: readonly string[];
  readonly #decode: (reader: BodyReader, signature: string) => T;

  /** Throws BusError `local.Protocol` for invalid names or arguments. */
  constructor(options: CallTemplateOptions<T>) {
    this.prepared = prepareCall(options);
    this.interface = options.interface;
    this.member = options.member;
    this.#accepts = options.accepts;
    this.#decode = options.decode;
  }

  readReply(reader: BodyReader, signature: string): T {
    if (this.#accepts.includes(signature)) return this.#decode(reader, signature);
    throw new BusError(
      LOCAL_ERROR.UNEXPECTED_SIGNATURE,
      `${this.interface}.${this.member} returned ${JSON.stringify(signature)}, not ${this.#accepts.join(' or ')}`,
    );
  }
}

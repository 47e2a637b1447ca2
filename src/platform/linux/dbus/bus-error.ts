/** Names of the errors this client raises itself; any other {@link BusError.errorName} came from a peer. */
export const LOCAL_ERROR = {
  /** The deadline passed before the reply arrived. */
  TIMEOUT: 'local.Timeout',
  /** The connection ended, could not be opened, or was closed by us. */
  DISCONNECTED: 'local.Disconnected',
  /** Bytes (theirs) or values (ours) that the D-Bus specification forbids. */
  PROTOCOL: 'local.Protocol',
  /** The caller's AbortSignal fired, or its batch had ended. */
  CANCELLED: 'local.Cancelled',
  /** A well-formed reply of a type the caller does not accept. */
  UNEXPECTED_SIGNATURE: 'local.UnexpectedSignature',
  /** The caller's own decoder threw something other than a BusError; it is the `cause`. */
  DECODE: 'local.Decode',
  /** The server refused the SASL handshake. */
  AUTH: 'local.Auth',
} as const;

/** Anything that goes wrong on a bus: an error reply, or one of {@link LOCAL_ERROR}. */
export class BusError extends Error {
  override readonly name = 'BusError';
  /** A D-Bus error name such as `org.freedesktop.DBus.Error.UnknownMethod`, or a `local.` one. */
  readonly errorName: string;

  constructor(errorName: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.errorName = errorName;
  }
}

/** A {@link BusError} for a violation of the specification. */
export function protocolError(message: string): BusError {
  return new BusError(LOCAL_ERROR.PROTOCOL, message);
}

/** A thrown value as a {@link BusError}. */
export function toBusError(thrown: unknown, errorName: string): BusError {
  if (thrown instanceof BusError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new BusError(errorName, message, { cause: thrown });
}

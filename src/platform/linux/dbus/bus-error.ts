/** Names of the errors this client raises itself; everything else in {@link BusError.errorName} came off the wire. */
export const LOCAL_ERROR = {
  /** The deadline passed before the answer came. */
  TIMEOUT: 'local.Timeout',
  /** The connection ended, could not be opened, or was closed by us. */
  DISCONNECTED: 'local.Disconnected',
  /** Bytes (theirs) or values (ours) that the D-Bus specification forbids. */
  PROTOCOL: 'local.Protocol',
  /** The caller's AbortSignal fired, or its batch had ended. */
  CANCELLED: 'local.Cancelled',
  /** A well-formed reply of a type the caller did not ask for. */
  UNEXPECTED_SIGNATURE: 'local.UnexpectedSignature',
  /** The caller's own decoder threw something that is no BusError; it is the `cause`. */
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

/** A {@link BusError} for something the specification forbids. */
export function protocolError(message: string): BusError {
  return new BusError(LOCAL_ERROR.PROTOCOL, message);
}

/** Whatever was thrown, as a {@link BusError}. */
export function toBusError(thrown: unknown, errorName: string): BusError {
  if (thrown instanceof BusError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new BusError(errorName, message, { cause: thrown });
}

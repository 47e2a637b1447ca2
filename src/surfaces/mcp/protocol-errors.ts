import { nearest } from '../../model/text/nearest.ts';
import { ProtocolError, ProtocolErrorCode } from './sdk.ts';

/** An error of the client, -32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** For a name that is not one of `names`. */
export function unknownName(what: string, given: string, names: readonly string[]): ProtocolError {
  const close = nearest(given, names);
  const hint = close === undefined ? `Available: ${names.join(', ')}.` : `Did you mean "${close}"?`;
  return invalidParams(`Unknown ${what}: ${JSON.stringify(given.slice(0, 80))}. ${hint}`);
}

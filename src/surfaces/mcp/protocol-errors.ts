import type { DeskterityError } from '../../model/effects/errors.ts';
import { nearest } from '../../model/text/nearest.ts';
import { isRecord } from '../../model/is-record.ts';
import { isJSONRPCErrorResponse, ProtocolError, ProtocolErrorCode, type JSONRPCMessage } from './sdk.ts';

/** An error of the client, -32602. */
export function invalidParams(message: string, data?: unknown): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, data);
}

/** A failure of the server, -32603, with its details. */
export function internalError(error: DeskterityError): ProtocolError {
  const message = `${error.message} ${error.suggestion}`;
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { ...error.toBody() });
}

/** For a name that is not one of `names`. */
export function unknownName(what: string, given: string, names: readonly string[]): ProtocolError {
  const close = nearest(given, names);
  const hint = close === undefined ? `Available: ${names.join(', ')}.` : `Did you mean "${close}"?`;
  return invalidParams(`Unknown ${what}: ${JSON.stringify(given.slice(0, 80))}. ${hint}`);
}

/**
 * A missing resource is -32002 in the revisions of 2024 and 2025, and -32602 since. The library sends only the second, so that its error with nothing but
 * a URI is rewritten.
 */
export function inLegacyTerms(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message)) return message;
  const { code, data } = message.error;
  const invalid: number = ProtocolErrorCode.InvalidParams;
  const isMissing = code === invalid && isRecord(data) && Object.keys(data).join(',') === 'uri';
  if (!isMissing) return message;
  return { ...message, error: { ...message.error, code: ProtocolErrorCode.ResourceNotFound } };
}

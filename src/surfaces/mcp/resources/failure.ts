import { DeskterityError } from '../../../model/effects/errors.ts';
import { reveal } from '../../../model/text/untrusted-text.ts';
import { ProtocolError, ProtocolErrorCode } from '../sdk.ts';

/** What the caller could have known better; everything else is the desktop's. */
const CALLERS: ReadonlySet<string> = new Set(['AMBIGUOUS_APP', 'AMBIGUOUS_TARGET', 'INVALID_ARGUMENT']);

/** A failure in the protocol's form, with code and next step beside the sentence. Errors of the protocol pass as they are. */
export function asProtocolError(error: unknown): unknown {
  if (!(error instanceof DeskterityError)) return error;
  const { code, message, suggestion, retryable } = error;
  return new ProtocolError(
    CALLERS.has(code) ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    // Nobody marks what an application has a say in there.
    reveal(`${message} ${suggestion}`),
    { code, suggestion, retryable },
  );
}

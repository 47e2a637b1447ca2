import { DeskterityError, ERROR_EXIT_CODES, type ErrorCode } from '../../model/effects/errors.ts';
import { encodeToHolder, type Refused, type ToHolder } from '../../wire/holder-protocol.ts';
import { WireError } from '../../wire/schema.ts';

/** @throws DeskterityError INVALID_ARGUMENT */
export function lineOf(frame: ToHolder): Buffer {
  try {
    return encodeToHolder(frame);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new DeskterityError('INVALID_ARGUMENT', 'The command lines and variables are too large.', {
      suggestion: 'Pass the data in a file in the scope instead of in arguments.',
      delivered: false,
      cause: error,
    });
  }
}

export function toError({
  code,
  message,
  suggestion,
  detail,
  isRetryable,
  isDelivered = false,
}: Refused): DeskterityError {
  const details = {
    suggestion,
    retryable: isRetryable,
    // A refused call was not carried out, unless the holder says so.
    delivered: isDelivered,
    ...(detail === undefined ? {} : { platformDetail: detail }),
  };
  return new DeskterityError(isErrorCode(code) ? code : 'INTERNAL', message, details);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_EXIT_CODES, code);
}

/** @param delivered whether the call may have been carried out */
export function lost(delivered: boolean): DeskterityError {
  return new DeskterityError('DAEMON_UNAVAILABLE', 'The holder of operations exited before it answered.', {
    suggestion: 'List operations to see the result before you start it again.',
    delivered,
  });
}

/** @param mayHaveHappened whether it may carry out what it was asked once it goes on */
export function holderSilent(pid: number | undefined, mayHaveHappened: boolean): DeskterityError {
  const name = pid === undefined ? 'The holder' : `The holder (process ${pid})`;
  const goOn = pid === undefined ? 'Let it continue' : `Let it continue (kill -CONT ${pid})`;
  return new DeskterityError(
    'TIMEOUT',
    `${name}, which keeps the terminals and operations of this project, does not respond.`,
    {
      suggestion: mayHaveHappened
        ? `It is suspended or hangs. ${goOn} and look at the result: it may still carry out this request.`
        : `It is suspended or hangs. ${goOn} or end it, and try again.`,
      retryable: !mayHaveHappened,
      delivered: mayHaveHappened,
    },
  );
}

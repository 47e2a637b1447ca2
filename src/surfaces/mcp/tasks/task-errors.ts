import { DeskterityError } from '../../../model/effects/errors.ts';
import { internalError, invalidParams } from '../protocol-errors.ts';
import type { ProtocolError } from '../sdk.ts';

/** The same for a task of another client, so that nobody learns which ids exist. */
export function unknownTask(): ProtocolError {
  return invalidParams('There is no such task. It may have expired, or belong to another client.');
}

/** See the limits of `ConnectionTasks`. */
export function tooMany(mostRunning: number, mostKept: number): DeskterityError {
  return new DeskterityError(
    'RATE_LIMITED',
    `At most ${mostRunning} tasks run, and ${mostKept} are kept, for one client.`,
    {
      suggestion: 'Wait until some have ended or expired, or make the call without a task.',
      retryable: true,
      delivered: false,
    },
  );
}

/** Its record stays what it was. */
export function notTakenOver(cause: unknown): ProtocolError {
  return internalError(
    new DeskterityError(
      'ACTION_FAILED',
      'The task could not be taken over, because that cannot be recorded on disk.',
      {
        suggestion: 'Nothing of it is lost: free disk space, then ask for it again.',
        retryable: true,
        delivered: false,
        cause,
      },
    ),
  );
}

/** While it was recorded; its client is asked by the answer to the call. */
export function askedAlready(): DeskterityError {
  return new DeskterityError('CONFLICT', 'The call asked its client a question before it became a task.', {
    suggestion: 'Answer the question by making the call again.',
    delivered: false,
  });
}

import { DeskterityError } from '../../src/model/effects/errors.ts';

export function unresponsive(delivered: boolean): DeskterityError {
  return new DeskterityError('APP_UNRESPONSIVE', 'The application did not answer in time.', {
    suggestion: 'Wait until it is idle and retry, or raise --timeout.',
    retryable: true,
    delivered,
  });
}

export function gone(): DeskterityError {
  return new DeskterityError('STALE_REF', 'The element no longer exists.', {
    suggestion: 'Run "desk snapshot" or "desk find" again and use the new reference.',
  });
}

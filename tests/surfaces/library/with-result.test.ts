import { expect, it } from 'vitest';
import { DeskterityError } from '../../../src/model/effects/errors.ts';
import { withResult } from '../../../src/surfaces/library/with-result.ts';

const DETAILS = {
  suggestion: 'Look again.',
  platformDetail: 'EIO',
  candidates: [{ ref: '@e1' }],
  retryable: true,
  delivered: true,
  cause: new Error('below'),
};

it('changes the result and nothing else', () => {
  const error = new DeskterityError('ACTION_FAILED', 'Nothing changed.', {
    ...DETAILS,
    result: { retry_safe: true },
  });
  const changed = withResult(error, () => ({ retrySafe: true }));
  expect(changed).toBeInstanceOf(DeskterityError);
  expect(changed.result).toEqual({ retrySafe: true });
  expect(changed.toBody()).toEqual(error.toBody());
  expect([changed.cause, changed.stack]).toEqual([error.cause, error.stack]);
});

it('leaves a failure without a result as it is', () => {
  const error = new DeskterityError('TIMEOUT', 'Late.', DETAILS);
  expect(withResult(error, () => ({ never: 1 }))).toBe(error);
});

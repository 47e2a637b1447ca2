import { expect, it } from 'vitest';
import { changedError } from '../../src/model/effects/changed-error.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { mentionCommand, mentionKey } from '../../src/model/text/mention.ts';
import { librarySpeller } from '../../src/surfaces/library/library-speller.ts';

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
  const changed = changedError(error, librarySpeller, () => ({ retrySafe: true }));
  expect(changed).toBeInstanceOf(DeskterityError);
  expect(changed.result).toEqual({ retrySafe: true });
  expect(changed.toBody()).toEqual(error.toBody());
  expect([changed.cause, changed.stack]).toEqual([error.cause, error.stack]);
});

it('leaves a failure without a result as it is', () => {
  const error = new DeskterityError('TIMEOUT', 'Late.', DETAILS);
  const changed = changedError(error, librarySpeller, () => ({ never: 1 }));
  expect(changed.result).toBeUndefined();
  expect(changed.toBody()).toEqual(error.toBody());
  expect([changed.cause, changed.stack]).toEqual([error.cause, error.stack]);
});

it('spells the message, the suggestion, the candidates and the result', () => {
  const changed = changedError(
    new DeskterityError('TIMEOUT', `No ${mentionKey('near_misses')}.`, {
      suggestion: `Run ${mentionCommand('list-apps')}.`,
      candidates: [{ ref: '@e1', detail: mentionCommand('click', { ref: '@e1' }) }],
      result: { next: mentionCommand('snapshot', { app: 'Files' }) },
    }),
    librarySpeller,
  );
  expect(changed).toMatchObject({
    message: 'No nearMisses.',
    suggestion: 'Run listApps().',
    candidates: [{ ref: '@e1', detail: "click({ ref: '@e1' })" }],
    result: { next: "snapshot({ app: 'Files' })" },
  });
});

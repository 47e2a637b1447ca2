import { DeskterityError } from '../../model/effects/errors.ts';

/** The same failure with its result changed. */
export function withResult(
  error: DeskterityError,
  change: (result: Record<string, unknown>) => Record<string, unknown>,
): DeskterityError {
  if (error.result === undefined) return error;
  const { code, message, suggestion, platformDetail, candidates, retryable, delivered, cause } = error;
  const changed = new DeskterityError(code, message, {
    suggestion,
    ...(platformDetail === undefined ? {} : { platformDetail }),
    candidates,
    retryable,
    ...(delivered === undefined ? {} : { delivered }),
    result: change(error.result),
    cause,
  });
  if (error.stack !== undefined) changed.stack = error.stack;
  return changed;
}

import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';

/** Runs `work`; its errors report whether the act may have reached the application, unless they already do. */
export async function delivering<T>(delivered: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withDelivery(error, delivered);
  }
}

function withDelivery(error: unknown, delivered: boolean): unknown {
  if (!(error instanceof DeskterityError)) return isAbort(error) ? cancelled(error, delivered) : error;
  return error.delivered === undefined ? error.with({ delivered }) : error;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function cancelled(cause: unknown, delivered: boolean): DeskterityError {
  return new DeskterityError('CANCELLED', 'The command was cancelled.', {
    suggestion: delivered
      ? `Check what it did with ${mentionCommand('snapshot')} before you repeat it.`
      : 'Nothing was sent; the command can be repeated.',
    delivered,
    cause,
  });
}

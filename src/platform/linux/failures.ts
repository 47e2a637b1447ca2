import { DeskterityError } from '../../model/effects/errors.ts';

/** The error for what a toolkit, display or application does not support; nothing was sent. */
export function unsupported(message: string, suggestion: string, platformDetail?: string): DeskterityError {
  return new DeskterityError('ACTION_NOT_SUPPORTED', message, {
    suggestion,
    platformDetail,
    delivered: false,
  });
}

/** The error for a call that its caller cancelled. */
export function cancelled(
  message: string,
  details: { readonly delivered?: boolean; readonly platformDetail?: string; readonly cause?: unknown } = {},
): DeskterityError {
  const suggestion = 'Repeat the command if you still need it.';
  return new DeskterityError('CANCELLED', message, { suggestion, ...details });
}

import { DeskterityError } from '../model/effects/errors.ts';

/** The state folder is not writable. */
export function noRecord(stateFolder: string, error: unknown): DeskterityError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new DeskterityError('ACTION_FAILED', `No operation can be recorded in ${stateFolder}.`, {
    suggestion: 'Free disk space there, or set XDG_STATE_HOME to a writable folder.',
    platformDetail: code,
    delivered: false,
    cause: error,
  });
}

/** A program did not start in time. */
export function tooLong(program: string, limitMs: number): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `${program} did not start within ${limitMs} ms.`, {
    suggestion: 'Check whether the machine is overloaded, then try again.',
    retryable: true,
  });
}

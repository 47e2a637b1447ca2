import { DeskterityError } from '../model/effects/errors.ts';

/** The state folder takes no records. */
export function noRecord(stateFolder: string, error: unknown): DeskterityError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return new DeskterityError('ACTION_FAILED', `No operation can be put on record in ${stateFolder}.`, {
    suggestion: 'Make room there, or set XDG_STATE_HOME to a folder that can be written.',
    platformDetail: code,
    delivered: false,
    cause: error,
  });
}

/** A program that was not started in time. */
export function tooLong(program: string, limitMs: number): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `${program} was not started within ${limitMs} ms.`, {
    suggestion: 'Look at what the machine is busy with, then try again.',
    retryable: true,
  });
}

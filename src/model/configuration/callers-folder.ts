import { DeskterityError } from '../effects/errors.ts';

/**
 * The folder that relative paths of a call are resolved against.
 * @param cwd the caller's; empty if it has none
 * @throws DeskterityError INVALID_ARGUMENT if it has none: any other folder would be a guess
 */
export function callersFolder(cwd: string): string {
  if (cwd !== '') return cwd;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    'The current folder cannot be used: it was removed, or its name is not UTF-8.',
    { suggestion: 'Use absolute paths, or change to an existing folder first.' },
  );
}

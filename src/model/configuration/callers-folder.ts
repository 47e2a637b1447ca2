import { DeskterityError } from '../effects/errors.ts';

/**
 * The folder that relative paths of a call are resolved against.
 * @param cwd the caller's; empty when it has none
 * @throws DeskterityError INVALID_ARGUMENT when it has none: any other folder would be a guess
 */
export function callersFolder(cwd: string): string {
  if (cwd !== '') return cwd;
  throw new DeskterityError(
    'INVALID_ARGUMENT',
    'The folder this was called from cannot be used: it has been removed, or its name is not UTF-8.',
    { suggestion: 'Give absolute paths, or go to an existing folder first.' },
  );
}

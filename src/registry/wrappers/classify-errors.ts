import { mentionCommand } from '../../model/text/mention.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import type { Wrapper } from './wrapper.ts';

/** Makes every failure a DeskterityError: what the program did not foresee is INTERNAL, with the original as its cause. */
export const classifyErrors: Wrapper = (command, next) => async (ctx, input) => {
  try {
    return await next(ctx, input);
  } catch (error) {
    throw asDeskterityError(error, command.name);
  }
};

/** The same error when it is one of ours, else what it amounts to. */
export function asDeskterityError(error: unknown, during: string): DeskterityError {
  if (error instanceof DeskterityError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const fileProblem = fileError(error, during);
  if (fileProblem !== undefined) return fileProblem;
  return new DeskterityError('INTERNAL', `${during} failed in a way that was not foreseen: ${message}`, {
    suggestion: `This is a fault in Deskterity; please report it with the output of ${mentionCommand('version')}.`,
    cause: error,
  });
}

const FILE_PROBLEMS: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'EROFS',
]);

/** What the place has no more of; the path itself is good. */
const PLACE_PROBLEMS: ReadonlySet<unknown> = new Set(['EDQUOT', 'EFBIG', 'EIO', 'ENOSPC']);

/** A file that the caller named and that cannot be written is the caller's matter. */
function fileError(error: unknown, during: string): DeskterityError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  const isPlace = PLACE_PROBLEMS.has(error.code);
  if (
    !(isPlace || FILE_PROBLEMS.has(error.code)) ||
    String('syscall' in error ? error.syscall : '').startsWith('spawn')
  )
    return undefined;
  return new DeskterityError('INVALID_ARGUMENT', `${during} cannot use the file ${String(error.path)}.`, {
    suggestion: isPlace ? 'Free space there, or choose another path.' : 'Give a path that can be written.',
    platformDetail: String(error.code),
    cause: error,
  });
}

import { mentionCommand } from '../../model/text/mention.ts';
import { fileProblem } from '../../model/effects/file-problem.ts';
import { DeskterityError } from '../../model/effects/errors.ts';
import { Planned } from '../../model/effects/planned.ts';
import type { Wrapper } from './wrapper.ts';

/** Makes every failure a DeskterityError: an unexpected error becomes INTERNAL, with the original as its cause. */
export const classifyErrors: Wrapper = (command, next) => async (ctx, input) => {
  try {
    return await next(ctx, input);
  } catch (error) {
    // The end of a dry run of which this is a part.
    if (ctx.isDryRun === true && error instanceof Planned) throw error;
    throw asDeskterityError(error, command.name);
  }
};

/** The error itself if it is a DeskterityError, else its closest equivalent. */
export function asDeskterityError(error: unknown, during: string): DeskterityError {
  if (error instanceof DeskterityError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const fileProblem = fileError(error, during);
  if (fileProblem !== undefined) return fileProblem;
  return new DeskterityError('INTERNAL', `${during} failed unexpectedly: ${message}`, {
    suggestion: `This is a bug in Deskterity; please report it with the output of ${mentionCommand('version')}.`,
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

/** The path is valid, but its file system is full or failing. */
const STORAGE_PROBLEMS: ReadonlySet<unknown> = new Set(['EDQUOT', 'EFBIG', 'EIO', 'ENOSPC']);

/** A file named by the caller that cannot be used is an argument error. */
function fileError(error: unknown, during: string): DeskterityError | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined;
  const isStorage = STORAGE_PROBLEMS.has(error.code);
  if (
    !(isStorage || FILE_PROBLEMS.has(error.code)) ||
    String('syscall' in error ? error.syscall : '').startsWith('spawn')
  )
    return undefined;
  const problem = fileProblem(error.code);
  const why = problem === undefined ? '' : `: ${problem}`;
  return new DeskterityError(
    'INVALID_ARGUMENT',
    `${during} cannot use the file ${String(error.path)}${why}.`,
    {
      suggestion: isStorage
        ? 'Free space there, or choose another path.'
        : 'Make it writable, or give another path.',
      platformDetail: String(error.code),
      cause: error,
    },
  );
}

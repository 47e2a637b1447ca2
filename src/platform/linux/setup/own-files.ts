import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { errorCode } from '../../../model/error-code.ts';
import { byPerson } from '../../../model/text/mention.ts';
import { reveal } from '../../../model/text/untrusted-text.ts';

/** `undefined` if there is no such file. @throws DeskterityError ACTION_FAILED */
export async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw failed(file, error);
  }
}

/** Writes all of a file or nothing. @throws DeskterityError ACTION_FAILED */
export async function written(file: string, text: string, mode = 0o644): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(draft, text, { mode, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw failed(file, error);
  }
}

/** @throws DeskterityError ACTION_FAILED */
export async function removed(file: string): Promise<void> {
  try {
    await rm(file, { force: true });
  } catch (error) {
    throw failed(file, error);
  }
}

export function foreign(file: string): DeskterityError {
  return new DeskterityError(
    'CONFLICT',
    `${reveal(file)} was not written by this command, so it is left as it is.`,
    {
      suggestion: `${byPerson('Look at the file, and move it away')}.`,
    },
  );
}

export function noHome(what: string): DeskterityError {
  return new DeskterityError('INVALID_ARGUMENT', `HOME is not set, so it is not known where ${what} go.`, {
    suggestion: `${byPerson('Set HOME to your home folder')}.`,
  });
}

function failed(file: string, cause: unknown): DeskterityError {
  return new DeskterityError('ACTION_FAILED', `${reveal(file)} cannot be read or written.`, {
    suggestion: `${byPerson('Make sure that its folder is yours')}.`,
    platformDetail: cause instanceof Error ? cause.message : String(cause),
    cause,
  });
}

import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../model/error-code.ts';
import { makeFolder } from './make-folder.ts';
import { refuseUnlessFile } from './replace-file.ts';

/**
 * Small files of our own, read and written by every command: synchronously, because each step through Node's thread pool waits for its turn on a busy
 * machine, and there are some twenty of them in a command.
 */
export interface DocumentFiles {
  /** The text, or `undefined` if there is no file. */
  read(path: string): string | undefined;
  /**
   * Replaces a file as a whole, which only the user can read. It is not flushed to the disk: what references are about ends with the machine. A
   * process that is killed loses nothing.
   */
  write(path: string, text: string): Promise<void>;
}

export const documentFiles: DocumentFiles = {
  read: (path) => {
    try {
      return readFileSync(path, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  write: async (path, text) => {
    try {
      replace(path, text);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      await makeFolder(dirname(path), 0o700);
      replace(path, text);
    }
  },
};

function replace(path: string, text: string): void {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts !== undefined) refuseUnlessFile(facts, path, 'is');
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, text);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

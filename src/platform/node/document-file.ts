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
  /** Tells one state of a file from another: every writer replaces the whole file. `undefined` if there is none. */
  stamp(path: string): string | undefined;
  /** Returns the text, or `undefined` if there is no file. @throws DeskterityError INVALID_ARGUMENT for a named pipe or device, which could block this process */
  read(path: string): string | undefined;
  /**
   * Replaces the whole file; only the user can read it. The file survives the death of this process, but is not flushed to the disk: references name
   * applications that do not survive a restart of the machine either.
   */
  write(path: string, text: string): Promise<void>;
}

export const documentFiles: DocumentFiles = {
  stamp: (path) => {
    const facts = lstatSync(path, { throwIfNoEntry: false, bigint: true });
    return facts && `${facts.dev} ${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs}`;
  },
  read: (path) => {
    try {
      const facts = lstatSync(path, { throwIfNoEntry: false });
      if (facts === undefined) return undefined;
      refuseUnlessFile(facts, path, 'is');
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

import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FilesPort } from '../../ports/files.ts';
import { makeFolder } from './make-folder.ts';

/** Files of the machine this program runs on. New folders get the mode's read and search rights: 0600 files live in 0700 folders. */
export function createFiles(): FilesPort {
  return { read, writeAtomic };
}

async function read(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeAtomic(
  path: string,
  data: Uint8Array | string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  const mode = options.mode ?? 0o666;
  const folderMode = mode | ((mode & 0o444) >> 2);
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  await makeFolder(dirname(path), folderMode);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    // Named as the caller named it; what fails on an open file names none.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

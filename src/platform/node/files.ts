import { randomBytes } from 'node:crypto';
import {
  access,
  constants,
  lstat,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { FileFacts, FilesPort, WriteOptions } from '../../ports/files.ts';
import { makeFolder } from './make-folder.ts';

/** The local file system. New folders get search permission wherever the mode has read permission: 0700 for files with mode 0600. */
export function createFiles(): FilesPort {
  return { read, writeAtomic, find };
}

async function read(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function find(path: string): Promise<FileFacts | undefined> {
  try {
    const real = await realpath(path);
    const facts = await stat(real);
    const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : 'other';
    // A file that is marked read-only should stay unchanged, although root could write it.
    const isMarked = kind === 'file' && (facts.mode & 0o222) === 0;
    const places = kind === 'folder' ? [real] : [real, dirname(real)];
    const isWritable = !isMarked && (await Promise.all(places.map(mayWrite))).every(Boolean);
    return { path: real, kind, bytes: facts.size, isWritable };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const target = await linkTarget(path);
    return target === undefined ? undefined : { path: target, kind: 'lost', bytes: 0, isWritable: false };
  }
}

/** The target of a dangling link. */
async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** A path below something that is not a folder counts as missing too. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

async function writeAtomic(
  path: string,
  data: Uint8Array | string,
  options: WriteOptions = {},
): Promise<void> {
  const mode = options.mode ?? (options.like === undefined ? 0o666 : 0o600);
  const folderMode = mode | ((mode & 0o444) >> 2);
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  await makeFolder(dirname(path), folderMode);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      // Before any content is written: secrets must not be readable by others, even for a moment.
      if (options.like !== undefined) await makeLike(file, options.like);
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    // The caller's path: errors on an open file contain none.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

async function makeLike(file: FileHandle, path: string): Promise<void> {
  const { mode, uid, gid } = await stat(path);
  const own = await file.stat();
  // Only root may change the owner; otherwise it remains ours.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => undefined);
  await file.chmod(mode & 0o7777);
}

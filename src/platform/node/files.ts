import { randomBytes } from 'node:crypto';
import { access, lstat, open, readFile, readlink, realpath, rm, stat, readdir } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { constants, type BigIntStats } from 'node:fs';
import { DeskterityError } from '../../model/effects/errors.ts';
import { errorCode, isMissing } from '../../model/error-code.ts';
import type {
  BoundedRead,
  FileFacts,
  FilesPort,
  FoldersPort,
  OwnPlace,
  WriteOptions,
} from '../../ports/files.ts';
import { makeFolder } from './make-folder.ts';
import { moveToPlace, placeToWrite } from './replace-file.ts';
import { watchFolder } from './watch-folder.ts';

/** The local file system. New folders get search permission wherever the mode has read permission: 0700 for files with mode 0600. */
export function createFiles(): FilesPort {
  return { read, writeAtomic, find };
}

async function read(path: string): Promise<Uint8Array | undefined> {
  return readFile(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
    return undefined;
  });
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
  const link = await lstat(path).catch(unlessMissing);
  return link?.isSymbolicLink() === true ? resolve(dirname(path), await readlink(path)) : undefined;
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

async function mayWrite(path: string): Promise<boolean> {
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function writeAtomic(
  path: string,
  data: Uint8Array | string,
  options: WriteOptions = {},
): Promise<void> {
  const mode = options.mode ?? (options.like === undefined ? 0o666 : 0o600);
  const folderMode = mode | ((mode & 0o444) >> 2);
  const place = await placeToWrite(path);
  const temporary = `${place}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await makeFolder(dirname(place), folderMode);
    const file = await open(temporary, 'wx', mode);
    try {
      // Before any content is written: secrets must not be readable by others, even for a moment.
      if (options.like !== undefined) await makeLike(file, options.like);
      await file.writeFile(data);
      await file.sync();
    } finally {
      await file.close();
    }
    await moveToPlace(temporary, place);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // The caller's path: errors on an open file contain none.
    throw error instanceof Error && !(error instanceof DeskterityError)
      ? Object.assign(error, { path })
      : error;
  }
}

async function makeLike(file: FileHandle, path: string): Promise<void> {
  const { mode, uid, gid } = await stat(path);
  const own = await file.stat();
  // Only root may change the owner; otherwise it remains ours.
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid).catch(() => undefined);
  await file.chmod(mode & 0o7777);
}

/** The folders of the local file system. */
export function createFolders(): FoldersPort {
  return { list, readBounded, own, watch: watchFolder };
}

/** Anyone may create files in such a folder, or change such a file. */
const WRITABLE_BY_ALL = 0o002;

async function own(path: string): Promise<OwnPlace | undefined> {
  try {
    const real = await realpath(path);
    const facts = await stat(real);
    // Windows has no such numbers.
    const user = process.getuid?.();
    if (user !== undefined && facts.uid !== user) return { problem: 'belongs to another user' };
    if (user !== undefined && (facts.mode & WRITABLE_BY_ALL) !== 0)
      return { problem: 'can be changed by everyone' };
    if (!facts.isFile() && !facts.isDirectory()) return { problem: 'is neither a file nor a folder' };
    return { path: real, kind: facts.isFile() ? 'file' : 'folder' };
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { problem: `cannot be read (${errorCode(error) ?? 'unknown'})` };
  }
}

async function list(folder: string): Promise<readonly string[] | undefined> {
  return (await readdir(folder).catch(unlessMissing))?.toSorted();
}

async function readBounded(path: string, mostBytes: number): Promise<BoundedRead | undefined> {
  try {
    const read = await readRegularFile(path, mostBytes + 1);
    if (read.problem !== undefined) return read;
    return read.bytes.length > mostBytes
      ? { problem: `is larger than ${mostBytes} bytes` }
      : { bytes: read.bytes };
  } catch (error) {
    if (isMissing(error)) return undefined;
    return { problem: `cannot be read (${errorCode(error) ?? String(error)})` };
  }
}

export type RegularFile =
  | { readonly bytes: Uint8Array; readonly facts: BigIntStats; readonly problem?: undefined }
  /** Completes "it". */
  | { readonly problem: string };

/** The first bytes of a regular file. Never blocks on a named pipe and never reads a device endlessly. @throws Error of the file system */
export async function readRegularFile(path: string, mostBytes: number): Promise<RegularFile> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await file.stat({ bigint: true });
    if (!facts.isFile()) return { problem: facts.isDirectory() ? 'is a folder' : 'is not a regular file' };
    // The reported size may be wrong, as below /proc, or may change while reading.
    const buffer = Buffer.allocUnsafe(mostBytes);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    return { bytes: buffer.subarray(0, length), facts };
  } finally {
    await file.close();
  }
}

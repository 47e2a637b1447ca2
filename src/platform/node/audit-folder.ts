import { constants, createReadStream } from 'node:fs';
import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
  fdatasync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, isMissing } from '../../model/error-code.ts';
import type { AuditFile } from '../../ports/audit/audit.ts';
import type { AuditFiles, AuditFolderPort } from '../../ports/audit/audit-folder.ts';
import { withFileLock } from './file-lock.ts';
import { prepareLogFolder } from './logs/log-folder.ts';

const HEAD = 'head';
const FIRST_BYTES = 65_536;
const HEAD_BYTES = 128;
const CANNOT_WRITE: ReadonlySet<string | undefined> = new Set([
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOSPC',
  'EDQUOT',
]);
const syncData = promisify(fdatasync);

/** A link is refused: only a file of ours is written. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** A file that is kept open, and closed when it is neither current nor being synced. */
interface OpenFile {
  readonly name: string;
  readonly descriptor: number;
  readonly id: string;
  isDirty: boolean;
  isRetired: boolean;
  syncs: number;
}

/** The files of the audit log, in a folder that only this user can open. */
export function createAuditFolder(path: string, isLogFile: (name: string) => boolean): AuditFolderPort {
  let open: OpenFile | undefined;
  const dirty = new Set<OpenFile>();
  let isPrepared = false;

  const list = (): AuditFile[] =>
    readdirSync(path)
      .filter(isLogFile)
      .toSorted()
      .flatMap((name) => {
        const found = find(name);
        return found === undefined ? [] : [{ name, bytes: found.bytes }];
      });
  const find: AuditFiles['find'] = (name) => {
    try {
      const { size, ino, dev } = statSync(join(path, name));
      return { bytes: size, id: `${dev}:${ino}` };
    } catch (error) {
      if (!isMissing(error)) throw error;
      return undefined;
    }
  };
  const close = (file: OpenFile): void => {
    if (file.syncs === 0 && !file.isDirty) closeSync(file.descriptor);
    else file.isRetired = true;
  };
  const openFor = (name: string): OpenFile => {
    const found = find(name);
    if (open !== undefined && open.name === name && open.id === found?.id) return open;
    if (open !== undefined) close(open);
    open = undefined;
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_LINK;
    const descriptor = openSync(join(path, name), flags, 0o600);
    const facts = fstatSync(descriptor);
    if (!facts.isFile()) {
      closeSync(descriptor);
      throw Object.assign(new Error(`${name} is not a file`), { code: 'EINVAL' });
    }
    if ((facts.mode & 0o077) !== 0) fchmodSync(descriptor, 0o600);
    open = {
      name,
      descriptor,
      id: `${facts.dev}:${facts.ino}`,
      isDirty: false,
      isRetired: false,
      syncs: 0,
    };
    // The name of a new file must last as its content does.
    if (found === undefined) syncFolder(path);
    return open;
  };
  const append: AuditFiles['append'] = (name, bytes) => {
    const file = openFor(name);
    const before = fstatSync(file.descriptor).size;
    file.isDirty = true;
    dirty.add(file);
    try {
      const written = writeSync(file.descriptor, bytes);
      if (written < bytes.length) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    } catch (error) {
      // A part of a line would look like an interrupted write.
      try {
        ftruncateSync(file.descriptor, before);
      } catch {
        // It stays. The next entry records that.
      }
      throw error;
    }
  };
  const readPart = (name: string, from: (size: number) => number, most: number): Uint8Array => {
    const descriptor = openSync(join(path, name), constants.O_RDONLY | NO_LINK);
    try {
      const { size } = fstatSync(descriptor);
      const buffer = Buffer.alloc(Math.min(most, size));
      return buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, Math.max(0, from(size))));
    } finally {
      closeSync(descriptor);
    }
  };
  const head = (): string | undefined => {
    try {
      return Buffer.from(readPart(HEAD, () => 0, HEAD_BYTES)).toString('latin1');
    } catch (error) {
      if (!isMissing(error)) throw error;
      return undefined;
    }
  };
  const files: AuditFiles = {
    list,
    find,
    beginning: (name) => readPart(name, () => 0, FIRST_BYTES),
    tail: (name, most) => readPart(name, (size) => size - most, most),
    append,
    remove: (name) => {
      try {
        rmSync(join(path, name), { force: true });
      } catch {
        // It is tried again when the next file begins.
      }
    },
    head,
    writeHead: (text) => writeWhole(join(path, HEAD), text),
  };
  const exclusively: AuditFolderPort['exclusively'] = async (step) => {
    if (!isPrepared) await prepareLogFolder(path, false);
    isPrepared = true;
    try {
      return await withFileLock(join(path, 'lock'), async () => step(files));
    } catch (error) {
      // It may have been removed.
      isPrepared = false;
      throw error;
    }
  };
  return {
    path,
    exclusively,
    sync: async () => {
      const taken = [...dirty];
      dirty.clear();
      await Promise.all(
        taken.map(async (file) => {
          file.isDirty = false;
          file.syncs += 1;
          try {
            await syncData(file.descriptor);
          } finally {
            file.syncs -= 1;
            if (file.isRetired && file.syncs === 0 && !file.isDirty) closeSync(file.descriptor);
          }
        }),
      );
    },
    glance: async () => {
      try {
        statSync(path);
      } catch (error) {
        if (!isMissing(error)) throw error;
        return { files: [], head: undefined };
      }
      const look = () => ({ files: list(), head: head() });
      // Reading must also work where nothing can be written, and then nobody writes.
      return exclusively(look).catch((error: unknown) => {
        if (!CANNOT_WRITE.has(errorCode(error))) throw error;
        return look();
      });
    },
    read: (name, { from, to }) =>
      to <= from
        ? emptyFile()
        : createReadStream(join(path, name), {
            flags: 'r',
            start: from,
            end: to - 1,
          }),
  };
}

async function* emptyFile(): AsyncGenerator<Uint8Array> {}

/** In one write of a few bytes at the beginning: a process that ends leaves either the old or the new text. */
function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | NO_LINK, 0o600);
  try {
    writeSync(descriptor, text, 0, 'latin1');
    if (fstatSync(descriptor).size > text.length) ftruncateSync(descriptor, text.length);
  } finally {
    closeSync(descriptor);
  }
}

/** Some file systems cannot sync folders. */
function syncFolder(path: string): void {
  try {
    const descriptor = openSync(path, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The content is synced all the same.
  }
}

import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import type { BoundedRead, FoldersPort } from '../../ports/files.ts';
import { watchFolder } from './watch-folder.ts';

/** The folders of the local file system. */
export function createFolders(): FoldersPort {
  return { list, readBounded, watch: watchFolder };
}

async function list(folder: string): Promise<readonly string[] | undefined> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readBounded(path: string, mostBytes: number): Promise<BoundedRead | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const facts = await file.stat();
      if (!facts.isFile()) return { problem: facts.isDirectory() ? 'is a folder' : 'is not a regular file' };
      // The reported size may be wrong, as below /proc, or may change while reading.
      const buffer = Buffer.allocUnsafe(mostBytes + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
        length += bytesRead;
        if (bytesRead === 0 || length === buffer.length) break;
      }
      return length > mostBytes
        ? { problem: `is larger than ${mostBytes} bytes` }
        : { bytes: buffer.subarray(0, length) };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return { problem: `cannot be read (${code})` };
  }
}

/** A path below something that is not a folder counts as missing too. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

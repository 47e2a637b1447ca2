import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../model/error-code.ts';

/** Creates a private folder and those above it. Unlike Node's `recursive`, which reports ENOENT on a read-only file system. @throws Error of the file system */
export async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw error;
    await makeFolders(parent);
    await mkdir(path, { mode: 0o700 }).catch((again: unknown) => {
      if (errorCode(again) !== 'EEXIST') throw again;
    });
  }
}

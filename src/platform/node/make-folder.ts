import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../model/error-code.ts';

/** Creates a folder and its parents. Node's recursive mkdir never returns below /proc, which reports forbidden folders as ENOENT. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST' && (await isFolder(path))) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw error;
    // The parent may exist by now; below /proc it does but is closed, and the second attempt fails.
    if (!(await isFolder(parent))) await makeFolder(parent, mode);
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      if (!(await isFolder(path))) throw again;
    });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

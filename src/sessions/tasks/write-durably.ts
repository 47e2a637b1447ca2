import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** How the names of files begin that are being written. */
export const DRAFT = '.draft-';

let count = 0;

/** Writes or replaces a private file as a whole. Resolves when it would be there even after a power failure. @throws Error of the file system */
export async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  count += 1;
  const draft = join(folder, `${DRAFT}${process.pid}-${count}-${name}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  // The name is part of the folder.
  const parent = await open(folder, 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

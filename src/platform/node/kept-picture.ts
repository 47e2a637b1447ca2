import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptPicture } from '../../ports/platform.ts';

/** Longer than any question is open. */
const LONGEST_MS = 180_000;

/** Writes a picture to a file that only this user can read, for as long as a question about it is open. `undefined` if it cannot be written. */
export async function keepPicture(png: Uint8Array): Promise<KeptPicture | undefined> {
  let folder: string | undefined;
  const remove = async (): Promise<void> => {
    clearTimeout(timer);
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  };
  // A client may never answer.
  const timer = setTimeout(() => void remove(), LONGEST_MS).unref();
  try {
    folder = await mkdtemp(join(tmpdir(), 'deskterity-question-'));
    const path = join(folder, 'element.png');
    await writeFile(path, png, { mode: 0o600, flag: 'wx' });
    return { path, remove };
  } catch {
    await remove();
    return undefined;
  }
}

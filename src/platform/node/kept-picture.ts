import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptPicture, TakePicture } from '../../ports/platform.ts';

/** Longer than any question is open. */
const LONGEST_MS = 180_000;

/** By what they are about. A question that is asked again must name the same file, or that there is none. */
const kept = new Map<string, Promise<KeptPicture | undefined>>();

/** See {@link Platform.keepPicture}. */
export function keepPicture(take: TakePicture, about?: string): Promise<KeptPicture | undefined> {
  const known = about === undefined ? undefined : kept.get(about);
  if (known !== undefined) return known;
  const forget = (): void => {
    if (about !== undefined) kept.delete(about);
  };
  const keeping = keep(take, forget);
  if (about !== undefined) kept.set(about, keeping);
  return keeping;
}

async function keep(take: TakePicture, forget: () => void): Promise<KeptPicture | undefined> {
  let folder: string | undefined;
  const remove = async (): Promise<void> => {
    clearTimeout(timer);
    forget();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  };
  // A client may never answer.
  const timer = setTimeout(() => void remove(), LONGEST_MS).unref();
  try {
    const png = await take();
    if (png === undefined) return undefined;
    folder = await mkdtemp(join(tmpdir(), 'deskterity-question-'));
    const path = join(folder, 'element.png');
    await writeFile(path, png, { mode: 0o600, flag: 'wx' });
    return { path, remove };
  } catch {
    return undefined;
  }
}

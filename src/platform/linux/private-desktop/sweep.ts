import { lstatSync } from 'node:fs';
import path from 'node:path';
import { parseJson } from '../../../model/parse-json.ts';
import { namesIn, readText } from '../../node/quiet-files.ts';
import { baseFolders, FOLDER_NAME } from './folder.ts';
import { isOwnerDead, OwnerRecord } from './owner.ts';
import { cleanUpAfter } from './supervisor.ts';

/** A folder without an owner file is left alone this long: its owner may be about to write it. */
const OWNERLESS_GRACE_MS = 60_000;

/**
 * Cleans up desktops whose owner and supervisor were both killed. Touches only folders that match our name pattern, belong to this user
 * and whose owner has certainly exited. The work goes on in other processes; resolves when all of it is done, and never rejects.
 */
export async function sweepLeftovers(): Promise<void> {
  const cleaned: Promise<void>[] = [];
  for (const { id, folder, changedAtMs, owner } of desktopFolders()) {
    const isOld = Date.now() - changedAtMs > OWNERLESS_GRACE_MS;
    if (owner === undefined ? !isOld : !isOwnerDead(owner)) continue;
    cleaned.push(cleanUpAfter({ id, folder, ownerPid: owner?.pid ?? 0 }));
  }
  await Promise.all(cleaned);
}

interface FoundDesktop {
  readonly id: string;
  readonly folder: string;
  readonly changedAtMs: number;
  readonly owner: OwnerRecord | undefined;
}

/** The private desktops of this user, running or left over. */
export function desktopFolders(): FoundDesktop[] {
  return baseFolders().flatMap((base) =>
    namesIn(base).flatMap((name) => {
      const id = FOLDER_NAME.exec(name)?.[1];
      const folder = path.join(base, name);
      const stat = id === undefined ? undefined : lstatSync(folder, { throwIfNoEntry: false });
      if (id === undefined || !stat?.isDirectory() || stat.uid !== process.getuid?.()) return [];
      return [{ id, folder, changedAtMs: stat.mtimeMs, owner: readOwner(folder) }];
    }),
  );
}

function readOwner(folder: string): OwnerRecord | undefined {
  return OwnerRecord.safeParse(parseJson(readText(path.join(folder, 'owner')) ?? '')).data;
}

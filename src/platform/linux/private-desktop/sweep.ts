import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { baseFolders, FOLDER_NAME } from './folder.ts';
import { isOwnerDead, OwnerRecord } from './owner.ts';
import { cleanUpAfter } from './supervisor.ts';

/** A folder without an owner file is left alone this long: its owner may be about to write it. */
const OWNERLESS_GRACE_MS = 60_000;

/**
 * Cleans up desktops whose owner and supervisor were both killed. Touches only folders that match our name pattern, belong to this user
 * and whose owner has certainly exited. Returns their ids; the work continues in the background.
 */
export function sweepLeftovers(): string[] {
  const found: string[] = [];
  for (const base of baseFolders()) {
    for (const name of folderNames(base)) {
      const id = FOLDER_NAME.exec(name)?.[1];
      const folder = path.join(base, name);
      if (id === undefined || !isOurs(folder)) continue;
      const owner = readOwner(folder);
      if (owner === undefined ? !isOld(folder) : !isOwnerDead(owner)) continue;
      cleanUpAfter({ id, folder, ownerPid: owner?.pid ?? 0 });
      found.push(id);
    }
  }
  return found;
}

function folderNames(base: string): string[] {
  try {
    return readdirSync(base);
  } catch {
    return [];
  }
}

function isOurs(folder: string): boolean {
  try {
    const stat = lstatSync(folder);
    return stat.isDirectory() && stat.uid === process.getuid?.();
  } catch {
    return false;
  }
}

function isOld(folder: string): boolean {
  try {
    return Date.now() - lstatSync(folder).mtimeMs > OWNERLESS_GRACE_MS;
  } catch {
    return false;
  }
}

function readOwner(folder: string): OwnerRecord | undefined {
  const text = readText(path.join(folder, 'owner'));
  if (text === undefined) return undefined;
  try {
    return OwnerRecord.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

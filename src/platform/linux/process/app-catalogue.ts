import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDesktopEntry } from './desktop-entry.ts';
import type { DesktopEntry } from './desktop-entry.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Real applications folders are not nested deeper. */
const DEEPEST = 4;

/** The entries of all installed applications, by id. A file in an earlier data folder overrides or hides those with its id in later ones. */
export function readCatalogue(environment: Environment): Map<string, DesktopEntry> {
  const entries = new Map<string, DesktopEntry>();
  const seen = new Set<string>();
  for (const folder of applicationFolders(environment)) {
    for (const relative of desktopFiles(folder, '', 0)) {
      const id = relative.replace(/\.desktop$/, '').replaceAll('/', '-');
      if (seen.has(id)) continue;
      seen.add(id);
      const entry = readEntry(path.join(folder, relative), id);
      if (entry !== undefined && !entry.hidden) entries.set(id, entry);
    }
  }
  return entries;
}

/** Reads an entry from its file; `undefined` if it is unreadable or not an application's entry. */
export function readEntry(file: string, id: string): DesktopEntry | undefined {
  try {
    return parseDesktopEntry(readFileSync(file, 'utf8'), file, id);
  } catch {
    return undefined;
  }
}

function applicationFolders(environment: Environment): string[] {
  const home = environment['HOME'];
  const own =
    environment['XDG_DATA_HOME'] ?? (home === undefined ? undefined : path.join(home, '.local/share'));
  const shared = (environment['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share').split(':');
  return [own, ...shared]
    .filter((folder) => folder !== undefined && path.isAbsolute(folder))
    .map((folder) => path.join(folder ?? '', 'applications'));
}

function desktopFiles(folder: string, below: string, depth: number): string[] {
  try {
    return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((item) => {
      const relative = path.join(below, item.name);
      if (item.isDirectory()) return depth < DEEPEST ? desktopFiles(folder, relative, depth + 1) : [];
      return item.name.endsWith('.desktop') ? [relative] : [];
    });
  } catch {
    return [];
  }
}

import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';

/** Ids of the installed applications that "launch" takes, by the names of their desktop files; none on systems without such files. */
export async function installedApps(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const home = environment['HOME'];
  const own = environment['XDG_DATA_HOME'] ?? (home === undefined ? '' : join(home, '.local/share'));
  const shared = (environment['XDG_DATA_DIRS'] || '/usr/local/share:/usr/share').split(':');
  const folders = [own, ...shared].filter((folder) => isAbsolute(folder));
  const lists = await Promise.all(
    folders.map((folder) => readdir(join(folder, 'applications')).catch((): string[] => [])),
  );
  const ids = lists.flat().filter((name) => name.endsWith('.desktop'));
  return [...new Set(ids.map((name) => name.slice(0, -'.desktop'.length)))].sort();
}

import { statSync } from 'node:fs';
import { NAME_SERVERS } from './system-reads.ts';

/**
 * Says whether rules still hold for what they name. A rule holds for a file, not for a name: one that was replaced, as settings are, or a
 * folder that was removed and made again, is another.
 */
export function placeStamp(paths: readonly string[]): string {
  return [
    ...paths.map((path) => identity(path)),
    // Replacing something in /etc changes the folder.
    identity('/etc', true),
    identity(NAME_SERVERS),
  ].join(' ');
}

function identity(path: string, withTime = false): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return '-';
  return `${stat.dev}:${stat.ino}${withTime ? `:${stat.mtimeMs}` : ''}`;
}

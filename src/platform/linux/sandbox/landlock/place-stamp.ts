import { statSync } from 'node:fs';
import { NAME_SERVERS } from './system-reads.ts';

/**
 * Identifies the files behind paths. Rules apply to files, not names: if a file was replaced, or a folder removed and created again, the
 * stamp changes and the rules must be rebuilt.
 */
export function placeStamp(paths: readonly string[]): string {
  return [
    ...paths.map((path) => identity(path)),
    // Replacing a file in /etc changes the folder's time.
    identity('/etc', true),
    identity(NAME_SERVERS),
  ].join(' ');
}

function identity(path: string, withTime = false): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return '-';
  return `${stat.dev}:${stat.ino}${withTime ? `:${stat.mtimeMs}` : ''}`;
}

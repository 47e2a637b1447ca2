import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Tells one build of a program from another: the same as long as every file in its folders is. */
export function buildMark(...folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted();
    for (const file of files) hash.update(`${relative(folder, file)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 12);
}

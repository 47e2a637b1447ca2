import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const TWINS = 'scripts/proof/twins';
const READING = 'scripts/proof/reading';
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.[^']+)'/g;

/** All files that `file` imports, directly or through others. */
function reached(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !file.endsWith('.ts')) return found;
  found.add(file);
  for (const [, specifier = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT))
    reached(relative(ROOT, join(ROOT, dirname(file), specifier)), found);
  return found;
}

describe('the twins know nothing of the program they judge', () => {
  const files = readdirSync(join(ROOT, TWINS), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

  it('finds the files and what they import', () => {
    expect(files).toContain(`${TWINS}/act/mouse.ts`);
    expect(reached(`${TWINS}/act/mouse.ts`)).toContain(`${TWINS}/side/side.ts`);
  });

  it.each(files)('%s imports nothing of src/', (file) => {
    expect([...reached(file)].filter((other) => other.startsWith('src/'))).toEqual([]);
  });

  it('nor does the instrument that compares readings', () => {
    const reading = readdirSync(join(ROOT, READING)).map((name) => `${READING}/${name}`);
    expect(reading).toContain(`${READING}/compare.ts`);
    for (const file of reading)
      expect([...reached(file)].filter((other) => other.startsWith('src/'))).toEqual([]);
  });

  it('only the actor of our side mentions the program', () => {
    const mentioning = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes('desk.cjs'));
    expect(mentioning).toEqual([`${TWINS}/act/desk.ts`]);
  });
});

import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { eventually } from './errand.ts';

/** Passes once all `lines` are in a file, which may be written a moment after the last call. Indentation does not count. */
export async function hasLines(file: string, lines: readonly string[]): Promise<void> {
  await eventually(async () => {
    const text = await readFile(file, 'utf8');
    const found = new Set(text.split('\n').map((line) => line.trim()));
    for (const line of lines)
      assert.ok(found.has(line), `${line} is not in ${file}:\n${text.slice(0, 2000)}`);
  });
}

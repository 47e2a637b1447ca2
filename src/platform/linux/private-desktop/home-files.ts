import { opendir } from 'node:fs/promises';
import path from 'node:path';
import type { HomeFiles } from '../../../model/sessions/session-summary.ts';

const MOST_COUNTED = 10_000;
const MOST_LOOKED_AT = 50_000;
const MOST_NAMED = 10;

/** The files in a HOME outside hidden folders, where applications keep settings and caches. Links are not followed. Never rejects. */
export async function filesIn(home: string): Promise<HomeFiles> {
  const names: string[] = [];
  const folders = [''];
  let count = 0;
  let looked = 0;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = await opendir(path.join(home, folder)).catch(() => undefined);
    if (entries === undefined) continue;
    try {
      for await (const entry of entries) {
        looked += 1;
        if (count >= MOST_COUNTED || looked > MOST_LOOKED_AT)
          return { count, is_counted_whole: false, names };
        if (entry.name.startsWith('.')) continue;
        const name = path.join(folder, entry.name);
        if (entry.isDirectory()) {
          folders.push(name);
          continue;
        }
        count += 1;
        if (names.length < MOST_NAMED) names.push(name);
      }
    } catch {
      // It was removed meanwhile.
    }
  }
  return { count, is_counted_whole: true, names };
}

import { fileURLToPath } from 'node:url';
import { clip, reveal } from '../../../model/text/untrusted-text.ts';
import type { Root } from '../sdk.ts';

/** More roots of one client are left out. */
const MOST_ROOTS = 16;
const LONGEST_PATH = 4096;

/** The folders that a client's roots name, without looking at them. Anything but an absolute path of this machine is refused. */
export function rootFolders(roots: readonly Root[]): {
  readonly folders: readonly string[];
  readonly refused: readonly string[];
} {
  const folders = new Set<string>();
  const refused: string[] = [];
  for (const { uri } of roots) {
    const folder = folderOf(uri);
    if (folder === undefined || folders.size >= MOST_ROOTS) refused.push(reveal(clip(uri, 200)));
    else folders.add(folder);
  }
  return { folders: [...folders], refused };
}

function folderOf(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  const isPlain = url.protocol === 'file:' && url.search === '' && url.hash === '';
  if (!isPlain || !['', 'localhost'].includes(url.host)) return undefined;
  try {
    const path = fileURLToPath(url);
    return path.length <= LONGEST_PATH && !path.includes('\0') ? path : undefined;
  } catch {
    // Such as an encoded slash.
    return undefined;
  }
}

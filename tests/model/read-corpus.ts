import { readdirSync, readFileSync } from 'node:fs';
import { RawTreeFile } from '../../bench/corpus-file.ts';
import type { TreeNode } from '../../src/model/tree/node.ts';

const folder = new URL('corpus/', import.meta.url);

/** The hand-made trees under tests/model/corpus, each imitating what one toolkit reports. */
export function readCorpus(): { name: string; tree: TreeNode }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { name, tree } = RawTreeFile.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));
      return { name, tree };
    });
}

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { RawTreeFile } from './corpus-file.ts';
import { CannotMeasure } from './support/figures.ts';

/** Windows recorded from real applications; relative to the repository, where benchmarks are run. */
export const CORPUS = 'bench/corpus';

export async function readCorpus(folder: string): Promise<RawTreeFile[]> {
  const files = await readdir(folder).catch(() => []);
  const texts = files.filter((file) => file.endsWith('.json')).sort();
  return Promise.all(texts.map((file) => readOne(path.join(folder, file))));
}

async function readOne(file: string): Promise<RawTreeFile> {
  const parsed = RawTreeFile.safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new CannotMeasure(
    `${file} is not a recorded window: ${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`,
  );
}

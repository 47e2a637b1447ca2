import { readFile } from 'node:fs/promises';

/** A program in a page, marked with `<!-- example: NAME -->` on the line before it. */
export interface DocumentedExample {
  readonly name: string;
  readonly source: string;
}

/** Every marked TypeScript block of a page. @throws Error if a mark has no block, or a TypeScript block has no mark */
export async function examplesOf(page: string): Promise<readonly DocumentedExample[]> {
  const text = await readFile(page, 'utf8');
  const marks = text.match(/<!-- example:/g)?.length ?? 0;
  const blocks = text.match(/^```ts$/gm)?.length ?? 0;
  const found = [...text.matchAll(/^<!-- example: ([a-z-]+) -->\n```ts\n([\s\S]*?)^```$/gm)];
  if (found.length !== marks || found.length !== blocks)
    throw new Error(
      `${page} has ${marks} marks and ${blocks} TypeScript blocks, ${found.length} of them together.`,
    );
  return found.map(([, name = '', source = '']) => ({ name, source }));
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { OutputStore } from '../../../src/operations/output/output-store.ts';
import type { StreamName } from '../../../src/ports/operations.ts';

/** Runs with a folder of its own, which is gone afterwards. */
export async function inFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ops-'));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Stores chunks of one stream. */
export async function stored(
  folder: string,
  chunks: readonly (Buffer | string)[],
  budgetBytes = 1024 * 1024,
  stream: StreamName = 'merged',
): Promise<OutputStore> {
  const store = new OutputStore({ folder, budgetBytes });
  for (const chunk of chunks) await store.write(stream, Buffer.from(chunk));
  await store.close();
  return store;
}

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'word ', 'x1', ' ', '\n', '\n', 'é', '漢', '😀', '\t', '  ', 'error: '),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }).filter((text) => !text.includes('\r')) },
);

/** Text without anything that reading changes. */
export const plainChunk = fc
  .array(piece, { maxLength: 60, size: 'max' })
  .map((parts) => Buffer.from(parts.join('').replaceAll(/[^\n\t\u0020-\u007Eé漢😀]/gu, '?')));

/** Whatever a program may write. */
export const hostileChunk = fc.oneof(
  plainChunk,
  fc.uint8Array({ maxLength: 80, size: 'max' }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(
      fc.constantFrom(
        '\u001B[31m',
        '\u001B[',
        '\u001B]0;t',
        '\u0007',
        '\r',
        '\r\n',
        '50%\r',
        '\u202E',
        '\u0000',
        'plain',
      ),
      { maxLength: 30, size: 'max' },
    )
    .map((parts) => Buffer.from(parts.join(''))),
);

/** Chunks of an output: mostly more than is shown or kept at once. */
export function chunksOf(chunk: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer[]> {
  return fc.array(chunk, { maxLength: 60, size: 'max' });
}

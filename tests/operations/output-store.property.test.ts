import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countNewlines } from '../../src/operations/output/decode-bytes.ts';
import { openExtent } from '../../src/operations/output/output-extent.ts';
import { listSegments, writtenBytes } from '../../src/operations/output/output-segments.ts';
import { OutputStore } from '../../src/operations/output/output-store.ts';
import type { StreamName } from '../../src/ports/operations.ts';
import { hostileChunk, inFolder } from './support/streams.ts';

async function bytesIn(folder: string): Promise<number> {
  const sizes = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** A last line that has no end counts. */
function linesIn(bytes: Buffer): number {
  return countNewlines(bytes) + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
}

const writes = fc.array(fc.tuple(fc.constantFrom<StreamName>('stdout', 'stderr'), hostileChunk), {
  maxLength: 60,
  size: 'max',
});

describe('the kept output', () => {
  it('is always within the budget, correct by byte and line, with beginning and end', async () => {
    await fc.assert(
      fc.asyncProperty(writes, fc.integer({ min: 64, max: 4096 }), async (writes, budgetBytes) =>
        inFolder(async (folder) => {
          const store = new OutputStore({ folder, budgetBytes });
          const model = new Map<StreamName, Buffer>();
          for (const [stream, bytes] of writes) {
            await store.write(stream, bytes);
            model.set(stream, Buffer.concat([model.get(stream) ?? Buffer.alloc(0), bytes]));
            expect(await bytesIn(folder)).toBeLessThanOrEqual(budgetBytes);
          }
          await store.close();
          expect(store.problem).toBeUndefined();
          for (const [stream, whole] of model) {
            const segments = listSegments(folder, stream);
            let end = 0;
            for (const { path, start, newlinesBefore, bytes } of segments) {
              expect(start).toBeGreaterThanOrEqual(end);
              expect(await readFile(path)).toEqual(whole.subarray(start, start + bytes));
              expect(newlinesBefore).toBe(countNewlines(whole.subarray(0, start)));
              end = start + bytes;
            }
            expect(end).toBe(whole.length);
            const kept = (from: number, to: number) =>
              segments.reduce(
                (sum, { start, bytes }) =>
                  sum + Math.max(0, Math.min(to, start + bytes) - Math.max(from, start)),
                0,
              );
            const share = Math.floor(budgetBytes / 4);
            expect(kept(0, share)).toBe(Math.min(share, whole.length));
            // Two streams share what is left; the last segment of each is always there.
            const least = Math.min(Math.floor(budgetBytes / 16), whole.length);
            expect(segments.at(-1)?.bytes ?? 0).toBeGreaterThan(least === 0 ? -1 : 0);
            const extent = await openExtent(folder, stream);
            expect(extent.totalBytes).toBe(whole.length);
            expect(extent.totalLines).toBe(linesIn(whole));
            for (const gap of extent.gaps) {
              expect(gap.firstLine).toBe(countNewlines(whole.subarray(0, gap.start)) + 1);
              expect(gap.lastLine).toBe(countNewlines(whole.subarray(0, gap.end)) + 1);
            }
          }
          const lengths = [...model]
            .filter(([, bytes]) => bytes.length > 0)
            .map(([name, { length }]) => [name, length]);
          expect(writtenBytes(folder)).toEqual(Object.fromEntries(lengths));
        }),
      ),
      { numRuns: 10 },
    );
  }, 60_000);

  it('keeps part of the end when one stream uses the whole budget', async () => {
    await inFolder(async (folder) => {
      const store = new OutputStore({ folder, budgetBytes: 1600 });
      const whole = Buffer.from(Array.from({ length: 5000 }, (_, index) => `${index}\n`).join(''));
      for (let at = 0; at < whole.length; at += 77) await store.write('merged', whole.subarray(at, at + 77));
      await store.close();
      const { gaps } = await openExtent(folder, 'merged');
      expect(gaps).toHaveLength(1);
      expect(gaps[0]?.start).toBeGreaterThanOrEqual(400);
      expect(gaps[0]?.end).toBeLessThanOrEqual(whole.length - 800);
    });
  });
});

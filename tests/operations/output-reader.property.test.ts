import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../src/operations/output/clean-output.ts';
import { tokensOf } from '../../src/operations/output/fit-tokens.ts';
import { openExtent } from '../../src/operations/output/output-extent.ts';
import { readOutput } from '../../src/operations/output/output-reader.ts';
import type { OutputQuery } from '../../src/ports/operations.ts';
import { chunksOf, hostileChunk, inFolder, plainChunk, stored } from './support/streams.ts';

const tokens = fc.integer({ min: 200, max: 900 });
const chunks = chunksOf(plainChunk);
const budget = fc.integer({ min: 400, max: 20_000 });

/** Reads from a byte on, answer after answer; what was shown, and which bytes were said not to be there. */
async function walk(folder: string, maxTokens: number, from = 0) {
  let text = '';
  const lost: [number, number][] = [];
  for (let cursor = from; ;) {
    const part = await readOutput({ folder, kind: 'merged', isComplete: true }, { cursor, maxTokens });
    expect(tokensOf(part)).toBeLessThanOrEqual(maxTokens);
    text += part.text;
    for (const sentence of part.left_out) {
      const [, start, end] = /^Bytes (\d+) to (\d+) were not kept/.exec(sentence) ?? [];
      if (start !== undefined) lost.push([Number(start), Number(end)]);
    }
    if (part.next_cursor === part.total_bytes) return { text, lost };
    expect(part.next_cursor).toBeGreaterThan(cursor);
    expect(part.left_out.join(' ')).toContain(`cursor ${part.next_cursor}`);
    cursor = part.next_cursor;
  }
}

describe('reading repeatedly by cursor', () => {
  it('returns every kept byte once and in order, and names the gaps', async () => {
    await fc.assert(
      fc.asyncProperty(chunks, budget, tokens, async (chunks, budgetBytes, maxTokens) =>
        inFolder(async (folder) => {
          await stored(folder, chunks, budgetBytes);
          const whole = Buffer.concat(chunks);
          const { gaps } = await openExtent(folder, 'merged');
          const { text, lost } = await walk(folder, maxTokens);
          expect(lost).toEqual(gaps.map(({ start, end }) => [start, end]));
          let expected = '';
          let at = 0;
          for (const { start, end } of [...gaps, { start: whole.length, end: whole.length }]) {
            expected += visibleText(whole.subarray(at, start));
            at = end;
          }
          expect(text).toBe(expected);
        }),
      ),
      { numRuns: 12 },
    );
  }, 60_000);

  it('reaches the end within the tokens, whatever a program writes', async () => {
    await fc.assert(
      fc.asyncProperty(chunksOf(hostileChunk), tokens, async (chunks, maxTokens) =>
        inFolder(async (folder) => {
          await stored(folder, chunks);
          const { text } = await walk(folder, maxTokens);
          expect(text).toMatch(/^[\P{Cc}\n\t]*$/u);
        }),
      ),
      { numRuns: 12 },
    );
  }, 60_000);
});

/** Lines of a text as a reader counts them. */
function linesOf(whole: string): string[] {
  return (whole.endsWith('\n') ? whole.slice(0, -1) : whole).split('\n');
}

describe('lines by number', () => {
  it('are those of the output, up to the tokens, with gaps named', async () => {
    const range = fc.tuple(fc.nat(400), fc.nat(60));
    await fc.assert(
      fc.asyncProperty(chunks, budget, range, tokens, async (chunks, budgetBytes, [from, more], maxTokens) =>
        inFolder(async (folder) => {
          await stored(folder, chunks, budgetBytes);
          const bytes = Buffer.concat(chunks);
          const lines = linesOf(bytes.toString('utf8'));
          const first = Math.min(from + 1, lines.length);
          const last = first + more;
          const source = { folder, kind: 'merged', isComplete: true } as const;
          const part = await readOutput(source, { lines: { first, last }, maxTokens });
          expect(tokensOf(part)).toBeLessThanOrEqual(maxTokens);
          const { gaps } = await openExtent(folder, 'merged');
          const isDamaged = gaps.some((gap) => gap.firstLine <= last && gap.lastLine >= first);
          expect(part.left_out.join(' ').includes('were not kept')).toBe(isDamaged);
          if (isDamaged) return;
          const wanted = lines.slice(first - 1, last);
          const got = part.text.split('\n');
          const [sentence = ''] = part.left_out;
          const isCut = sentence.startsWith(`Line ${first} is longer`);
          const shown = isCut ? [wanted[0]?.slice(0, part.text.length)] : wanted.slice(0, got.length);
          expect(got).toEqual(shown);
          const next = isCut ? first : first + got.length;
          const isAll = !isCut && got.length === wanted.length;
          expect(isAll ? sentence === '' : isCut || new RegExp(`lines? ${next} `).test(sentence)).toBe(true);
          const line = lines[next - 1] ?? '';
          expect(bytes.subarray(part.next_cursor).toString('utf8').slice(0, line.length)).toBe(line);
        }),
      ),
      { numRuns: 15 },
    );
  }, 60_000);

  it('from the end are the last ones', async () => {
    const count = fc.integer({ min: 1, max: 80 });
    await fc.assert(
      fc.asyncProperty(chunks, budget, count, tokens, async (chunks, budgetBytes, tail, maxTokens) =>
        inFolder(async (folder) => {
          await stored(folder, chunks, budgetBytes);
          const whole = Buffer.concat(chunks).toString('utf8');
          const lines = linesOf(whole);
          const part = await readOutput({ folder, kind: 'merged', isComplete: true }, { tail, maxTokens });
          expect(tokensOf(part)).toBeLessThanOrEqual(maxTokens);
          const isCut = part.left_out.some((sentence) => sentence.includes('longer than the limit'));
          const got = part.text === '' && lines.at(-1) !== '' ? [] : part.text.split('\n');
          const { gaps } = await openExtent(folder, 'merged');
          const first = Math.max(1, lines.length - tail + 1);
          const isDamaged = gaps.some((gap) => gap.lastLine >= first);
          const expected = lines.slice(lines.length - got.length);
          // Beside many gaps there may be no room for any of it.
          expect(isCut ? (got[0] ?? '') : got).toEqual(
            isCut ? lines.at(-1)?.slice(0, part.text.length) : expected,
          );
          const isAll = !isCut && got.length === Math.min(tail, lines.length);
          expect(part.left_out.length === 0).toBe(isAll && !isDamaged);
        }),
      ),
      { numRuns: 15 },
    );
  }, 60_000);
});

describe('every kind of query', () => {
  it('keeps to the tokens, shows no invisible characters, and says what it omits', async () => {
    const query: fc.Arbitrary<Omit<OutputQuery, 'maxTokens'>> = fc.oneof(
      fc.constant({}),
      fc.record({ tail: fc.nat(200) }),
      fc.record({ cursor: fc.constant(0) }),
      fc.record({
        pattern: fc.constantFrom('a', '.', 'error', '^', String.raw`\d`),
        context: fc.nat(3),
      }),
    );
    const given = fc.tuple(chunksOf(hostileChunk), budget, query, fc.boolean(), tokens);
    await fc.assert(
      fc.asyncProperty(given, async ([chunks, budgetBytes, query, isComplete, maxTokens]) =>
        inFolder(async (folder) => {
          await stored(folder, chunks, budgetBytes);
          const part = await readOutput({ folder, kind: 'merged', isComplete }, { ...query, maxTokens });
          expect(tokensOf(part)).toBeLessThanOrEqual(maxTokens);
          expect([part.text, ...part.left_out].join('\n')).toMatch(/^[\P{Cc}\n\t]*$/u);
          const { gaps } = await openExtent(folder, 'merged');
          const mustSay = gaps.length > 0 && query.tail === undefined;
          expect(!mustSay || /not kept|cursor/.test(part.left_out.join(' '))).toBe(true);
        }),
      ),
      { numRuns: 12 },
    );
  }, 60_000);
});

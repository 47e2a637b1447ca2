import { describe, expect, it } from 'vitest';
import { openExtent } from '../../src/operations/output/output-extent.ts';
import { readOutput } from '../../src/operations/output/output-reader.ts';
import { readMatches } from '../../src/operations/output/read-matches.ts';
import type { OutputPart, OutputQuery } from '../../src/ports/operations.ts';
import { inFolder, stored } from './support/streams.ts';

function ask(text: string, query: Omit<OutputQuery, 'maxTokens'>, maxTokens = 1000): Promise<OutputPart> {
  return inFolder(async (folder) => {
    await stored(folder, [text], 16 * 1024 * 1024);
    return readOutput({ folder, kind: 'merged', isComplete: true }, { ...query, maxTokens });
  });
}

const LINES = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n');

describe('a search', () => {
  it('returns matching lines with numbers and context', async () => {
    const part = await ask(LINES, { pattern: '^line (7|9|20)$', context: 1 });
    expect(part.text).toBe(
      [
        '6- line 6',
        '7: line 7',
        '8- line 8',
        '9: line 9',
        '10- line 10',
        '--',
        '19- line 19',
        '20: line 20',
        '21- line 21',
      ].join('\n'),
    );
    expect(part.left_out).toEqual([]);
  });

  it('searches the shown text without colours, and ignores case if requested', async () => {
    const text = '\u001B[31mFa\u001B[0miled\u001B[m\nok\n';
    expect((await ask(text, { pattern: 'failed', ignoreCase: true })).text).toBe('1: Failed');
    expect((await ask(text, { pattern: 'failed' })).text).toBe('');
    expect((await ask(text, { pattern: 'failed' })).left_out).toEqual(['No line matches failed.']);
  });

  it('accepts patterns in Unicode mode and older ones', async () => {
    expect((await ask('straße\n', { pattern: String.raw`^\p{L}+$` })).text).toBe('1: straße');
    expect((await ask('a-b\n', { pattern: String.raw`a\-b` })).text).toBe('1: a-b');
    await expect(ask('x', { pattern: '(' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('continues by cursor until each match was shown once', async () => {
    const text = Array.from(
      { length: 900 },
      (_, index) => `${index % 3 === 0 ? 'hit' : 'no'} number ${index}`,
    ).join('\n');
    await inFolder(async (folder) => {
      await stored(folder, [text]);
      const seen: string[] = [];
      let cursor = 0;
      do {
        const source = { folder, kind: 'merged', isComplete: true } as const;
        const part = await readOutput(source, { pattern: '^hit', cursor, maxTokens: 300 });
        seen.push(...part.text.split('\n'));
        expect(part.next_cursor).toBeGreaterThan(cursor);
        cursor = part.next_cursor;
      } while (cursor < Buffer.byteLength(text));
      expect(seen).toEqual(
        Array.from({ length: 300 }, (_, index) => `${index * 3 + 1}: hit number ${index * 3}`),
      );
    });
  });

  it('with an endless pattern stops in time and blocks nothing else', async () => {
    await inFolder(async (folder) => {
      await stored(folder, [`${'a'.repeat(60)}!\n`]);
      let ticks = 0;
      const timer = setInterval(() => (ticks += 1), 10);
      const query = {
        pattern: '^(a+)+$',
        ignoreCase: false,
        context: 0,
        cursor: 0,
        maxTokens: 500,
        limitMs: 400,
      };
      const begun = performance.now();
      const extent = await openExtent(folder, 'merged');
      await expect(readMatches(extent, query)).rejects.toMatchObject({ code: 'TIMEOUT' });
      clearInterval(timer);
      expect(performance.now() - begun).toBeLessThan(5000);
      expect(ticks).toBeGreaterThan(10);
    });
  });

  it('that reaches its time limit returns its results and where to continue', async () => {
    await inFolder(async (folder) => {
      const early = Array.from({ length: 40_000 }, (_, index) => `early ${index}`).join('\n');
      await stored(folder, [`${early}\n${'a'.repeat(60)}!\n`]);
      const extent = await openExtent(folder, 'merged');
      const query = {
        pattern: '^early 7$|^(a+)+$',
        ignoreCase: false,
        context: 0,
        cursor: 0,
        maxTokens: 500,
        limitMs: 1000,
      };
      const part = await readMatches(extent, query);
      expect(part.text).toBe('8: early 7');
      expect(part.next_cursor).toBeGreaterThan(0);
      expect(part.next_cursor).toBeLessThan(extent.totalBytes);
      expect(part.left_out.join(' ')).toContain(`at byte ${part.next_cursor}; continue with that cursor`);
    });
  });
});

describe('a query', () => {
  it.each<[Omit<OutputQuery, 'maxTokens'>, string]>([
    [{ tail: 3, cursor: 0 }, 'More than one part'],
    [{ lines: { first: 1, last: 2 }, pattern: 'x' }, 'More than one part'],
    [{ lines: { first: 5, last: 4 } }, 'no lines 5 to 4'],
    [{ lines: { first: 41, last: 50 } }, 'no lines 41 to 50'],
    [{ lines: { first: 0, last: 4 } }, 'no lines 0 to 4'],
    [{ cursor: -1 }, 'cursor'],
    [{ cursor: 1e6 }, 'beyond the end'],
    [{ tail: 1.5 }, 'tail'],
    [{ stream: 'stderr' }, 'no stream stderr'],
  ])('that is invalid is refused with the reason: %o', async (query, message) => {
    await expect(ask(LINES, query)).rejects.toThrow(message);
    await expect(ask(LINES, query)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('with too few tokens is refused', async () => {
    await expect(ask(LINES, { tail: 3 }, 50)).rejects.toMatchObject({ code: 'BUDGET_TOO_SMALL' });
  });
});

describe('an incomplete output', () => {
  it('shows a character only when complete, and an unfinished line at once', async () => {
    await inFolder(async (folder) => {
      const bytes = Buffer.from('Password: 漢\u001B[31m');
      await stored(folder, [bytes.subarray(0, 12)]);
      const source = { folder, kind: 'merged', isComplete: false } as const;
      const first = await readOutput(source, { cursor: 0, maxTokens: 500 });
      expect(first).toMatchObject({ text: 'Password: ', next_cursor: 10, total_bytes: 12 });
      const again = await readOutput(source, { cursor: 10, maxTokens: 500 });
      expect(again).toMatchObject({ text: '', next_cursor: 10 });
      const last = await readOutput({ ...source, isComplete: true }, { cursor: 10, maxTokens: 500 });
      expect(last).toMatchObject({ text: String.raw`\xE6\xBC`, next_cursor: 12 });
    });
  });

  it('is read past an unterminated control sequence', async () => {
    await inFolder(async (folder) => {
      const bytes = Buffer.concat([Buffer.from('\u001B]0;t'), Buffer.alloc(200)]);
      await stored(folder, [bytes]);
      let text = '';
      for (let cursor = 0; cursor < bytes.length;) {
        const part = await readOutput(
          { folder, kind: 'merged', isComplete: true },
          { cursor, maxTokens: 200 },
        );
        expect(part.next_cursor).toBeGreaterThan(cursor);
        ({ next_cursor: cursor } = part);
        text += part.text;
      }
      expect(text).toBe(`${String.raw`\u{1B}]0;t`}${String.raw`\u{0}`.repeat(200)}`);
    });
  });
});

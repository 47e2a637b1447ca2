import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamGuard } from '../../src/terminal/screen/stream-guard.ts';

const SIZE = { columns: 80, rows: 24 };

function guard(): StreamGuard {
  return new StreamGuard(() => SIZE);
}

function passed(text: string): string {
  return guard().pass(Buffer.from(text));
}

describe('accepted input', () => {
  test.each([
    'plain text\r\n\t\u0007\b',
    'wide 漢字, e\u0301, 👩\u200D👧, שלום',
    '\u001B[1;38;2;255;128;0mcolour\u001B[0m\u001B[10;70H\u001B[2J\u001B[?1049h\u001B[24S\u001B[80b',
    '\u001B]0;title\u0007\u001B]8;;http://example.org\u001B\\link\u001B]8;;\u001B\\',
    '\u001BP$qm\u001B\\\u001B(0lqk\u001B(B\u001B7\u001B8\u001Bc\u001B\u001B[A',
  ])('%j is unchanged', (text) => {
    expect(passed(text)).toBe(text);
  });

  test('is the same wherever the bytes are split', () => {
    const pieces = fc.constantFrom(
      '\u001B',
      '[',
      ']',
      'P',
      '\\',
      '\u0007',
      '\u0018',
      '99999',
      '7',
      ';',
      '?',
      'S',
      'm',
      'h',
      'x',
      '漢',
      '\u0301',
      '\u009B',
      '\u007F',
      '\n',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 60 }),
        fc.nat(),
        (parts, place) => {
          const bytes = Buffer.from(parts.join(''));
          const cut = place % (bytes.length + 1);
          const twice = guard();
          const first = twice.pass(bytes.subarray(0, cut));
          // Combining marks across a split may be fewer; all else is equal. An incomplete sequence is held back in both.
          const joined = first + twice.pass(bytes.subarray(cut));
          expect(withoutMarks(joined)).toBe(withoutMarks(guard().pass(bytes)));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

function withoutMarks(text: string): string {
  return text.replaceAll(/[\p{M}\p{Cf}\u007F]/gu, '');
}

describe('filtered input', () => {
  test('invalid UTF-8 is replaced', () => {
    expect(guard().pass(Uint8Array.of(0x61, 0xff, 0xc3, 0x28, 0xe6))).toBe('a\uFFFD\uFFFD(');
  });

  test('C1 control characters', () => {
    expect(passed('a\u009B31mb\u009Dc\u009C')).toBe('a31mbc');
  });

  test('counts beyond the size of the screen', () => {
    expect(passed('\u001B[2147483647S\u001B[9999999b\u001B[0000009999L\u001B[99999;99999H')).toBe(
      '\u001B[24S\u001B[80b\u001B[24L\u001B[9999;9999H',
    );
    expect(passed('\u001B[9\u00079\u00079S')).toBe('\u001B\u0007\u0007[24S');
  });

  test('the rest of overlong strings and sequences', () => {
    expect(passed(`\u001B]0;${'x'.repeat(100_000)}\u0007after`)).toHaveLength(2 + 8192 + 1 + 5);
    expect(passed(`\u001BP${'x'.repeat(100_000)}\u001B\\after`)).toHaveLength(2 + 8192 + 2 + 5);
    expect(passed(`\u001B[${'1;'.repeat(100_000)}mafter`)).toBe('\u001B\u0018after');
  });
});

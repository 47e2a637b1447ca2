import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanCut, visibleText } from '../../src/operations/output/clean-output.ts';
import { decodeVisibly } from '../../src/operations/output/decode-bytes.ts';

const show = (text: string) => visibleText(Buffer.from(text));

describe('the output of a program', () => {
  it('is shown without control sequences', () => {
    expect(show('\u001B[1;31merror\u001B[0m: \u001B[38;2;1;2;3mred\u001B[K')).toBe('error: red');
    expect(show('\u001B]8;;https://example.org\u001B\\link\u001B]8;;\u0007')).toBe('link');
    expect(show('\u001B]0;title\u0007text\u001B(B\u001B=\u001B7')).toBe('text');
  });

  it('has the last state of lines in which programs went back', () => {
    const text = (written: string) => visibleText(Buffer.from(written));
    expect(text('abc\b\bX\n\b\b\bnext')).toBe('aXc\nnext');
    expect(text('  \b\b\b\bout')).toBe('out');
    expect(text('50%\b\b\b99%')).toBe('99%');
  });

  it('has the last state of overwritten lines', () => {
    expect(show('10%\r 50%\r100%\ndone\r\n')).toBe('100%\ndone\n');
    expect(show('fetching\r\u001B[Kfetched\r\r\n')).toBe('fetched\n');
  });

  it('shows invisible characters, and ignores unterminated sequences', () => {
    expect(show('a\u202Eb\u0000\u0001')).toBe(String.raw`a\u{202E}b\u{0}\u{1}`);
    expect(show('\u001B]0;no end\nnext')).toBe(`${String.raw`\u{1B}`}]0;no end\nnext`);
    expect(show(`\u001B[${'1'.repeat(100)}m`)).toContain('111');
  });

  it('shows invalid bytes by their numbers', () => {
    const bytes = Buffer.concat([
      Buffer.from('é'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('漢'),
      Buffer.from([0xe6, 0xbc]),
    ]);
    expect(visibleText(bytes)).toBe(String.raw`é\xFF\xC3漢\xE6\xBC`);
    // Longer than needed, half of a pair, beyond the last.
    expect(decodeVisibly(Buffer.from([0xc0, 0x80]))).toBe(String.raw`\xC0\x80`);
    expect(decodeVisibly(Buffer.from([0xed, 0xa0, 0x80]))).toBe(String.raw`\xED\xA0\x80`);
    expect(decodeVisibly(Buffer.from([0xf4, 0x90, 0x80, 0x80]))).toBe(String.raw`\xF4\x90\x80\x80`);
  });

  it('is decoded like in Node if it is text, and loses no byte otherwise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (array) => {
        const bytes = Buffer.from(array);
        const text = decodeVisibly(bytes);
        const back = text.replaceAll(/\\x([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCodePoint(0xf0000 + Number.parseInt(hex, 16)),
        );
        const bytesBack = Buffer.concat(
          Array.from(back, (character) => {
            const code = character.codePointAt(0) ?? 0;
            return code >= 0xf0000 && code < 0xf0100 ? Buffer.from([code - 0xf0000]) : Buffer.from(character);
          }),
        );
        expect(bytesBack).toEqual(bytes);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a cut', () => {
  it('is never inside a character or a control sequence', () => {
    const bytes = Buffer.from('ab漢\u001B[31mred\u001B]0;t\u001B\\x');
    const parts = Array.from({ length: bytes.length + 1 }, (_, length) =>
      visibleText(bytes.subarray(0, cleanCut(bytes, length))),
    );
    expect([...new Set(parts)]).toEqual(['', 'a', 'ab', 'ab漢', 'ab漢r', 'ab漢re', 'ab漢red', 'ab漢redx']);
  });
});

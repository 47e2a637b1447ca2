import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, quote, reveal, stringifyVisibly, unquote } from '../../src/model/text/untrusted-text.ts';
import { RUNS } from './arbitrary-tree.ts';

describe('quote', () => {
  it.each([
    ['plain', '"plain"'],
    ['say "hi"', String.raw`"say \"hi\""`],
    ['C:\\temp', String.raw`"C:\\temp"`],
    ['a\nb\tc\rd', String.raw`"a\nb\tc\rd"`],
    ['\u202Egnp.exe', String.raw`"\u{202E}gnp.exe"`],
    ['\u2066\u2069\u200E\u200F\u061C', String.raw`"\u{2066}\u{2069}\u{200E}\u{200F}\u{61C}"`],
    ['a\u200Bb\uFEFF\u00AD', String.raw`"a\u{200B}b\u{FEFF}\u{AD}"`],
    ['\u2028\u2029\u0085\u0000\u007F', String.raw`"\u{2028}\u{2029}\u{85}\u{0}\u{7F}"`],
    ['hidden \u{E0041}\u{E0042}', String.raw`"hidden \u{E0041}\u{E0042}"`],
    ['\uD800', String.raw`"\u{D800}"`],
    ['literal \\u{202E}', String.raw`"literal \\u{202E}"`],
    ['ünïcödé 日本語 العربية 🎉 ❤️', '"ünïcödé 日本語 العربية 🎉 ❤️"'],
  ])('shows %j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
    expect(unquote(quoted)).toBe(text);
  });

  it('is reversed by unquote, stays on one line and contains nothing invisible', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const quoted = quote(text);
        expect(unquote(quoted)).toBe(text);
        expect(quoted).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      }),
      { ...RUNS, numRuns: 2000 },
    );
  });

  it.each(['a', '"', String.raw`"\x"`, 'a"b"'])('unquote refuses %j', (text) => {
    expect(() => unquote(text)).toThrow(SyntaxError);
  });
});

describe('stringifyVisibly', () => {
  it('is JSON with nothing invisible in it', () => {
    const value = { name: '\u202Ea\u200B\u{E0041}\nb', nested: ['\u2028'] };
    const text = stringifyVisibly(value);
    expect(text).toBe(String.raw`{"name":"\u202ea\u200b\udb40\udc41\nb","nested":["\u2028"]}`);
    expect(JSON.parse(text)).toStrictEqual(value);
    expect(stringifyVisibly({ a: 1 }, 2)).toBe('{\n  "a": 1\n}');
  });
});

describe('clip and reveal', () => {
  it('cuts between characters', () => {
    expect(clip('abc', 3)).toBe('abc');
    expect(clip('abcd', 3)).toBe('abc…');
    expect(clip('ab🎉d', 3)).toBe('ab…');
  });

  it('shows invisible characters', () => {
    expect(reveal('a\u202Eb\nc "d"')).toBe(String.raw`a\u{202E}b\nc "d"`);
  });
});

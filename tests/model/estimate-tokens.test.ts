import * as fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { renderedTokens } from '../../src/model/tree/budget/placed.ts';
import { distill } from '../../src/model/tree/distill/distill.ts';
import { renderOutline } from '../../src/model/tree/outline.ts';
import { estimateTokens } from '../../src/model/tree/tokens/estimate-tokens.ts';
import { WORDS } from '../../src/model/tree/tokens/tables.ts';
import { options, rawTree, RUNS } from './arbitrary-tree.ts';
import { COMPACT, counter, distilled } from './raw-tree.ts';
import { readCorpus } from './read-corpus.ts';

const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

function real(text: string): number {
  return encode(text, PLAIN_TEXT).length;
}

const words = WORDS.flatMap(([, group]) => group.split(' '));
const range = (start: number, end: number) =>
  fc.integer({ min: start, max: end }).map((code) => String.fromCodePoint(code));
const SCRIPTS = {
  lower: range(0x61, 0x7a),
  upper: range(0x41, 0x5a),
  digits: range(0x30, 0x39),
  ascii: range(0x20, 0x7e),
  control: range(0, 0x1f),
  latin: range(0xa0, 0x24f),
  greek: range(0x370, 0x3ff),
  cyrillic: range(0x400, 0x4ff),
  hebrew: range(0x590, 0x5ff),
  arabic: range(0x600, 0x6ff),
  indic: range(0x900, 0xdff),
  thai: range(0xe00, 0xe7f),
  kana: range(0x3040, 0x30ff),
  han: range(0x4e00, 0x9fff),
  hangul: range(0xac00, 0xd7a3),
  symbols: range(0x2000, 0x2bff),
  private: range(0xe000, 0xf8ff),
  emoji: range(0x1f000, 0x1faff),
  astral: range(0x10000, 0x2ffff),
  any: fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }),
  joiners: fc.constantFrom('\u200D', '\uFE0F', '\u202E', '\u0301', '\u20E3', '\uD800', '\uDC00'),
  space: fc.constantFrom(' ', '  ', '\n', '\t', '\r\n', '\n\n', ' '.repeat(40), '\u00A0', '\u3000'),
  json: fc.constantFrom(
    '{"',
    '":"',
    '","',
    '"},{"',
    '":[{"',
    '}]}',
    String.raw`\n`,
    String.raw`\"`,
    '":true',
    '":12',
  ),
  words: fc.constantFrom(...words),
  capitals: fc.constantFrom(...words).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)),
  shouted: fc.constantFrom(...words).map((word) => word.toUpperCase()),
  contractions: fc.constantFrom(
    "don't",
    "I'LL",
    "it's",
    "we're",
    'snake_case',
    '.txt',
    '--flag',
    '<|endoftext|>',
  ),
} as const;

describe('estimateTokens never under-counts o200k', () => {
  it.each(Object.entries(SCRIPTS))('%s', (_name, characters) => {
    const mixed = fc.oneof({ weight: 3, arbitrary: characters }, { weight: 1, arbitrary: SCRIPTS.ascii });
    const texts = fc
      .oneof(fc.array(characters, { maxLength: 40 }), fc.array(mixed, { maxLength: 40 }))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text));
      }),
      { ...RUNS, numRuns: 400 },
    );
  });

  it('outlines and JSON of any tree', () => {
    fc.assert(
      fc.property(rawTree, options, (tree, chosen) => {
        const { root } = distill(tree, chosen, counter());
        for (const text of [renderOutline(root), JSON.stringify(root), JSON.stringify(root, undefined, 2)]) {
          expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text));
        }
      }),
      RUNS,
    );
  });
});

describe('estimateTokens is close', () => {
  it.each(readCorpus())('on the outline and JSON of $name', ({ tree }) => {
    for (const chosen of [COMPACT, {}]) {
      const { root } = distilled(tree, chosen);
      for (const text of [renderOutline(root), JSON.stringify(root)]) {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(real(text));
        expect(estimateTokens(text) / real(text)).toBeLessThan(1.35);
      }
      expect(renderedTokens(root, 'outline')).toBe(estimateTokens(renderOutline(root)));
    }
  });

  it('knows the words and punctuation of snapshots', () => {
    for (const text of [
      '  button "Save" @e12\n',
      ' value="',
      '"},{"ref":"@e1","role":"button","name":"',
      '',
      ' (31 items) @e9+\n',
    ]) {
      expect(estimateTokens(text)).toBe(real(text));
    }
  });
});

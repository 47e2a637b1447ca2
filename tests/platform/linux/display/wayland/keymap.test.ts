import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAMED_KEYS, type KeyName } from '../../../../../src/model/text/key-combination.ts';
import {
  Keymap,
  MOST_PROVIDED,
} from '../../../../../src/platform/linux/display/wayland/wlroots/input/keymap.ts';

const codeOf = (keymap: Keymap, key: KeyName): number | undefined => keymap.keyOf(key)?.code;
const character = (text: string): KeyName => ({ kind: 'character', text });

describe('the keymap of the virtual keyboard', () => {
  it('has a code for every named key', () => {
    const keymap = new Keymap();
    const keys = NAMED_KEYS.map((name): KeyName => ({ kind: 'named', name }));
    keymap.provide(keys);
    const codes = keys.map((key) => codeOf(keymap, key));
    expect(codes).not.toContain(undefined);
    expect(new Set(codes).size).toBe(keys.length);
  });

  it('uses the keys of a US keyboard, if need be with Shift', () => {
    const keymap = new Keymap();
    expect(keymap.provide([character('a'), character('\n'), character(' ')])).toBe(false);
    expect(['a', '\n', '\t', ' ', '/'].map((text) => codeOf(keymap, character(text)))).toEqual([
      30, 28, 15, 57, 53,
    ]);
    expect(['A', ':', '~', '?'].map((text) => keymap.keyOf(character(text)))).toEqual([
      { code: 30, isShifted: true },
      { code: 39, isShifted: true },
      { code: 41, isShifted: true },
      { code: 53, isShifted: true },
    ]);
  });

  it('gives the characters of one batch a key each, whatever was typed before', () => {
    const batch = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 5 }), (batches) => {
        const keymap = new Keymap();
        for (const texts of batches) {
          const keys = [...new Set(texts.flatMap((text) => Array.from(text)))]
            .slice(0, MOST_PROVIDED)
            .map(character);
          keymap.provide(keys);
          const found = keys.map((key) => keymap.keyOf(key));
          expect(found).not.toContain(undefined);
          expect(new Set(found.map((key) => JSON.stringify(key))).size).toBe(keys.length);
          // Chromium knows no others.
          for (const key of found) expect(key?.code).toBeLessThan(248);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never takes a key away that is held down', () => {
    const keymap = new Keymap();
    keymap.provide([character('é')]);
    const held = codeOf(keymap, character('é')) ?? 0;
    for (let turn = 0; turn < 5; turn++) {
      const others = Array.from({ length: 20 }, (_, index) =>
        character(String.fromCodePoint(0x4e00 + turn * 20 + index)),
      );
      keymap.provide(others, new Set([held]));
    }
    expect(codeOf(keymap, character('é'))).toBe(held);
  });

  it('is the same as long as nothing new is typed', () => {
    const keymap = new Keymap();
    expect(keymap.provide([character('你')])).toBe(true);
    const { text } = keymap;
    expect(keymap.provide([character('你')])).toBe(false);
    expect(keymap.text).toBe(text);
    expect(text).toContain('0x1004f60');
  });
});

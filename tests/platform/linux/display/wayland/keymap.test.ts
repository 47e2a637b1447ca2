import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NAMED_KEYS, type KeyName } from '../../../../../src/model/text/key-combination.ts';
import {
  Keymap,
  MOST_CHARACTERS,
} from '../../../../../src/platform/linux/display/wayland/wlroots/input/keymap.ts';

const character = (text: string): KeyName => ({ kind: 'character', text });

describe('the keymap of the virtual keyboard', () => {
  it('has a code for every named key', () => {
    const keymap = new Keymap();
    const keys = NAMED_KEYS.map((name): KeyName => ({ kind: 'named', name }));
    keymap.provide(keys);
    const codes = keys.map((key) => keymap.codeOf(key));
    expect(codes).not.toContain(undefined);
    expect(new Set(codes).size).toBe(keys.length);
  });

  it('uses the keys of a US keyboard where they need no modifier', () => {
    const keymap = new Keymap();
    expect(keymap.provide([character('a'), character('\n'), character(' ')])).toBe(false);
    expect(['a', '\n', '\t', ' ', '/'].map((text) => keymap.codeOf(character(text)))).toEqual([
      30, 28, 15, 57, 53,
    ]);
  });

  it('gives the characters of one batch a key each, whatever was typed before', () => {
    const batch = fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }), {
      maxLength: MOST_CHARACTERS,
    });
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 5 }), (batches) => {
        const keymap = new Keymap();
        for (const texts of batches) {
          const keys = texts.flatMap((text) => Array.from(text)).map(character);
          keymap.provide(keys);
          const codes = keys.map((key) => keymap.codeOf(key));
          expect(codes).not.toContain(undefined);
          expect(new Set(codes).size).toBe(new Set(keys.map((key) => JSON.stringify(key))).size);
          for (const code of codes)
            expect(keymap.text).toContain(code !== undefined && code >= 400 ? `<D${code}>` : '');
        }
      }),
      { numRuns: 50 },
    );
  });

  it('never takes a key away that is held down', () => {
    const keymap = new Keymap();
    keymap.provide([character('é')]);
    const held = keymap.codeOf(character('é')) ?? 0;
    for (let turn = 0; turn < 5; turn++) {
      const others = Array.from({ length: 100 }, (_, index) =>
        character(String.fromCodePoint(0x4e00 + turn * 100 + index)),
      );
      keymap.provide(others, new Set([held]));
    }
    expect(keymap.codeOf(character('é'))).toBe(held);
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

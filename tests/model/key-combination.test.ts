import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import {
  isModifier,
  NAMED_KEYS,
  parseKey,
  parseKeyCombination,
  showKeyCombination,
} from '../../src/model/text/key-combination.ts';
import type { KeyName } from '../../src/model/text/key-combination.ts';

const named = (name: (typeof NAMED_KEYS)[number]): KeyName => ({ kind: 'named', name });
const character = (text: string): KeyName => ({ kind: 'character', text });

const modifiers = NAMED_KEYS.filter((name) => isModifier(named(name)));

/** Spellings of one key, with the intended key. */
const spelling = fc.oneof(
  fc.constantFrom(...NAMED_KEYS).map((name) => ({ text: name, key: named(name) })),
  fc.constantFrom(...NAMED_KEYS).map((name) => ({ text: name.toLowerCase(), key: named(name) })),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
    .filter((text) => Array.from(text).length === 1 && text.normalize('NFC') === text && text.trim() === text)
    .filter((text) => text.toLowerCase() === text)
    .map((text) => ({ text, key: character(text) })),
);

/** `read`, or the code of the refusal. */
function outcomeOf(text: string): string {
  try {
    return parseKeyCombination(text).slice(0, -1).every(isModifier) ? 'read' : 'modifiers do not come first';
  } catch (error) {
    return error instanceof DeskterityError ? error.code : String(error);
  }
}

/** Most people mean another key by "meta". */
function written(modifier: string): string {
  return modifier === 'Meta' ? 'super' : modifier;
}

describe('one key', () => {
  it.each([
    ['Enter', named('Enter')],
    ['return', named('Enter')],
    [' ESC ', named('Escape')],
    ['super', named('Meta')],
    ['meta', named('Meta')],
    ['Page_Up', named('PageUp')],
    ['pgdn', named('PageDown')],
    ['f12', named('F12')],
    ['a', character('a')],
    ['A', character('A')],
    ['ä', character('ä')],
    ['a\u{308}', character('ä')],
    ['\u{212B}', character('Å')],
    ['\u{958}', character('\u{958}')],
    ['я', character('я')],
    ['😀', character('😀')],
    ['+', character('+')],
    ['plus', character('+')],
    ['Minus', character('-')],
    [' ', character(' ')],
    ['space', character(' ')],
  ])('%j', (text, key) => {
    expect(parseKey(text)).toEqual(key);
  });

  it.each(['', 'ab', 'constructor', 'F25', '\n', '\0', '\u{7F}', '\u{D800}', '\u{FFFF}', 'e\u{301}\u{302}x'])(
    'is not %j',
    (text) => {
      expect(() => parseKey(text)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', delivered: false }),
      );
    },
  );

  it('is suggested where one is close', () => {
    expect(() => parseKey('Entr')).toThrow(expect.objectContaining({ suggestion: 'Did you mean Enter?' }));
    expect(() => parseKey('escpae')).toThrow(expect.objectContaining({ suggestion: 'Did you mean Escape?' }));
  });
});

describe('a combination of keys', () => {
  it.each([
    ['ctrl+c', [named('Control'), character('c')]],
    ['Ctrl+Shift+S', [named('Control'), named('Shift'), character('s')]],
    ['ctrl + alt + Delete', [named('Control'), named('Alt'), named('Delete')]],
    ['ctrl++', [named('Control'), character('+')]],
    ['ctrl+plus', [named('Control'), character('+')]],
    ['+', [character('+')]],
    ['A', [character('A')]],
    ['shift+Ä', [named('Shift'), character('ä')]],
    // Its small form would be two characters.
    ['ctrl+İ', [named('Control'), character('İ')]],
    ['ctrl+space', [named('Control'), character(' ')]],
    [' ', [character(' ')]],
    ['alt', [named('Alt')]],
    ['mod+AltGr', [named('Control'), named('AltGraph')]],
  ])('%j', (text, keys) => {
    expect(parseKeyCombination(text)).toEqual(keys);
  });

  it.each(['', '+c', 'ctrl+', 'a+b', 'c+ctrl', 'Enter+Tab', '++', '+++', 'ctrl+c+d', 'ctrl+\u{1B}'])(
    'is not %j',
    (text) => {
      expect(() => parseKeyCombination(text)).toThrow(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', delivered: false }),
      );
    },
  );

  it.each([
    ['cmd+c', 'Use ctrl+c, which does the same here; for the Windows key write super+c.'],
    [
      'Command+Shift+S',
      'Use ctrl+shift+s, which does the same here; for the Windows key write super+shift+s.',
    ],
    ['⌘+v', 'Use ctrl+v, which does the same here; for the Windows key write super+v.'],
    ['meta+a', 'Use ctrl+a, which does the same here; for the Windows key write super+a.'],
    ['cmd', 'Use ctrl, which does the same here; for the Windows key write super.'],
  ])('%j means another keyboard, and is refused with the keys of this one', (text, suggestion) => {
    expect(() => parseKeyCombination(text)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', delivered: false, suggestion }),
    );
  });

  it.each(['super+c', 'win+l', 'meta+Tab', 'ctrl+meta+c', 'ctrl+super+ArrowLeft'])(
    '%j is the Windows key',
    (text) => {
      expect(parseKeyCombination(text)).toContainEqual(named('Meta'));
    },
  );

  it('is read as intended, and shown so that it reads the same', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...modifiers)), spelling, (before, last) => {
        const keys = parseKeyCombination([...before.map(written), last.text].join('+'));
        expect(keys).toEqual([...before.map(named), last.key]);
        expect(parseKeyCombination(showKeyCombination(keys))).toEqual(keys);
      }),
    );
  });

  it('is either read or refused with a reason, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(['read', 'INVALID_ARGUMENT']).toContain(outcomeOf(text));
      }),
    );
  });
});

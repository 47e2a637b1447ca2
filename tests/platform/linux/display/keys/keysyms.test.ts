import { createRequire } from 'node:module';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NAMED_KEYS } from '../../../../../src/model/text/key-combination.ts';
import {
  canonicalKeysym,
  keysymForCharacter,
  keysymsOnOneKey,
  NAMED_KEYSYMS,
} from '../../../../../src/platform/linux/display/keys/keysyms.ts';

/** X.Org's table from the x11 package: the name and the character of each keysym. */
const OFFICIAL = z
  .record(
    z.string(),
    z.union([
      z.object({ code: z.number(), description: z.string().nullish() }),
      z.number().transform((code) => ({ code, description: null })),
    ]),
  )
  .parse(createRequire(import.meta.url)('x11/lib/keysyms.js'));

const X_NAMES: Partial<Record<(typeof NAMED_KEYS)[number], string>> = {
  Enter: 'Return',
  Backspace: 'BackSpace',
  PageUp: 'Page_Up',
  PageDown: 'Page_Down',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
  ContextMenu: 'Menu',
  CapsLock: 'Caps_Lock',
  NumLock: 'Num_Lock',
  ScrollLock: 'Scroll_Lock',
  PrintScreen: 'Print',
  Control: 'Control_L',
  Shift: 'Shift_L',
  Alt: 'Alt_L',
  AltGraph: 'ISO_Level3_Shift',
  Meta: 'Super_L',
};

describe('keysyms', () => {
  it('exist for every named key, with the values of X.Org', () => {
    expect(Object.keys(NAMED_KEYSYMS)).toEqual([...NAMED_KEYS]);
    for (const name of NAMED_KEYS.filter((key) => !/^(?:Audio|Media|Browser)/.test(key))) {
      const official = OFFICIAL[`XK_${X_NAMES[name] ?? name}`];
      expect(official?.code, `code of ${name}`).toBe(NAMED_KEYSYMS[name][0]);
    }
    const all = Object.values(NAMED_KEYSYMS).flat();
    expect(new Set(all).size).toBe(all.length);
  });

  it('of older blocks become X.Org’s character or stay unchanged', () => {
    let recognised = 0;
    for (const [name, { code, description }] of Object.entries(OFFICIAL)) {
      const known = /^\(?(.)\)? /u.exec(description ?? '')?.[1] ?? '';
      const canonical = canonicalKeysym(code);
      // Some old keysyms have only a description.
      if (canonical === code || known === '') continue;
      recognised += 1;
      expect(canonical, `character of ${name}`).toBe(keysymForCharacter(known));
    }
    expect(recognised).toBeGreaterThan(400);
    expect(canonicalKeysym(0x06_c6)).toBe(keysymForCharacter('ф'));
    expect(canonicalKeysym(0x01_bf)).toBe(keysymForCharacter('ż'));
    expect(canonicalKeysym(0x20_ac)).toBe(keysymForCharacter('€'));
    expect(canonicalKeysym(0xff_0d)).toBe(0xff_0d);
    expect(canonicalKeysym(0xfe_50)).toBe(0xfe_50);
  });

  it('of characters are different for different characters', () => {
    const character = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 });
    fc.assert(
      fc.property(character, character, (one, other) => {
        const isSame = keysymForCharacter(one) === keysymForCharacter(other);
        expect(isSame).toBe(one === other);
        expect(canonicalKeysym(keysymForCharacter(one))).toBe(keysymForCharacter(one));
      }),
    );
  });

  it('of one key are the lower-case and upper-case letter if both exist', () => {
    const pair = (character: string): readonly number[] => keysymsOnOneKey(keysymForCharacter(character));
    expect(pair('ж')).toEqual(['ж', 'Ж'].map(keysymForCharacter));
    expect(pair('Ж')).toEqual(['ж', 'Ж'].map(keysymForCharacter));
    for (const single of ['1', '日', 'ß', 'ŉ', 'ǅ', 'İ', '\n'])
      expect(pair(single), `keysyms of ${single}`).toEqual([keysymForCharacter(single)]);
    expect(keysymsOnOneKey(0xff0d)).toEqual([0xff0d]);
  });
});

import { expect, it } from 'vitest';
import { parseKey } from '../../../../../src/model/text/key-combination.ts';
import { KeyTable } from '../../../../../src/platform/linux/display/wayland/keyboard/key-table.ts';
import { readLayouts } from '../../../../../src/platform/linux/display/wayland/keyboard/xkb-layouts.ts';

const KEYMAP = `xkb_keymap {
xkb_keycodes { <ESC> = 9; <AE01> = 10; <AD01> = 24; <LFSH> = 50; <RALT> = 108; };
xkb_types {
  virtual_modifiers LevelThree;
  type "ONE_LEVEL" { modifiers = none; };
  type "TWO_LEVEL" { modifiers = Shift; map[Shift] = 2; };
  type "ALPHABETIC" { modifiers = Shift + Lock; map[Shift] = 2; map[Lock] = 2; };
  type "FOUR_LEVEL" {
    modifiers = Shift + LevelThree;
    map[Shift] = 2; map[LevelThree] = 3; map[Shift+LevelThree] = 4;
  };
};
xkb_compatibility {
  virtual_modifiers LevelThree;
  interpret Shift_L { action = SetMods(modifiers = Shift); };
  interpret ISO_Level3_Shift { virtualModifier = LevelThree; action = SetMods(modifiers = LevelThree); };
};
xkb_symbols {
  name[Group1] = "one"; name[Group2] = "two";
  key <ESC> { [ Escape ] };
  key <AE01> { [ 1, exclam ], [ ampersand, 1 ] };
  key <AD01> { type[Group1] = "FOUR_LEVEL", [ q, Q, EuroSign, Greek_OMEGA ], [ a, A ] };
  key <LFSH> { [ Shift_L ] };
  key <RALT> { type = "ONE_LEVEL", [ ISO_Level3_Shift ] };
  modifier_map Shift { Shift_L };
  modifier_map Mod5 { <RALT> };
};
};`;

it('finds the keys of each layout, with the modifiers that they need', async ({ skip }) => {
  const layouts = await readLayouts(Buffer.from(KEYMAP)).catch((error: unknown) => {
    if (String(error).includes('libxkbcommon.so.0')) return skip('libxkbcommon is not installed');
    throw error;
  });
  const [first, second] = layouts.map((keys) => new KeyTable(keys));
  const plain = { isShifted: false, isLevel3: false };
  expect(first?.keyOf(parseKey('q'))).toMatchObject({ code: 16, ...plain });
  expect(first?.keyOf(parseKey('Q'))).toMatchObject({ code: 16, isShifted: true, isLevel3: false });
  expect(first?.keyOf(parseKey('€'))).toMatchObject({ code: 16, isShifted: false, isLevel3: true });
  expect(first?.keyOf(parseKey('Ω'))).toMatchObject({ code: 16, isShifted: true, isLevel3: true });
  expect(first?.keyOf(parseKey('Escape'))).toMatchObject({ code: 1, ...plain });
  expect(first?.keyOf(parseKey('&'))).toBeUndefined();
  expect(first?.keyOf(parseKey('é'))).toBeUndefined();
  expect(second?.keyOf(parseKey('a'))).toMatchObject({ code: 16, ...plain });
  expect(second?.keyOf(parseKey('1'))).toMatchObject({ code: 2, isShifted: true });
  expect(second?.keyOf(parseKey('q'))).toBeUndefined();
});

it('refuses a text that is no keymap', async ({ skip }) => {
  const problem = await readLayouts(Buffer.from('xkb_keymap {')).then(
    () => '',
    (error: unknown) => String(error),
  );
  if (problem.includes('libxkbcommon.so.0')) skip('libxkbcommon is not installed');
  expect(problem).toContain('does not accept the keymap');
});

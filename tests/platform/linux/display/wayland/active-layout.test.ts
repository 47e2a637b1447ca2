import { expect, it } from 'vitest';
import {
  activeLayout,
  inputSourcesIn,
} from '../../../../../src/platform/linux/display/wayland/mutter/input/active-layout.ts';

const sources = inputSourcesIn("[('xkb', 'us'), ('xkb', 'de+neo'), ('xkb', 'gr')]");

it('reads the input sources that gsettings prints', () => {
  expect(sources).toEqual([
    { kind: 'xkb', id: 'us' },
    { kind: 'xkb', id: 'de+neo' },
    { kind: 'xkb', id: 'gr' },
  ]);
  expect(inputSourcesIn('@a(ss) []\n')).toEqual([]);
  expect(inputSourcesIn("[('ibus', 'it\\'s')]")).toEqual([{ kind: 'ibus', id: "it\\'s" }]);
});

it('takes the source that was used last', () => {
  const latest = inputSourcesIn("[('xkb', 'de+neo'), ('xkb', 'us')]");
  expect(activeLayout(sources, latest, 4)).toBe(1);
  // Never switched: the first one.
  expect(activeLayout(sources, [], 4)).toBe(0);
  // One that was removed since.
  expect(activeLayout(sources, inputSourcesIn("[('xkb', 'fr'), ('xkb', 'gr')]"), 4)).toBe(2);
});

it('is the only one there is, or the first where nothing was chosen', () => {
  expect(activeLayout([], [], 2)).toBe(0);
  expect(activeLayout(sources, [], 1)).toBe(0);
});

it('begins a new keymap after three layouts, as one slot is for the locale', () => {
  const four = [...sources, { kind: 'xkb', id: 'fr' }];
  expect(activeLayout(four, [{ kind: 'xkb', id: 'fr' }], 2)).toBe(0);
});

it('is unknown with an input method, and where the keymap does not have it', () => {
  expect(activeLayout([...sources, { kind: 'ibus', id: 'anthy' }], [], 4)).toBeUndefined();
  expect(activeLayout(sources, [{ kind: 'xkb', id: 'gr' }], 2)).toBeUndefined();
});

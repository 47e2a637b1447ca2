import { expect, it } from 'vitest';
import {
  hasOwnText,
  mixedText,
  restoreHidden,
  withoutPadding,
} from '../../../../src/platform/linux/atspi/tree/text.ts';

it('the padding that Firefox adds after characters beyond U+FFFF is removed', () => {
  expect(withoutPadding('日本 😀\uFEFF!')).toBe('日本 😀!');
  expect(withoutPadding('😀\uFEFF😀\uFEFF')).toBe('😀😀');
});

it('a byte order mark of the application is kept', () => {
  expect(withoutPadding('\uFEFFfirst')).toBe('\uFEFFfirst');
});

it('a text that Java cannot return is not treated as empty', () => {
  expect(restoreHidden({ onlyBasicPlane: true }, '', 3)).toBe('\uFFFD\uFFFD\uFFFD');
  expect(restoreHidden({ onlyBasicPlane: true }, 'abc', 3)).toBe('abc');
  expect(restoreHidden({ onlyBasicPlane: false }, '', 3)).toBe('');
});

it('text beside the elements in it is told with their names, in their order', () => {
  expect(mixedText('See \uFFFC and\n\uFFFC.', ['the guide', ''])).toBe('See the guide and .');
  expect(mixedText('\uFFFC You can restore it \uFFFC', ['Lost?'])).toBe('Lost? You can restore it');
});

it('a text of nothing but elements and blanks is no text of its own', () => {
  expect(hasOwnText('\uFFFC \uFFFC\n')).toBe(false);
  expect(hasOwnText('Text \uFFFC')).toBe(true);
});

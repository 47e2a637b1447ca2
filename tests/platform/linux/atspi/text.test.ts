import { expect, it } from 'vitest';
import { asTold, withoutPadding } from '../../../../src/platform/linux/atspi/tree/text.ts';

it('what Firefox puts behind characters beyond U+FFFF is no part of the text', () => {
  expect(withoutPadding('日本 😀\uFEFF!')).toBe('日本 😀!');
  expect(withoutPadding('😀\uFEFF😀\uFEFF')).toBe('😀😀');
});

it('a mark of the application itself stays', () => {
  expect(withoutPadding('\uFEFFfirst')).toBe('\uFEFFfirst');
});

it('a text that Java cannot tell is not taken for an empty one', () => {
  expect(asTold({ onlyBasicPlane: true }, '', 3)).toBe('\uFFFD\uFFFD\uFFFD');
  expect(asTold({ onlyBasicPlane: true }, 'abc', 3)).toBe('abc');
  expect(asTold({ onlyBasicPlane: false }, '', 3)).toBe('');
});

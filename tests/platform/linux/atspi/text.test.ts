import { expect, it } from 'vitest';
import { withoutPadding } from '../../../../src/platform/linux/atspi/text.ts';

it('what Firefox puts behind characters beyond U+FFFF is no part of the text', () => {
  expect(withoutPadding('日本 😀\uFEFF!')).toBe('日本 😀!');
  expect(withoutPadding('😀\uFEFF😀\uFEFF')).toBe('😀😀');
});

it('a mark of the application itself stays', () => {
  expect(withoutPadding('\uFEFFfirst')).toBe('\uFEFFfirst');
});

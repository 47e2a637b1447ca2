import { expect, it } from 'vitest';
import { isInside } from '../../src/registry/is-inside.ts';

it.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/a/..b', '/a', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a', '/', true],
])('%s lies in %s: %s', (path, folder, expected) => {
  expect(isInside(folder, path)).toBe(expected);
});

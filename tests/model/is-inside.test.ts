import { expect, it } from 'vitest';
import { isInside } from '../../src/model/is-inside.ts';

it.each([
  ['/a/b', '/a', true],
  ['/a', '/a', true],
  ['/a/..b', '/a', true],
  ['/ab', '/a', false],
  ['/', '/a', false],
  ['/a', '/', true],
  ['/a/b/../c/', '/a/./c', true],
  ['/a/../b', '/a', false],
  ['/a\\b', '/a', false],
  ['C:\\Users\\Ada/x', 'c:\\users', true],
  ['C:\\Users2', 'C:\\Users', false],
])('%s is inside %s: %s', (path, folder, expected) => {
  expect(isInside(folder, path)).toBe(expected);
});

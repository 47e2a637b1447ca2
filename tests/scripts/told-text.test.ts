import { expect, it } from 'vitest';
import { hasScrolled, isDeleted, isInserted } from '../../scripts/proof/seat/told-text.ts';

it('what was typed is in the text once, in one piece, and nothing else has changed', () => {
  expect(isInserted('ab', '', 'ab')).toBe(true);
  expect(isInserted('ab', 'abcd', 'ababcd')).toBe(true);
  expect(isInserted('ab', 'cd', 'cabd')).toBe(true);
  for (const other of ['AB', 'ba', 'a', 'abab', '']) expect(isInserted('ab', '', other)).toBe(false);
  expect(isInserted('ab', 'cd', 'acbd')).toBe(false);
});

it('a key that deletes one letter shows no selection', () => {
  expect(isDeleted('cdefgh', 'cdefghab', '')).toBe(true);
  expect(isDeleted('cdefgh', 'cdefgh', 'c')).toBe(true);
  expect(isDeleted('cdefgh', 'cdefghab', 'cdefghb')).toBe(false);
  expect(isDeleted('cdefgh', 'cdefgh', 'cdefgh')).toBe(false);
});

it('a view has scrolled only the way that the wheel was turned', () => {
  expect(hasScrolled(4, '0', '12')).toBe(true);
  expect(hasScrolled(-4, '12.0', '2.0')).toBe(true);
  // What an earlier turn still moves.
  expect(hasScrolled(4, '12', '8')).toBe(false);
  expect(hasScrolled(4, '12', '12')).toBe(false);
  expect(hasScrolled(4, '', '12')).toBe(false);
});

import { describe, expect, it } from 'vitest';
import { differenceBetween } from '../../../src/model/undo/text-difference.ts';

describe('the difference between two texts', () => {
  it.each<[from: string, to: string, at: number, removed: string, inserted: string]>([
    ['Home page', 'Home', 4, ' page', ''],
    ['Home', 'my Home', 0, '', 'my '],
    ['one 2 three', 'one two three', 4, '2', 'two'],
    ['', 'all', 0, '', 'all'],
    ['all', '', 0, 'all', ''],
    ['😀 x 😁', '😀 😁', 2, 'x ', ''],
    // Both begin with the same UTF-16 unit.
    ['a😀b', 'a😁b', 1, '😀', '😁'],
    ['aaa', 'aa', 2, 'a', ''],
    ['abab', 'ab', 2, 'ab', ''],
  ])('of %j and %j is one part', (from, to, at, removed, inserted) => {
    const found = differenceBetween(from, to);
    expect(found).toMatchObject({ at, removed, inserted });
    const characters = Array.from(from);
    characters.splice(at, Array.from(removed).length, inserted);
    expect(characters.join('')).toBe(to);
  });

  it('of the same text is nothing', () => {
    expect(differenceBetween('😀', '😀')).toBeUndefined();
  });

  it.each([
    ['fooo', 'foo', true],
    ['foo bar', 'foo', false],
    ['ab', 'b', false],
    ['oo x', 'o x', true],
  ])('of %j and %j may be at several places: %s', (from, to, isAmbiguous) => {
    expect(differenceBetween(from, to)).toMatchObject({ isAmbiguous });
  });
});

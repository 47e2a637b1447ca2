import { describe, expect, it } from 'vitest';
import { isTooDeep, MOST_LEVELS, parseGivenJson, TOO_DEEP } from '../../src/model/given-json.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('JSON from a caller', () => {
  it('may have so many levels and no more', () => {
    expect(parseGivenJson(nested(MOST_LEVELS))).toHaveLength(1);
    expect(() => parseGivenJson(nested(MOST_LEVELS + 1))).toThrow(TOO_DEEP);
    expect(() => parseGivenJson(nested(200_000))).toThrow(TOO_DEEP);
    expect(() => parseGivenJson(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)).toThrow(TOO_DEEP);
  });

  it('is as deep as its deepest part, however wide it is', () => {
    expect(isTooDeep({ a: Array.from({ length: 100_000 }, () => [{}]) })).toBe(false);
    expect(isTooDeep([1, [2], JSON.parse(nested(150)), 3])).toBe(true);
    expect(isTooDeep(undefined)).toBe(false);
  });

  it('that refers to itself has no end', () => {
    const own: unknown[] = [];
    own.push(own, own);
    expect(isTooDeep(own)).toBe(true);
  });
});

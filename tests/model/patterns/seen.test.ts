import { describe, expect, it } from 'vitest';
import { corpus, scoresOf } from './corpus.ts';

describe('the half of the corpus that the detector was written with', () => {
  it.each(scoresOf(corpus('seen')))('$pattern', ({ right, missed, wrong }) => {
    expect(wrong).toEqual([]);
    expect(right / (right + missed.length), `missed: ${missed.join(' ')}`).toBeGreaterThanOrEqual(0.8);
  });
});

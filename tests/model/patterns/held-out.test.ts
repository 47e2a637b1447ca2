import { describe, expect, it } from 'vitest';
import { corpus, scoresOf } from './corpus.ts';

/** The detector was written without these screens. */
describe('the half of the corpus that was held out', () => {
  it.each(scoresOf(corpus('held_out')))('$pattern', ({ pattern, right, missed, wrong }) => {
    const precision = right / (right + wrong.length);
    const recall = right / (right + missed.length);
    console.log(
      `${pattern}: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)} (${right} right, missed ${missed.join(' ') || 'none'}, wrong ${wrong.join(' ') || 'none'})`,
    );
    expect(precision, `wrong: ${wrong.join(' ')}`).toBeGreaterThanOrEqual(0.95);
    expect(recall, `missed: ${missed.join(' ')}`).toBeGreaterThanOrEqual(0.8);
  });
});

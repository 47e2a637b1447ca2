import { expect, it } from 'vitest';
import { memoryFigures, timeFigures } from '../../bench/sessions.ts';

const MIB = 1024 * 1024;

it('the median of twenty sessions is judged by that of one', () => {
  const one = [10, 11, 12, 90, 9];
  expect(timeFigures({ one, many: [14, 14, 14, 1, 99] })[0]).toMatchObject({
    value: 14,
    baseline: 11,
    ratio: 1.27,
    met: true,
  });
  expect(timeFigures({ one, many: [15, 15, 15, 15, 15] })[0]).toMatchObject({ ratio: 1.36, met: false });
});

it('memory is that of each of the nineteen further sessions', () => {
  const first = { resident: 80 * MIB, objects: 20 * MIB };
  const grown = (each: number) => ({ resident: (80 + 19 * each) * MIB, objects: (20 + 19 * 0.5) * MIB });
  expect(memoryFigures(first, grown(3), grown(4))).toMatchObject([
    { value: 3, met: true },
    { value: 0.5 },
    { value: 4 },
  ]);
  expect(memoryFigures(first, grown(3.1), grown(4))[0]).toMatchObject({ value: 3.1, met: false });
});

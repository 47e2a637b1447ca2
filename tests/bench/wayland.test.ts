import { expect, it } from 'vitest';
import { compared } from '../../bench/wayland/compare.ts';

it('a goal in milliseconds is judged by the best of five medians, a ratio by those of both sides in the same run', () => {
  const ours = [9, 9, 4, 4, 9, 9, 9, 9, 9, 9];
  const [click] = compared(
    { what: 'click', ours, beside: { tool: 'swaymsg', times: [18] } },
    { atMostMs: 5 },
  );
  expect(click).toMatchObject({
    value: 9,
    baseline: 18,
    beside: 'swaymsg',
    ratio: 2,
    goal: '<= 5 ms',
    met: true,
  });
  const [typing] = compared(
    { what: 'type', ours, beside: { tool: 'wtype', times: [18] } },
    { timesFaster: 5 },
  );
  expect(typing).toMatchObject({ ratio: 2, goal: '>= 5', met: false });
  expect(compared({ what: 'alone', ours })[0]).not.toHaveProperty('met');
});

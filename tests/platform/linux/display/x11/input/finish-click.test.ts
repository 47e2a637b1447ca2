import { expect, it } from 'vitest';
import {
  BUTTON_NUMBERS,
  finishClick,
} from '../../../../../../src/platform/linux/display/x11/input/pointer.ts';

function releasesOf(button: number, count: number): number[] {
  const releases: number[] = [];
  const fake = {
    button: (_button: number, isDown: boolean, afterMs = 0): void => {
      if (!isDown) releases.push(afterMs);
    },
  };
  finishClick(fake, button, count);
  return releases;
}

it('keeps the presses of a double click within the time of one', () => {
  const held = releasesOf(BUTTON_NUMBERS.left, 2);
  expect(held).toHaveLength(2);
  expect(Math.max(...held)).toBeLessThan(50);
});

it.each([
  [1, ['asked', 'up']],
  [2, ['up', 'asked', 'down', 'up']],
  [3, ['up', 'down', 'up', 'asked', 'down', 'up']],
])('of %d, what is under the pointer is asked before the click can have worked', (count, expected) => {
  const sent: string[] = [];
  const fake = { button: (_button: number, isDown: boolean) => void sent.push(isDown ? 'down' : 'up') };
  finishClick(fake, BUTTON_NUMBERS.left, count, { beforeLast: () => void sent.push('asked') });
  expect(sent).toEqual(expected);
});

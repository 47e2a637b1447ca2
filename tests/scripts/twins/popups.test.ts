import { expect, it } from 'vitest';
import type { View } from '../../../scripts/proof/twins/look/compare.ts';
import { comparePictures } from '../../../scripts/proof/twins/look/compare.ts';
import { movedPopups } from '../../../scripts/proof/twins/look/popups.ts';
import type { Box } from '../../../scripts/proof/twins/look/tree.ts';
import { frame, node, seen, view } from './seen.ts';

const RED = 0xc0_10_10;
const BLUE = 0x10_10_c0;

/** A view with a list of one colour at a place. */
function withList(box: Box, colour = RED, title = 'List'): View {
  const of = seen([node('push button', 'Open')]);
  const list = { id: 2, title, pid: 7, box, managed: false };
  return view({ ...of, windows: [...of.windows, list] }, frame(colour, box));
}

function isHarmless(one: View, other: View): boolean {
  const moved = movedPopups(one, other);
  return moved.size > 0 && comparePictures(one.frame, other.frame, moved) === undefined;
}

it('the same list a little higher is told from all else', () => {
  const list = withList([8, 8, 16, 16]);
  expect(isHarmless(list, withList([8, 32, 16, 16]))).toBe(true);
  expect(isHarmless(list, withList([8, 32, 16, 16], BLUE))).toBe(false);
  expect(isHarmless(list, withList([8, 32, 16, 16], RED, 'Other'))).toBe(false);
  expect(isHarmless(list, withList([8, 32, 16, 24]))).toBe(false);
  expect(isHarmless(list, withList([32, 8, 16, 16]))).toBe(false);
  expect(isHarmless(withList([8, 0, 16, 16]), withList([8, 48, 16, 16]))).toBe(false);
});

it('what differs elsewhere still counts', () => {
  const other = withList([8, 32, 16, 16]);
  other.frame.pixels.fill(BLUE, 60 * 64);
  expect(isHarmless(withList([8, 8, 16, 16]), other)).toBe(false);
});

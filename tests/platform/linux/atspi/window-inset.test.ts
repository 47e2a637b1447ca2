import { expect, it } from 'vitest';
import { insetOf } from '../../../../src/platform/linux/atspi/bus/top-levels.ts';

const frame = { x: 0, y: 0, width: 652, height: 652 };
const content = { x: 26, y: 23, width: 600, height: 600 };
const hidden = { x: -2_147_483_648, y: -2_147_483_648, width: 1, height: 1 };

it.each([
  ['is as wide as the shadow', [content], { x: 26, y: 23 }],
  ['is not affected by a part that is not shown', [hidden, content], { x: 26, y: 23 }],
  ['is that of the outermost part', [content, { ...content, x: 10 }], { x: 10, y: 23 }],
  ['is nothing where all begins at the edge', [{ ...content, x: 0, y: 0 }], { x: 0, y: 0 }],
  ['is unknown without a part that is shown', [hidden, undefined], undefined],
])('the inset of the content of a window %s', (_what, parts, inset) => {
  expect(insetOf(frame, parts)).toEqual(inset);
});

import { expect, it } from 'vitest';
import {
  requestedPosition,
  staysWhenResized,
} from '../../../../src/platform/linux/display/x11/windows/gravity.ts';

const FRAME = { left: 1, right: 3, top: 20, bottom: 4 };
const CLIENT = { x: 300, y: 200 };

// Where the ICCCM (4.1.2.3) puts the frame of a window that requests this position, and so its client area.
it.each([
  [1, { x: 299, y: 180 }],
  [2, { x: 301, y: 180 }],
  [3, { x: 303, y: 180 }],
  [4, { x: 299, y: 192 }],
  [5, { x: 301, y: 192 }],
  [6, { x: 303, y: 192 }],
  [7, { x: 299, y: 204 }],
  [8, { x: 301, y: 204 }],
  [9, { x: 303, y: 204 }],
  [10, CLIENT],
  [99, CLIENT],
])('with gravity %i the client area gets to its place by requesting %o', (gravity, requested) => {
  expect(requestedPosition(CLIENT, { gravity, frame: FRAME })).toEqual(requested);
});

it('only at the upper left, or where it is, a window stays when it is resized', () => {
  const staying = Array.from({ length: 11 }, (_, gravity) => gravity).filter((gravity) =>
    staysWhenResized({ gravity, frame: FRAME }),
  );
  expect(staying).toEqual([1, 10]);
});

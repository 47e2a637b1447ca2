import { expect, it } from 'vitest';
import { pointIn } from '../../src/engine/input/hit-test.ts';

const WINDOW = { x: 0, y: 0, width: 100, height: 100 };

it.each([
  ['its middle', { x: 10, y: 10, width: 20, height: 10 }, { x: 20, y: 15 }],
  // By hand, too: people point at the same place whether or not an edge is cut off.
  ['its middle, where only an edge is outside', { x: 62, y: 10, width: 40, height: 10 }, { x: 82, y: 15 }],
  [
    'the middle of what shows, where its middle is outside',
    { x: 80, y: 10, width: 80, height: 10 },
    { x: 90, y: 15 },
  ],
  ['nowhere, where nothing shows', { x: 100, y: 10, width: 80, height: 10 }, undefined],
] as const)('points at an element in %s', (_, bounds, point) => {
  expect(pointIn(bounds, WINDOW)).toEqual(point);
});

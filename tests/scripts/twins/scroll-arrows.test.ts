import { expect, it } from 'vitest';
import { isUnderArrow } from '../../../scripts/proof/twins/act/scroll-arrows.ts';
import { findWidget, usableWidgets, whyUnreachable } from '../../../scripts/proof/twins/act/widgets.ts';
import type { Box, Seen, SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import { node, seen } from './seen.ts';

const POPUP: Box = [0, 0, 60, 200];

/** A combo box of GTK 3 whose list is higher than the screen: its items go on below the popup. */
function menu(count: number): SeenNode {
  const items = Array.from({ length: count }, (_, index) =>
    node('menu item', `Item ${index}`, { box: [0, index * 40, 60, 40], index }),
  );
  return node('menu', '', { box: POPUP, children: items });
}

function open(count: number): Seen {
  const before = seen([node('combo box', 'Box', { box: [0, 0, 60, 20], children: [menu(count)] })]);
  return {
    ...before,
    windows: [...before.windows, { id: 2, title: '', pid: 7, box: POPUP, managed: false }],
  };
}

it.each([
  ['at the lower edge of a menu that goes on', 8, 180, true],
  ['above that edge', 8, 170, false],
  ['at the upper edge, where nothing goes on', 8, 5, false],
  ['in a menu that fits', 5, 180, false],
])('%s', (_where, count, y, expected) => {
  expect(isUnderArrow([menu(count)], POPUP, y)).toBe(expected);
});

it('an item whose middle is under an arrow is not there for a mouse that was aimed before', () => {
  const why = (count: number, index: number) => {
    const view = open(count);
    const found = usableWidgets(view).find(({ key }) => key.name === `Item ${index}`);
    const placed = found && findWidget(view, found.key);
    return placed && whyUnreachable(placed, view);
  };
  expect([why(8, 4), why(8, 3), why(5, 4)]).toEqual(['covered', undefined, undefined]);
});

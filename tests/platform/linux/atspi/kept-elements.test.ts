import { expect, it } from 'vitest';
import { KeptElements } from '../../../../src/platform/linux/atspi/tree/nodes/kept-elements.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { hasState, STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';

const WINDOW = { x: 0, y: 20, width: 1280, height: 900 };
const NOWHERE = { x: -1, y: -1, width: -1, height: -1 };

/** What a reading makes of an element of a page that says that it is visible, but does not show. */
function isRead(
  extents: typeof WINDOW,
  {
    toolkit = 'Gecko',
    nativeRole = NATIVE.PANEL,
    beside = 3,
  }: { readonly toolkit?: string; readonly nativeRole?: number; readonly beside?: number } = {},
): boolean {
  const kept = new KeptElements(toolkitTraits(toolkit, 'app'), { wholeTree: false, startsAtMenu: false });
  const node = new RawNode(':1.1', '/section', 3);
  node.states = [(1 << STATE.VISIBLE) >>> 0, 0];
  node.nativeRole = nativeRole;
  node.position = { index: 0, count: beside };
  expect(kept.prunes(node)).toBe(true);
  if (!kept.mayOverflow(node) || !kept.overflows(node, extents, WINDOW)) return false;
  return !kept.prunesOverflowing(node) && !node.dropped && hasState(node.states, STATE.SHOWING);
}

it('the parts of an element without an area of its own are read in Firefox, if they may be on screen', () => {
  expect(isRead({ x: 1, y: 252, width: 643, height: 526 })).toBe(true);
  expect(isRead(NOWHERE)).toBe(true);
  expect(isRead({ x: 1, y: 2000, width: 643, height: 526 })).toBe(false);
});

it.each([
  ['of other toolkits', { toolkit: 'GAIL' }],
  ['that are more than a holder', { nativeRole: NATIVE.TABLE_CELL }],
  ['of a long list', { beside: 400 }],
])('those %s are not', (_which, what) => {
  expect(isRead(NOWHERE, what)).toBe(false);
});

import { expect, it } from 'vitest';
import { hideCoveredDocks } from '../../../../src/platform/linux/atspi/tree/unseen/covered-docks.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { hasState, STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import type { Extents } from '../../../../src/platform/linux/atspi/tree/object-facts.ts';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';

const SHOWN = (1 << STATE.SHOWING) | (1 << STATE.VISIBLE);
const QT = { traits: toolkitTraits('Qt', 'app') };

function node(extents: Extents, children: RawNode[] = []): RawNode {
  const made = new RawNode(':1.1', '/it', 1);
  made.nativeRole = NATIVE.PANEL;
  made.states = [SHOWN, 0];
  made.extents = extents;
  made.children = children;
  return made;
}

/** As Qt Designer reports its window and the dock "Action Editor", with a button in it. */
function designer(dock: Extents = { x: 309, y: -514, width: 491, height: 133 }) {
  const button = node({ x: 313, y: -491, width: 30, height: 29 });
  const covered = node(dock, [button]);
  const window = { x: 1300, y: 119, width: 1400, height: 981 };
  return { button, covered, root: node(window, [covered]) };
}

const isShown = ({ states }: RawNode): boolean => hasState(states, STATE.SHOWING);

it('leaves out a dock of Qt that is behind another one, wherever its window is', () => {
  const { covered, root } = designer();
  hideCoveredDocks(QT, root, false);
  expect(covered.dropped).toBe(true);
});

it('hides it with all in it in a reading of everything', () => {
  const { button, covered, root } = designer();
  hideCoveredDocks(QT, root, true);
  expect([covered, button].map(isShown)).toEqual([false, false]);
  expect(covered.dropped).toBe(false);
});

it.each([
  ['a dock that floats above and left of its window', QT, { x: 300, y: -400, width: 491, height: 133 }],
  ['another toolkit', { traits: toolkitTraits('gtk', 'app') }, undefined],
] as const)('leaves %s as it is', (_what, application, dock) => {
  const { button, covered, root } = designer(dock);
  hideCoveredDocks(application, root, false);
  expect(covered.dropped).toBe(false);
  expect([covered, button].map(isShown)).toEqual([true, true]);
});

import { expect, it } from 'vitest';
import { hideBeyondWindow } from '../../../../src/platform/linux/atspi/tree/unseen/beyond-window.ts';
import { RawNode } from '../../../../src/platform/linux/atspi/tree/raw-node.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { hasState, STATE } from '../../../../src/platform/linux/atspi/tree/states.ts';
import type { Extents } from '../../../../src/platform/linux/atspi/tree/object-facts.ts';
import { toolkitTraits } from '../../../../src/platform/linux/atspi/tree/toolkit.ts';

const QT = { traits: toolkitTraits('Qt', 'app') };
const SHOWN = (1 << STATE.SHOWING) | (1 << STATE.VISIBLE);
const WINDOW: Extents = { x: 1, y: 20, width: 640, height: 480 };

function node(
  nativeRole: number,
  extents: Extents | undefined,
  children: RawNode[] = [],
  isTopLevel = false,
): RawNode {
  const made = new RawNode(':1.1', '/it', 1, isTopLevel);
  Object.assign(made, { nativeRole, states: [SHOWN, 0], extents, children });
  return made;
}

/** A dock that is wider than the rest of its window, as in KolourPaint, with a colour in view and one beyond, and a combo box with its list. */
function paint(isTopLevel = true) {
  const seen = node(NATIVE.PANEL, { x: 600, y: 412, width: 25, height: 25 });
  const label = node(NATIVE.LABEL, undefined);
  const beyond = node(NATIVE.PANEL, { x: 700, y: 412, width: 25, height: 25 }, [label]);
  const option = node(NATIVE.LIST, { x: 600, y: 520, width: 100, height: 200 });
  const box = node(NATIVE.COMBO_BOX, { x: 560, y: 490, width: 60, height: 20 }, [option]);
  const dock = node(NATIVE.FRAME, { x: 311, y: 379, width: 525, height: 99 }, [seen, beyond, box]);
  return { seen, label, beyond, option, root: node(NATIVE.FRAME, WINDOW, [dock], isTopLevel) };
}

const isShown = ({ states }: RawNode): boolean => hasState(states, STATE.SHOWING);

it('leaves out what a window of Qt is too small for, with all in it', () => {
  const { seen, label, beyond, option, root } = paint();
  hideBeyondWindow(QT, root, false);
  expect([seen, option, beyond, label].map(({ dropped }) => dropped)).toEqual([false, false, true, true]);
});

it('keeps it in a reading of everything, as out of view', () => {
  const { seen, label, beyond, option, root } = paint();
  hideBeyondWindow(QT, root, true);
  expect([seen, option, beyond, label].map(isShown)).toEqual([true, true, false, false]);
  expect([beyond.dropped, hasState(beyond.states, STATE.VISIBLE)]).toEqual([false, true]);
});

it.each([
  ['another toolkit', { traits: toolkitTraits('gtk', 'app') }, true],
  ['a reading below a part of a window', QT, false],
] as const)('leaves %s as it is', (_what, application, isTopLevel) => {
  const { beyond, root } = paint(isTopLevel);
  hideBeyondWindow(application, root, false);
  expect(beyond.dropped).toBe(false);
});

it('keeps what is in a window that reports a place beside all of it', () => {
  const { seen, beyond, root } = paint();
  root.extents = { x: 0, y: 0, width: 1, height: 1 };
  hideBeyondWindow(QT, root, false);
  expect([seen, beyond].map(({ dropped }) => dropped)).toEqual([false, false]);
});

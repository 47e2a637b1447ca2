import { expect, it } from 'vitest';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { app, DEADLINE, failureOf, refOf, stage, windowWith } from './support/stage.ts';

const AT: Bounds = { x: 10, y: 40, width: 80, height: 20 };
const LIST: Bounds = { x: 10, y: 40, width: 80, height: 60 };

async function doubleClick(holder: SimulatedNode['role'], popup: Bounds | undefined) {
  const item: SimulatedNode = { id: 'item', role: 'listitem', name: 'File System', bounds: AT };
  const node: SimulatedNode = { id: 'holder', role: holder, name: 'View', bounds: LIST, children: [item] };
  const on = await stage([app({ windows: [windowWith([node], popup && { popup })] })]);
  const request = {
    ...DEADLINE,
    gesture: 'double-click',
    ref: await refOf(on.engine, 'File System'),
  } as const;
  return { on, request };
}

it('refuses a double click on an item of a list that drops down, before the first press', async () => {
  const { on, request } = await doubleClick('combobox', LIST);
  const error = await failureOf(on.engine.gesture(request));
  expect(error).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
  expect(error.message).toContain('closes with the first click');
  expect(on.desktop.input.record).toEqual([]);
});

it.each([
  ['the list of a combo box that is always open', 'combobox', undefined],
  ['a list in a popup', 'listbox', LIST],
] as const)('makes it on %s', async (_, holder, popup) => {
  const { on, request } = await doubleClick(holder, popup);
  expect((await on.engine.gesture(request)).via).toContain('left button 2 times');
});

import { expect, it } from 'vitest';
import { handlesOfNew } from '../../../scripts/proof/twins/look/handles.ts';
import { tilesAt } from '../../../scripts/proof/twins/look/picture.ts';
import type { Box, Seen } from '../../../scripts/proof/twins/look/tree.ts';
import { seen } from './seen.ts';

const WIDTH = 640;
const MAIN: readonly [number, string, Box] = [1, 'Main', [0, 0, 64, 64]];

function shown(...windows: readonly (readonly [id: number, title: string, box: Box])[]): {
  readonly seen: Seen;
} {
  const all = windows.map(([id, title, box]) => ({ id, title, box, pid: 7, managed: true }));
  return { seen: { ...seen([]), windows: all } };
}

const before = { ours: shown(MAIN), twin: shown(MAIN) };
const dialog = (id: number, x = 100): readonly [number, string, Box] => [id, '', [x, 100, 200, 80]];

it('the handle under a dialog that is new on both sides is drawn or not by the window manager', () => {
  const after = { ours: shown(MAIN, dialog(2)), twin: shown(MAIN, dialog(9)) };
  expect(handlesOfNew(before, after, WIDTH)).toEqual(tilesAt([100, 180, 200, 6], WIDTH, false));
});

it('nothing else is: not under windows that were there, lie elsewhere, or are new on one side only', () => {
  expect(handlesOfNew(before, before, WIDTH).size).toBe(0);
  const apart = { ours: shown(MAIN, dialog(2)), twin: shown(MAIN, dialog(9, 104)) };
  expect(handlesOfNew(before, apart, WIDTH).size).toBe(0);
  expect(handlesOfNew(before, { ours: shown(MAIN, dialog(2)), twin: shown(MAIN) }, WIDTH).size).toBe(0);
});

import { describe, expect, it } from 'vitest';
import { arrangementOf } from '../../../scripts/proof/twins/look/arrange.ts';
import type { Box, Seen } from '../../../scripts/proof/twins/look/tree.ts';
import { seen } from './seen.ts';

type Window = readonly [id: number, title: string, pid: number, x: number, managed?: boolean];

function shown(...windows: readonly Window[]): { readonly seen: Seen } {
  const box = (x: number): Box => [x, 0, 40, 30];
  const all = windows.map(([id, title, pid, x, managed = true]) => ({
    id,
    title,
    pid,
    box: box(x),
    managed,
  }));
  return { seen: { ...seen([]), windows: all } };
}

const MAIN: Window = [1, 'Main', 7, 0];
const HELP: Window = [2, 'Help', 8, 20];
const both = { ours: shown(MAIN, HELP), twin: shown(MAIN, HELP) };

describe('windows that lie otherwise than on the twin', () => {
  it('are raised as the mouse raised its own above another application', () => {
    const after = { ours: shown(MAIN, HELP), twin: shown(HELP, MAIN) };
    expect(arrangementOf(both, after)).toEqual({ moves: [], raises: [2, 1], harmless: 'stack' });
  });

  it('are not, if our act raised one', () => {
    const after = { ours: shown(HELP, MAIN), twin: shown(MAIN, HELP) };
    expect(arrangementOf(both, after)).toBeUndefined();
  });

  it('are not, if both are of one application', () => {
    const own: Window = [2, 'Help', 7, 20];
    const before = { ours: shown(MAIN, own), twin: shown(MAIN, own) };
    expect(arrangementOf(before, { ours: shown(MAIN, own), twin: shown(own, MAIN) })).toBeUndefined();
  });

  it('are moved if they are new on both sides', () => {
    const after = { ours: shown(MAIN, HELP, [3, 'New', 7, 10]), twin: shown(MAIN, HELP, [4, 'New', 7, 19]) };
    expect(arrangementOf(both, after)).toEqual({
      moves: [{ id: 3, x: 19, y: 0 }],
      raises: [],
      harmless: 'placed',
    });
  });

  it.each<[string, readonly Window[], readonly Window[]]>([
    ['one was there before', [MAIN, [2, 'Help', 8, 21]], [MAIN, HELP]],
    ['only one side has it', [MAIN, HELP, [3, 'New', 7, 10]], [MAIN, HELP]],
    ['its title differs', [MAIN, HELP, [3, 'New', 7, 10]], [MAIN, HELP, [3, 'Other', 7, 19]]],
    [
      'a menu is open',
      [MAIN, HELP, [3, 'New', 7, 10], [5, '', 7, 0, false]],
      [MAIN, HELP, [3, 'New', 7, 19]],
    ],
    ['they lie alike', [MAIN, HELP], [MAIN, HELP]],
  ])('are left where they are if %s', (_, ours, twin) => {
    expect(arrangementOf(both, { ours: shown(...ours), twin: shown(...twin) })).toBeUndefined();
  });
});

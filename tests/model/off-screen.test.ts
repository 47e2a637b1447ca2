import { describe, expect, it } from 'vitest';
import { spelled } from '../spelled.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { TreeNode } from '../../src/model/tree/node.ts';
import { offscreenAnswer, offscreenPlaces } from '../../src/model/tree/offscreen.ts';
import { distilled, lines, PLAIN, raw } from './raw-tree.ts';

const box = (y: number, height = 20): { bounds: Bounds } => ({ bounds: { x: 0, y, width: 100, height } });
const items = (count: number, from = 0): TreeNode[] =>
  Array.from({ length: count }, (_, at) => raw('listitem', `Item ${at}`, box(from + at * 20)));

describe('what is scrolled out', () => {
  it('is counted by its container, in each direction, as the adapter left it out', () => {
    const list = raw('list', 'Items', { offscreen: { before: 12, after: 958 } }, items(2));
    expect(lines(raw('window', 'W', {}, [list]))[1]).toBe('  list "Items" (12 up, 958 down) @e1');
  });

  it('is counted by place where the toolkit reports it all', () => {
    const list = raw('list', 'Items', box(40, 60), items(10));
    expect(lines(raw('window', 'W', box(0, 400), [list]))[1]).toBe('  list "Items" (2 up, 5 down) @e1');
    expect(lines(list, { ...PLAIN, wholeTree: true })[0]).toBe('list "Items"');
  });

  it('is what shows by less than four pixels, unless it is no thicker', () => {
    const list = raw('list', 'Items', box(40, 60), [
      raw('listitem', 'sliver above', box(23)),
      raw('listitem', 'in part', box(24)),
      raw('separator', 'line', box(99, 1)),
      raw('listitem', 'sliver below', box(97)),
    ]);
    expect(lines(raw('window', 'W', box(0, 400), [list]), { ...PLAIN, compact: false })).toStrictEqual([
      'window "W"',
      '  list "Items" (1 up, 1 down) @e1',
      '    listitem "in part" @e2',
      '    separator "line"',
    ]);
  });

  it('of a page is told by the page, of a long list in it by the list', () => {
    const section = raw('landmark', 'One', { offscreen: { before: 0, after: 3 } }, [raw('link', 'a')]);
    const long = raw('list', 'Long', { offscreen: { before: 0, after: 500 } }, [raw('listitem', 'b')]);
    const page = raw('document', 'Page', { offscreen: { before: 2, after: 20 } }, [section, long]);
    expect(lines(raw('window', 'W', {}, [page]))).toStrictEqual([
      'window "W"',
      '  document "Page" (2 up, 23 down) @e1',
      '    landmark "One"',
      '      link "a" @e2',
      '    list "Long" (500 down) @e3',
      '      listitem "b" @e4',
    ]);
  });

  it('is not what is closed, on another page or no content', () => {
    const offscreen = { before: 1, after: 9 };
    const none = [
      raw('menuitem', 'File', { offscreen }),
      raw('tab', 'Other page', { offscreen }),
      raw('combobox', 'Colour', { offscreen }),
      raw('group', 'A stack of pages', { offscreen }, [raw('button', 'Next')]),
      raw('generic', 'Scrolled', { offscreen, nativeRole: 'scroll pane' }, [raw('button', 'Last')]),
    ];
    expect(lines(raw('window', 'W', {}, none)).join('\n')).not.toMatch(/\d (up|down)/);
  });

  it('is told with the calls that show it, the most first', () => {
    const list = (name: string, after: number): TreeNode =>
      raw('list', name, { offscreen: { before: 0, after } }, items(1));
    const { root } = distilled(raw('window', 'W', {}, [list('Few', 5), list('Many', 50)]));
    const { off_screen: places, off_screen_reached_by: ways = [] } = offscreenAnswer(offscreenPlaces(root));
    expect(places).toStrictEqual([
      { ref: '@e3', role: 'list', down: 50 },
      { ref: '@e1', role: 'list', down: 5 },
    ]);
    expect(ways.map((way) => spelled(way))).toStrictEqual([
      '"desk scroll down --ref @e3"',
      '"desk snapshot --root @e3 --whole-tree"',
      '"desk find TEXT --whole-tree"',
    ]);
    expect(offscreenAnswer([])).toStrictEqual({});
  });
});

import { describe, expect, it } from 'vitest';
import type { Difference } from '../../../scripts/proof/twins/look/compare.ts';
import { isMenuClosing, isOnlyHighlight } from '../../../scripts/proof/twins/look/menus.ts';
import type { Box, Seen } from '../../../scripts/proof/twins/look/tree.ts';
import { frame, node, pictured, seen, view } from './seen.ts';

const BOX: Box = [0, 0, 20, 20];
const NONE = { only: [], other: [] };
const ITEM = 'app › frame › menu bar[0] › menu item[0] › popup menu[0] › menu item[1] "Cut"';
const closing: Difference = {
  tree: { only: [ITEM], other: [] },
  windows: NONE,
  files: NONE,
  picture: pictured([0, 60, 90, 70]),
};

describe('a menu that closed', () => {
  const before = seen([node('menu item', 'Edit')]);
  const open: Seen = {
    ...before,
    windows: [...before.windows, { id: 2, title: '', pid: 7, box: [10, 70, 80, 60], managed: false }],
  };

  it('is all that changed', () => {
    expect(isMenuClosing(open, closing)).toBe(true);
  });

  it('is all that changed, with the large tool button that it hung on', () => {
    expect(isMenuClosing(open, { ...closing, picture: pictured([0, 24, 90, 106]) })).toBe(true);
    expect(isMenuClosing(open, { ...closing, picture: pictured([0, 8, 90, 122]) })).toBe(false);
  });

  it('is all that can be seen, whatever a settings file says', () => {
    expect(isMenuClosing(open, { ...closing, files: { only: ['a 1'], other: ['a 2'] } })).toBe(true);
  });

  it('is all that changed, with the button that had opened it', () => {
    const button = 'app › frame › filler[0] › toggle button[0] "Side"';
    const only = [`${button}, checked, enabled`, ITEM];
    expect(isMenuClosing(open, { ...closing, tree: { only, other: [`${button}, enabled`] } })).toBe(true);
    const pressed = { only: [`${button}, enabled`, ITEM], other: [`${button}, checked, enabled`] };
    expect(isMenuClosing(open, { ...closing, tree: pressed })).toBe(false);
  });

  it('is all that changed in Chromium, which puts it into a menu bar of its own', () => {
    const bar = ['', ' › panel[0]', ' › panel[0] › menu[0]'].map(
      (more) => `app › frame › menu bar[0]${more} ""`,
    );
    expect(isMenuClosing(open, { ...closing, tree: { only: bar, other: [] } })).toBe(true);
  });

  it('is not all if something between two menus changed', () => {
    const [popup] = open.windows.slice(-1);
    if (popup === undefined) throw new Error('a menu is open');
    const two: Seen = { ...open, windows: [...open.windows, { ...popup, id: 3, box: [400, 400, 80, 60] }] };
    const both = pictured([16, 72, 64, 48], [400, 400, 80, 56]);
    expect(isMenuClosing(two, { ...closing, picture: both })).toBe(true);
    const more = pictured([16, 72, 64, 48], [240, 240, 8, 8], [400, 400, 80, 56]);
    expect(isMenuClosing(two, { ...closing, picture: more })).toBe(false);
  });

  it.each<[string, Seen, Difference]>([
    ['none was open', before, closing],
    [
      'something else shows',
      open,
      { ...closing, tree: { only: [ITEM], other: ['app › frame › label[0] "Done"'] } },
    ],
    [
      'something else is gone',
      open,
      { ...closing, tree: { only: [ITEM, 'app › frame › label[0] "Old"'], other: [] } },
    ],
    ['a window opened', open, { ...closing, windows: { only: [], other: ['window "About"'] } }],
    ['the picture changed elsewhere', open, { ...closing, picture: pictured([0, 60, 400, 300]) }],
  ])('is not all if %s', (_, from, difference) => {
    expect(isMenuClosing(from, difference)).toBe(false);
  });
});

describe('a popover that closed', () => {
  const popover = node('panel', '', { states: ['modal'], children: [node('push button', 'Rename')] });
  const before = seen([popover, node('label', 'Old')]);
  const gone = ['app › frame › panel[0] "", modal', 'app › frame › panel[0] › push button[0] "Rename"'];
  const change: Difference = {
    tree: { only: gone, other: [] },
    windows: NONE,
    files: NONE,
    picture: undefined,
  };

  it('is all that changed', () => {
    expect(isMenuClosing(before, change)).toBe(true);
  });

  it('is not all if something beside it is gone', () => {
    const old = 'app › frame › label[0] "Old"';
    expect(isMenuClosing(before, { ...change, tree: { only: [...gone, old], other: [] } })).toBe(false);
    expect(isMenuClosing(seen([node('label', 'Old')]), change)).toBe(false);
  });
});

it('a menu in which only the highlight moved is as it was; with anything else drawn, or closed, it is not', () => {
  const menu = { id: 2, title: '', pid: 7, box: BOX, managed: false };
  const side = (at: [number, number, number, number], isOpen = true) => {
    const shown = seen([node('menu item', 'Edit')]);
    return view({ ...shown, windows: [...shown.windows, ...(isOpen ? [menu] : [])] }, frame(0, at));
  };
  expect(isOnlyHighlight(side([0, 0, 0, 0]), side([2, 2, 10, 4]))).toBe(true);
  expect(isOnlyHighlight(side([0, 0, 0, 0]), side([40, 40, 10, 10]))).toBe(false);
  expect(isOnlyHighlight(side([0, 0, 0, 0]), side([0, 0, 0, 0], false))).toBe(false);
});

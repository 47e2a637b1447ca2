import { describe, expect, it } from 'vitest';
import {
  compareViews,
  isOnlyLabels,
  isOnlyMore,
  isPartOf,
  isSame,
  NOTHING_RESTLESS,
  restlessPlaces,
  treeLines,
} from '../../../scripts/proof/twins/look/compare.ts';
import type { View } from '../../../scripts/proof/twins/look/compare.ts';
import { differenceButMarks, openedBoth } from '../../../scripts/proof/twins/look/marks.ts';
import { isLine } from '../../../scripts/proof/twins/look/picture.ts';
import { SeenNode, type Box } from '../../../scripts/proof/twins/look/tree.ts';
import { frame, node, pictured, seen, view } from './seen.ts';

function same(...[one, other]: [View, View]): boolean {
  return isSame(compareViews(one, other, NOTHING_RESTLESS));
}

it('a difference is part of another one if that has all of its lines and its place', () => {
  const both = view(seen([node('push button', 'Fit'), node('label', '200%')]));
  const withoutFit = view(seen([node('label', '200%')]));
  const other = view(seen([node('label', '100%')]));
  const [fit, more] = [withoutFit, other].map((twin) => compareViews(both, twin, NOTHING_RESTLESS));
  if (fit === undefined || more === undefined) throw new Error('two were compared');
  expect([isPartOf(fit, more), isPartOf(more, fit)]).toEqual([true, false]);
  const inside = { ...fit, picture: pictured([0, 0, 8, 8]) };
  const outside = { ...fit, picture: pictured([0, 0, 40, 8]) };
  expect([isPartOf(inside, outside), isPartOf(outside, inside), isPartOf(inside, fit)]).toEqual([
    true,
    false,
    false,
  ]);
  const none = compareViews(both, both, NOTHING_RESTLESS);
  expect(isPartOf(none, fit)).toBe(false);
});

it('only labels differ if every line of the trees is about one, and no window or file differs', () => {
  const side = (role: string, name: string, title = 'Window') => view(seen([node(role, name)], title));
  const isOnly = (...[one, other]: [View, View]) => isOnlyLabels(compareViews(one, other, NOTHING_RESTLESS));
  expect(isOnly(side('label', 'Search...'), side('label', ''))).toBe(true);
  expect(isOnly(side('push button', 'a › label[0] "b"'), side('label', ''))).toBe(false);
  expect(isOnly(side('label', 'Search...', 'Other'), side('label', ''))).toBe(false);
  expect(isOnly(side('label', ''), side('label', ''))).toBe(false);
});

it.each<[Box, boolean]>([
  [[184, 344, 264, 8], true],
  [[184, 344, 8, 64], true],
  [[184, 344, 264, 16], false],
])('what differs in %j is a thin line: %j', (box, expected) => {
  expect(isLine(box)).toBe(expected);
});

describe('comparing two sides', () => {
  const plain = view(seen([node('push button', 'OK'), node('label', 'ready')]));

  it('finds no difference between equal views', () => {
    expect(same(plain, view(seen([node('push button', 'OK'), node('label', 'ready')])))).toBe(true);
  });

  it.each([
    ['another text', seen([node('push button', 'OK'), node('label', 'done')])],
    ['a missing node', seen([node('push button', 'OK')])],
    [
      'one more of the same',
      seen([node('push button', 'OK'), node('label', 'ready'), node('label', 'ready')]),
    ],
    [
      'a state',
      seen([node('push button', 'OK'), node('label', 'ready', { states: ['sensitive', 'checked'] })]),
    ],
    ['a number', seen([node('push button', 'OK', { value: 3 }), node('label', 'ready')])],
    ['a title', seen([node('push button', 'OK'), node('label', 'ready')], 'Other')],
  ])('finds %s', (_, other) => {
    expect(same(plain, view(other))).toBe(false);
  });

  it.each(['focused', 'active'])('does not count the state %s', (state) => {
    const other = seen([
      node('push button', 'OK', { states: ['sensitive', 'showing', state] }),
      node('label', 'ready'),
    ]);
    expect(same(plain, view(other))).toBe(true);
  });

  it('counts the selection of a row, but not that of a menu item under the pointer', () => {
    const lines = (role: string): string[] =>
      treeLines(seen([node(role, 'x', { states: ['selected'] })]), new Set()).map(({ text }) => text);
    expect(lines('list item').at(-1)).toContain('selected');
    expect(lines('menu item').at(-1)).not.toContain('selected');
  });

  it('does not count a text without a character, but one with some, or with something in it', () => {
    const withMore = (more: SeenNode): View =>
      view(seen([node('push button', 'OK'), node('label', 'ready'), more]));
    expect(same(plain, withMore(node('static', '')))).toBe(true);
    expect(same(plain, withMore(node('static', 'file:')))).toBe(false);
    expect(same(plain, withMore(node('static', '', { text: 'file:' })))).toBe(false);
    expect(same(plain, withMore(node('static', '', { children: [node('link', 'x')] })))).toBe(false);
    expect(same(plain, withMore(node('push button', '')))).toBe(false);
  });

  it('leaves how far something is scrolled to the picture', () => {
    const scrolled = (value: number): View => view(seen([node('scroll bar', '', { value })]));
    expect(same(scrolled(2), scrolled(3))).toBe(true);
    const moved = { ...scrolled(3), frame: frame(0xff_00_00, [16, 24, 8, 8]) };
    expect(same(scrolled(2), moved)).toBe(false);
  });

  it('does not count tooltips', () => {
    const tip = node('tool tip', 'Saves', { children: [node('label', 'Saves')] });
    expect(same(plain, view(seen([node('push button', 'OK'), node('label', 'ready'), tip])))).toBe(true);
  });

  it('finds a square of another colour, and tells where', () => {
    const other = view(plain.seen, frame(0xff_00_00, [16, 24, 8, 8]));
    expect(compareViews(plain, other, NOTHING_RESTLESS).picture?.box).toEqual([16, 24, 8, 8]);
  });

  it('does not count colours that nobody tells apart, nor single pixels, nor what is masked', () => {
    expect(same(plain, view(plain.seen, frame(0x85_85_85, [16, 24, 8, 8])))).toBe(true);
    expect(same(plain, view(plain.seen, frame(0xff_00_00, [16, 24, 2, 1])))).toBe(true);
    const restless = {
      tiles: new Set([(24 / 8) * 8 + 16 / 8]),
      places: new Set<string>(),
      files: new Set<string>(),
    };
    expect(isSame(compareViews(plain, view(plain.seen, frame(0xff_00_00, [16, 24, 8, 8])), restless))).toBe(
      true,
    );
  });

  it('does not count a caret that is dark on one side only', () => {
    const field = node('text', 'Name', { box: [8, 16, 32, 16], states: ['sensitive', 'focused'] });
    const [dark, light] = [view(seen([field]), frame(0xff_00_00, [16, 24, 8, 8])), view(seen([field]))];
    expect(isSame(differenceButMarks(dark, light, NOTHING_RESTLESS))).toBe(true);
    const blurred = seen([{ ...field, states: ['sensitive'] }]);
    const other = view(blurred, frame(0xff_00_00, [16, 24, 8, 8]));
    expect(isSame(differenceButMarks(other, view(blurred), NOTHING_RESTLESS))).toBe(false);
  });

  it('finds the same text in another place', () => {
    const labels = (...texts: string[]): View => view(seen(texts.map((text) => node('label', text))));
    expect(same(labels('counted', '–'), labels('–', 'counted'))).toBe(false);
  });

  it('does not count the order in which a toolkit made the hidden children and those of other roles', () => {
    const one = seen([node('tool bar', 'File'), node('page tab list', '')]);
    const other = seen([node('page tab list', ''), node('tool bar', 'File')]);
    const [window] = other.applications[0]?.windows ?? [];
    const later = window?.children.map((child) => ({ ...child, index: child.index + 30 })) ?? [];
    expect(same(view(one), view(seen(later)))).toBe(true);
    expect(same(view(one), view(seen([...later, node('tool bar', 'Edit')])))).toBe(false);
  });

  it('does not compare what changed by itself', () => {
    const clock = (time: string): View => view(seen([node('label', time), node('label', 'ready')]));
    const places = new Set(restlessPlaces(clock('9:00').seen, clock('9:01').seen));
    expect(places.size).toBe(1);
    expect(
      isSame(compareViews(clock('9:00'), clock('9:05'), { tiles: new Set(), places, files: new Set() })),
    ).toBe(true);
  });

  it('finds a file with other contents', () => {
    const one = view(plain.seen, plain.frame, new Map([['Documents/a.txt', 'abc']]));
    const other = view(plain.seen, plain.frame, new Map([['Documents/a.txt', 'abd']]));
    expect(same(one, other)).toBe(false);
  });
});

it('what was clicked may look pointed at only where it is open on both sides', () => {
  const key = { application: 'app', role: 'combo box', name: 'Size', path: [0, 0] };
  const withSize = (states: string[]): View => view(seen([node('combo box', 'Size', { states })]));
  const [open, closed] = [withSize(['expanded']), withSize([])];
  expect(openedBoth({ ours: open, twin: open }, key).size).toBeGreaterThan(0);
  expect(openedBoth({ ours: closed, twin: open }, key).size).toBe(0);
  expect(openedBoth({ ours: open, twin: closed }, key).size).toBe(0);
});

it('a side that has all of the other and more is told from one that lacks something', () => {
  const [field, more] = [node('entry', 'Name', { text: 'x' }), node('label', 'committed')];
  const [open, closed] = [view(seen([field, node('list', 'Suggestions')])), view(seen([field]))];
  const committed = view(seen([field, more]));
  expect(isOnlyMore(compareViews(open, closed, NOTHING_RESTLESS))).toBe(true);
  expect(isOnlyMore(compareViews(open, committed, NOTHING_RESTLESS))).toBe(false);
  expect(isOnlyMore(compareViews(closed, open, NOTHING_RESTLESS))).toBe(false);
  expect(isOnlyMore(compareViews(closed, closed, NOTHING_RESTLESS))).toBe(false);
});

it('what changed between a tool bar and a status bar is no part of a change of these two', () => {
  const lines = compareViews(view(seen([node('label', 'a')])), view(seen([])), NOTHING_RESTLESS);
  const bars = { ...lines, picture: pictured([0, 0, 640, 16], [0, 400, 640, 16]) };
  const part = (...boxes: Box[]): boolean => isPartOf({ ...lines, picture: pictured(...boxes) }, bars);
  expect(part([300, 200, 8, 8])).toBe(false);
  expect(part([16, 8, 8, 8], [300, 200, 8, 8])).toBe(false);
  expect(part([16, 8, 8, 8], [600, 400, 40, 8])).toBe(true);
  // An edge may be drawn one square further.
  expect([part([16, 16, 8, 8]), part([16, 24, 8, 8])]).toEqual([true, false]);
  const corner = { ...lines, picture: pictured([632, 0, 8, 8]) };
  expect(isPartOf({ ...lines, picture: pictured([0, 8, 8, 8]) }, corner)).toBe(false);
  const left = { ...lines, picture: pictured([0, 16, 8, 8]) };
  expect(isPartOf({ ...lines, picture: pictured([632, 8, 8, 8]) }, left)).toBe(false);
});

it('names are read without what an application adds to them at any moment', () => {
  const tab = (name: string): string => SeenNode.parse(node('page tab', name)).name;
  expect(tab('Page - Memory usage - 22.7 MB')).toBe('Page');
  expect(tab('Memory usage')).toBe('Memory usage');
});

it('how much room is left on the disk counts neither in the tree nor in the picture, and what stands around it does', () => {
  const bar = (name: string, colour = 0) =>
    view(
      seen([SeenNode.parse(node('label', name, { text: name, box: [16, 16, 24, 8] }))]),
      frame(colour, [16, 16, 8, 8]),
    );
  expect(same(bar('70.3 GiB free'), bar('70.2 GiB free', 0xff_ff_ff))).toBe(true);
  const thunar = (files: number, left: string): View => bar(`${files} files  |  Free space: ${left}`);
  expect(same(thunar(3, '70.5 GiB'), thunar(3, '982 MB'))).toBe(true);
  expect(same(thunar(3, '70.5 GiB'), thunar(4, '70.5 GiB'))).toBe(false);
  expect(same(bar('free'), bar('free', 0xff_ff_ff))).toBe(false);
  const nautilus = (left: string, all = '270.6 GB'): View => bar(`${left} / ${all} available`);
  expect(same(nautilus('75.8 GB'), nautilus('75.7 GB'))).toBe(true);
  expect(same(nautilus('75.8 GB'), nautilus('75.8 GB', '99 GB'))).toBe(false);
  expect(same(bar('3 GiB free of charge'), bar('4 GiB free of charge'))).toBe(false);
});

it('where the pointer was does not count in a status bar while nothing is selected, and the size of what is does', () => {
  const bar = (text: string, colour = 0, role = 'status bar') =>
    view(
      seen([node(role, '', { children: [node('label', '', { text, box: [16, 16, 24, 8] })] })]),
      frame(colour, [16, 16, 8, 8]),
    );
  const one = bar('-1.57 / -0.57 0.00 x 0.00');
  expect(same(one, bar('14.86 / 12.32 0.00 x 0.00', 0xff_ff_ff))).toBe(true);
  expect(same(one, bar('14.86 / 12.32 2.00 x 0.00'))).toBe(false);
  expect(same(bar('1.00 / 1.00 2.00 x 3.00'), bar('1.50 / 1.00 2.00 x 3.00'))).toBe(false);
  expect(same(bar('1.00 / 1.00 0.00 x 0.00', 0, 'panel'), bar('2.00 / 1.00 0.00 x 0.00', 0, 'panel'))).toBe(
    false,
  );
});

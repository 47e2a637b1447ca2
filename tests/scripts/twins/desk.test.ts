import { describe, expect, it } from 'vitest';
import { nearestFirst, referenceOf } from '../../../scripts/proof/twins/act/desk.ts';
import {
  isLeftToMenu,
  isOnlyOurs,
  isRefusedRightly,
  isSubmenu,
  opensBrowser,
} from '../../../scripts/proof/twins/run/exclusions.ts';
import { usableWidgets } from '../../../scripts/proof/twins/act/widgets.ts';
import type { Act } from '../../../scripts/proof/twins/act/act.ts';
import type { View } from '../../../scripts/proof/twins/look/compare.ts';
import { placed } from '../../../scripts/proof/twins/look/tree.ts';
import { node, seen, view } from './seen.ts';

describe('the window of a frame', () => {
  const main = { ref: '@w1', pid: 7, title: 'Same', bounds: { x: 0, y: 20, width: 900, height: 700 } };
  const message = { ref: '@w2', pid: 7, title: 'Same', bounds: { x: 400, y: 300, width: 200, height: 100 } };
  const other = { ref: '@w3', pid: 7, title: 'Other', bounds: { x: 400, y: 300, width: 200, height: 100 } };
  const first = (name: string, box: [number, number, number, number] | null): string | undefined =>
    nearestFirst([main, other, message], { name, box })[0]?.ref;

  it('has its title and, of several, lies where it lies', () => {
    expect(first('Same', [402, 303, 200, 100])).toBe('@w2');
    expect(first('Same', [0, 0, 900, 700])).toBe('@w1');
    expect(first('Other', [0, 0, 900, 700])).toBe('@w3');
    expect(first('Same', null)).toBe('@w1');
  });
});

describe('the reference that a person would type', () => {
  const icon = node('icon', 'Add', { box: [10, 10, 16, 16] });
  const one = [...placed(seen([icon]))].at(-1);
  const bounds = { x: 10, y: 10, width: 16, height: 16 };
  const answering = async (snapshot: object, matches: readonly object[]): Promise<string | undefined> => {
    if (one === undefined) throw new Error('one was placed');
    const run = async (command: readonly string[]) => {
      const answer = command.includes('snapshot') ? { tree: snapshot } : { matches };
      return { code: 0, stdout: JSON.stringify(answer), stderr: '' };
    };
    return referenceOf({ run }, '@w1', one);
  };
  const image = { role: 'image', name: 'Add', bounds };
  const window = { role: 'window', children: [image] };

  it('is the one in the snapshot', async () => {
    const listed = { role: 'window', children: [{ ...image, ref: '@e1' }] };
    expect(await answering(listed, [{ ...image, ref: '@e2' }])).toBe('@e1');
  });

  it('is what find gives for the name, where the snapshot has no reference', async () => {
    expect(await answering(window, [{ ...image, ref: '@e2' }])).toBe('@e2');
  });

  it('is none if what has the name is elsewhere', async () => {
    expect(await answering(window, [{ ...image, ref: '@e2', bounds: { ...bounds, y: 90 } }])).toBeUndefined();
    expect(await answering(window, [])).toBeUndefined();
  });
});

it('an item that still shows after it was clicked opens a menu', () => {
  const item = node('menu item', 'Theme', { index: 0 });
  const key = { application: 'app', role: 'menu item', name: 'Theme', path: [0, 0, 0] };
  const bar = { application: 'app', role: 'menu item', name: 'View', path: [0, 0] };
  const target = { key: bar, isEditable: false, isMultiLine: false };
  const act: Act = { kind: 'menu', target, more: [key], value: 'View > Theme' };
  expect(isSubmenu(seen([node('menu item', 'View', { children: [item] })]), act)).toBe(true);
  expect(isSubmenu(seen([node('menu item', 'View')]), act)).toBe(false);
});

it('a browser that the act opens is one that was not open before', () => {
  const shown = seen([node('push button', 'Help')]);
  const browser = {
    name: 'Firefox',
    pid: 8,
    toolkit: 'Gecko',
    version: '1',
    windows: [node('frame', 'Page')],
  };
  const opened = view({ ...shown, applications: [...shown.applications, browser] });
  expect(opensBrowser(view(shown), opened)).toBe(true);
  expect(opensBrowser(view(shown), view(shown))).toBe(false);
  expect(opensBrowser(opened, opened)).toBe(false);
});

describe('a double click that was refused because its list closes with the first click', () => {
  const words = 'ACTION_NOT_SUPPORTED: @e1 was not acted on: its list closes with the first click, and …';
  const answer = { effect: 'failed', route: '', words } as const;
  const item = node('list item', 'Bold', { box: [0, 30, 40, 20] });
  const popup = {
    id: 2,
    title: '',
    pid: 7,
    box: [0, 30, 40, 20] as [number, number, number, number],
    managed: false,
  };
  const shown = seen([node('list', '', { box: [0, 30, 40, 20], children: [item] })]);
  const open = view({ ...shown, windows: [...shown.windows, popup] });
  const [target] = usableWidgets(open.seen);
  if (target === undefined) throw new Error('the item shows');
  const act: Act = { kind: 'double-click', target, more: [] };
  const closed = view(seen([node('list', '', { box: [0, 0, 40, 20] })]));

  it('is refused rightly if the list closed under the mouse', () => {
    expect(target.layer).toBe('popup');
    expect(isRefusedRightly(closed, act, answer)).toBe(true);
    expect(isRefusedRightly(open, act, answer)).toBe(false);
  });

  it('and nothing else is', () => {
    expect(isRefusedRightly(closed, { ...act, kind: 'click' }, answer)).toBe(false);
    expect(isRefusedRightly(closed, { ...act, target: { ...target, layer: undefined } }, answer)).toBe(false);
    expect(isRefusedRightly(closed, act, { ...answer, words: 'NOT_ACTIONABLE: covered' })).toBe(false);
    expect(isRefusedRightly(closed, act, { ...answer, effect: 'unverified' })).toBe(false);
  });
});

describe('a value that a person cannot enter', () => {
  const field = (text: string): View => view(seen([node('text', '', { text })]));
  const key = { application: 'app', role: 'text', name: '', path: [0, 0] };
  const act: Act = {
    kind: 'set-value',
    target: { key, isEditable: true, isMultiLine: false },
    more: [],
    value: 'twin 42',
  };
  const answer = { effect: 'confirmed', route: '', words: '' } as const;

  it.each<[string, string, string, boolean, boolean]>([
    ['the twin ran the first word as a command', 'twin 42', '42', true, true],
    ['the answer does not say that it is pending', 'twin 42', '42', false, false],
    ['the twin has it', 'twin 42', 'twin 42', true, false],
    ['the twin shows it in another form', 'twin 42', 'twin 42 mm', true, false],
    ['our field does not have it either', 'twin', '42', true, false],
  ])('%s: %s, %s', (_, ours, twin, isPending, expected) => {
    const after = { ours: field(ours), twin: field(twin) };
    expect(isOnlyOurs(after, act, { ...answer, isPending })).toBe(expected);
    expect(isOnlyOurs(after, { ...act, kind: 'type' }, { ...answer, isPending })).toBe(expected);
    expect(isOnlyOurs(after, { ...act, kind: 'click' }, { ...answer, isPending })).toBe(false);
  });
});

it('a click that an open menu would take is refused on purpose', () => {
  const words =
    'NOT_ACTIONABLE: @e8 was not acted on: a menu of its application is open, which takes the next click.';
  const answer = { effect: 'failed', route: '', words } as const;
  expect(isLeftToMenu(answer)).toBe(true);
  expect(isLeftToMenu({ ...answer, words: 'NOT_ACTIONABLE: @e8 was not acted on: it is disabled.' })).toBe(
    false,
  );
  expect(isLeftToMenu({ ...answer, effect: 'unverified' })).toBe(false);
});

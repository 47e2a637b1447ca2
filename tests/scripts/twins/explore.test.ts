import { describe, expect, it } from 'vitest';
import { actName, beginsExplaining, undoesText, type Act } from '../../../scripts/proof/twins/act/act.ts';
import {
  findWidget,
  isFocusElsewhere,
  keyOf,
  keyText,
  usableWidgets,
  type Widget,
} from '../../../scripts/proof/twins/act/widgets.ts';
import { Explorer } from '../../../scripts/proof/twins/run/explore.ts';
import type { Box, Seen, SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import { seededRandom } from '../../../scripts/proof/row.ts';
import { node, seen } from './seen.ts';

it('rows of a list without a place are not reached, though they report to show', () => {
  const rows = (box: Box | null): (string | undefined)[] => {
    const row = node('list item', 'General', { box: [4, 4, 20, 10] });
    return usableWidgets(seen([node('list', '', { box, children: [row] })])).map(
      ({ unreachable }) => unreachable,
    );
  };
  expect(rows(null)).toEqual(['clipped']);
  expect(rows([0, 0, 40, 40])).toEqual([undefined]);
});

it('a cell that holds a picture and a text is pointed at by its text', () => {
  const cell = (name: string, more: Partial<SeenNode> = {}): SeenNode => node('table cell', name, more);
  const names = (...children: SeenNode[]): string[] =>
    usableWidgets(seen([cell('', { children })])).map(({ key }) => `${key.name} ${key.path.length}`);
  expect(names(cell(''), cell('Home', { index: 1 }))).toEqual(['Home 3']);
  expect(names(cell('', { states: ['sensitive', 'checkable'] }), cell('Home', { index: 1 }))).toEqual([
    ' 3',
    'Home 3',
  ]);
  expect(names(cell(''))).toEqual([' 2', ' 3']);
});

function widgets(...nodes: Parameters<typeof seen>[0]): Widget[] {
  return usableWidgets(seen(nodes));
}

/** Widgets one below the other: what overlaps covers. */
function stacked(nodes: readonly SeenNode[]): SeenNode[] {
  return nodes.map((one, index) => ({ ...one, box: [0, 8 * index, 20, 8] }));
}

/** What is tried if the screen shows what `screen` says after each act; at most 200 choices. */
function all(seed: number, screen: (last: Act | undefined) => Seen): { act: Act; isNew: boolean }[] {
  const explorer = new Explorer(seededRandom(seed));
  const found: { act: Act; isNew: boolean }[] = [];
  let now = screen(undefined);
  while (found.length < 200) {
    const choice = explorer.choose(now);
    if (choice === undefined) break;
    found.push(choice);
    const next = screen(choice.act);
    const old = new Set(usableWidgets(now).map(({ key }) => keyText(key)));
    const shown = usableWidgets(next).filter(({ key }) => !old.has(keyText(key)));
    if (choice.isNew) explorer.learn(choice.act, shown);
    now = next;
  }
  return found;
}

function names(found: readonly { act: Act; isNew: boolean }[]): string[] {
  return found.filter(({ isNew }) => isNew).map(({ act }) => actName(act));
}

describe('usable widgets', () => {
  it('are enabled, big enough and of a role that people use', () => {
    const found = widgets(
      node('push button', 'OK'),
      node('push button', 'Off', { states: ['showing'] }),
      node('push button', 'Thin', { box: [0, 0, 2, 20] }),
      node('label', 'text'),
    );
    expect(found.map(({ key }) => key.name)).toEqual(['OK']);
  });

  it('are not typed into while the keyboard goes to something else', () => {
    const focused = { states: ['sensitive', 'showing', 'focused'] };
    const field = node('text', 'Filter');
    const [here] = widgets(field);
    const isElsewhere = (...shown: Parameters<typeof seen>[0]): boolean =>
      here !== undefined && isFocusElsewhere(seen(shown), here.key);
    expect(isElsewhere({ ...field, ...focused }, node('list', 'Forms'))).toBe(false);
    expect(isElsewhere(field, node('list', 'Forms'))).toBe(false);
    expect(isElsewhere(field, node('list', 'Forms', focused))).toBe(true);
  });

  it('are covered by what is drawn over them later, but not by their own parts', () => {
    const entry = node('entry', 'Name', { children: [node('icon', 'Clear')] });
    const list = node('list', 'Suggestions', { children: [node('list item', 'Ada')] });
    expect(widgets(entry)[0]?.unreachable).toBe(undefined);
    expect(widgets(entry, list).find(({ key }) => key.name === 'Name')?.unreachable).toBe('covered');
  });

  it('say why a mouse does not reach them', () => {
    const clipped = node('push button', 'Far', { box: [60, 0, 40, 10] });
    expect(widgets(clipped)[0]?.unreachable).toBe('clipped');
    const below = seen([node('push button', 'Below')]);
    const above = {
      id: 2,
      title: 'Other',
      pid: 9,
      box: [0, 0, 64, 64] as [number, number, number, number],
      managed: true,
    };
    expect(usableWidgets({ ...below, windows: [...below.windows, above] })[0]?.unreachable).toBe('covered');
  });
});

describe('exploring', () => {
  const start = seen(
    stacked([
      node('menu', 'File'),
      node('check box', 'Wrap'),
      node('text', 'Name', { text: '', states: ['sensitive', 'showing', 'editable'] }),
      node('text', 'Full', { text: 'x', states: ['sensitive', 'showing', 'editable'] }),
      node('spin button', 'Size', { value: 3, range: [0, 9] }),
      node('list item', 'Row'),
      node('tree item', 'Folder', { states: ['sensitive', 'showing', 'expandable'] }),
    ]),
  );
  /** Where a window of menus lies: below the window of the application. */
  const popup = { id: 2, title: '', pid: 7, box: [0, 80, 40, 40] as Box, managed: false };
  const item = (name: string, index: number): SeenNode =>
    node('menu item', name, { box: [0, 80 + 10 * index, 20, 10] });

  it('types, sets values and expands more often than the rest while there is a choice', () => {
    const fields = Array.from({ length: 6 }, (_, index) =>
      node('text', `Field ${index}`, { text: '', states: ['sensitive', 'showing', 'editable'], index }),
    );
    const shown = seen(stacked([...fields, node('push button', 'OK', { index: 6 })]));
    const kinds = all(7, () => shown).map(({ act }) => act.kind);
    const early = kinds.slice(0, 12).filter((kind) => kind === 'type' || kind === 'set-value');
    expect(early.length).toBeGreaterThan(5);
    expect(kinds).toContain('click');
  });

  const withMenu = (...items: string[]): Seen => {
    const menu = node('menu', 'File', { children: items.map(item), box: [0, 0, 20, 10] });
    const shown = seen([menu, node('check box', 'Wrap', { box: [30, 0, 20, 10] })]);
    return { ...shown, windows: [...shown.windows, popup] };
  };

  it('tries each widget in every way it invites', () => {
    const found = names(all(1, () => start));
    const kinds = (name: string): string[] =>
      found
        .filter((act) => act.includes(`"${name}"`))
        .map((act) => act.split(':')[0] ?? '')
        .toSorted();
    expect(kinds('Wrap')).toEqual(['click', 'toggle']);
    expect(kinds('Name')).toEqual(['click', 'right-click', 'set-value "twin 42"', 'type "twin 42"']);
    expect(kinds('Full')).toEqual(['click', 'right-click', 'set-value "twin 42"']);
    expect(kinds('Size')).toEqual(['click', 'set-value "4"']);
    expect(kinds('Row')).toEqual(['click', 'double-click', 'right-click', 'select']);
    expect(kinds('Folder')).toContain('expand');
    expect(kinds('Window')).toContain('press "Tab"');
  });

  it('depends on the seed alone', () => {
    expect(names(all(1, () => start))).toEqual(names(all(1, () => start)));
    expect(names(all(1, () => start))).not.toEqual(names(all(2, () => start)));
  });

  it('follows a menu: by its path once it was seen open, and with the menu open', () => {
    const open = withMenu('Save', 'Quit');
    const found = names(
      all(1, (last) => (last?.kind === 'click' && last.target.key.role === 'menu' ? open : start)),
    );
    expect(found.filter((act) => act.startsWith('menu "File > '))).toHaveLength(2);
    expect(found.filter((act) => /^click: .*"Save"$/.test(act))).toHaveLength(1);
  });

  it('uses only an open menu, and only a dialog that asks', () => {
    const open = withMenu('Save');
    const inMenu = names(all(1, () => open)).filter((act) => !act.startsWith('press'));
    expect(inMenu).toHaveLength(1);
    expect(inMenu[0]).toContain('"Save"');
    const [frame] = start.applications[0]?.windows ?? [];
    const dialog = node('dialog', 'Sure?', {
      index: 1,
      children: [node('push button', 'Yes')],
      box: [0, 0, 64, 64],
    });
    const asking: Seen = {
      ...start,
      applications: start.applications.map((one) => ({
        ...one,
        windows: frame ? [frame, dialog] : [dialog],
      })),
      windows: [...start.windows, { id: 3, title: 'Sure?', pid: 7, box: [0, 0, 64, 64], managed: true }],
    };
    const chosen = names(all(1, () => asking));
    expect(chosen.filter((act) => act.includes('"Yes"'))).toHaveLength(1);
    expect(chosen.filter((act) => act.includes('"Wrap"'))).toHaveLength(0);
  });

  it('closes a menu in which nothing is left with Escape, and an unread one, not for ever', () => {
    const isEscape = ({ act, isNew }: { act: Act; isNew: boolean }): boolean =>
      !isNew && act.kind === 'press' && act.value === 'Escape';
    const open = withMenu('Save');
    const used = all(1, (last) => (last?.value === 'Escape' ? start : open));
    expect(used.findIndex(isEscape)).toBeGreaterThan(0);
    const unread: Seen = { ...start, windows: [...start.windows, { ...popup, box: [0, 80, 60, 60] }] };
    const found = all(1, () => unread);
    expect(found).toHaveLength(3);
    expect(found.every(isEscape)).toBe(true);
  });

  it('tries the sort of act next of which it tried the fewest', () => {
    const many = Array.from({ length: 6 }, (_, index) => node('push button', `B${index}`));
    const screen = seen(stacked([...many, node('check box', 'Wrap')]));
    const found = names(all(1, () => screen)).filter((act) => !act.startsWith('press'));
    expect(found.slice(0, 3).map((act) => act.replace(/:.*/, ''))).toContain('toggle');
  });

  it('repeats a click that led somewhere when nothing here is new, and not for ever', () => {
    const elsewhere = seen([node('push button', 'Back')], 'Elsewhere');
    const here = seen([node('push button', 'Go')]);
    const found = all(1, (last) => (last?.target.key.name === 'Go' ? elsewhere : here));
    const repeated = found.filter(({ act, isNew }) => !isNew && act.target.key.name === 'Go');
    expect(repeated.length).toBeGreaterThan(0);
    expect(repeated.length).toBeLessThan(10);
  });
});

it('a widget is found again if what is before it is hidden, and never one of several', () => {
  const button = (): SeenNode => node('push button', 'Done');
  const dialog = (): SeenNode => node('dialog', 'Added', { children: [button()] });
  const twice = seen([node('static', ''), dialog(), button()]);
  const [inDialog] = usableWidgets(twice);
  if (inDialog === undefined) throw new Error('there is a button in the dialog');
  const later = seen([dialog(), button()]);
  const found = findWidget(later, inDialog.key);
  expect(found?.above.at(-1)?.name).toBe('Added');
  const several = seen([dialog(), dialog(), button()]);
  expect(findWidget(several, { ...inDialog.key, path: [0, 5, 0] })).toBeUndefined();
  expect(found && keyOf(found).path).toEqual([0, 0, 0]);
});

it('what is in a browser that a link opened is not explored, unless it is a browser that is explored', () => {
  const shown = seen(stacked([node('push button', 'Reload')]));
  const within = (toolkit: string): Seen => ({
    ...shown,
    applications: shown.applications.map((one) => ({ ...one, toolkit })),
  });
  const isExplored = (seenNow: Seen, own: string): boolean =>
    new Explorer(seededRandom(1), own).choose(seenNow) !== undefined;
  expect(isExplored(within('Gecko'), 'gtk 3.24.38')).toBe(false);
  expect(isExplored(within('Gecko'), 'Gecko 153.7.0')).toBe(true);
  expect(isExplored(within('gtk'), 'gtk 3.24.38')).toBe(true);
});

it('what undoes a text that was entered before is not compared: it was entered in two ways', () => {
  const acts = widgets(...stacked([node('push button', 'Undo'), node('push button', 'New')])).map(
    (target): Act => ({ kind: 'click', target, more: [] }),
  );
  const entered = acts.map((act): Act => ({ ...act, kind: 'type', value: 'a' })).slice(1);
  expect(acts.map((act) => undoesText(act, entered))).toEqual([true, false]);
  expect(acts.map((act) => undoesText(act, acts))).toEqual([false, false]);
});

it('an act that makes the next click explain is known by its name, wherever it is', () => {
  const [help, item, button] = widgets(
    ...stacked([
      node('menu item', 'Help'),
      node('menu item', " What's This?"),
      node('push button', 'What is new?'),
    ]),
  );
  if (help === undefined || item === undefined || button === undefined) throw new Error('there are three');
  const click = (target: Widget): Act => ({ kind: 'click', target, more: [] });
  const acts = [
    click(item),
    { ...click(help), kind: 'menu' as const, more: [item.key] },
    click(help),
    click(button),
  ];
  expect(acts.map(beginsExplaining)).toEqual([true, true, false, false]);
});

it('tries what few widgets offer before the rest', () => {
  const buttons = Array.from({ length: 5 }, (_, index) => node('push button', `Button ${index}`));
  const field = node('text', 'Name', { states: ['sensitive', 'editable'], text: '' });
  const row = node('table cell', 'Folder', { states: ['sensitive', 'expandable'] });
  const screen = seen(stacked([...buttons, field, row]));
  const first = all(5, () => screen).slice(0, 3);
  expect(first.map(({ act }) => act.kind).toSorted()).toEqual(['expand', 'set-value', 'type']);
});

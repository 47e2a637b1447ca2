import { describe, expect, it } from 'vitest';
import { differsByPlace, selectsInPage } from '../../../../src/platform/linux/atspi/actions/by-place.ts';
import type { Surroundings } from '../../../../src/platform/linux/atspi/actions/surroundings.ts';
import { barToClear } from '../../../../src/platform/linux/atspi/actions/swing-menu.ts';
import { ROOT_PATH } from '../../../../src/platform/linux/atspi/tree/names.ts';
import { NATIVE } from '../../../../src/platform/linux/atspi/tree/roles.ts';
import { STATE, type StateBits } from '../../../../src/platform/linux/atspi/tree/states.ts';
import { bits } from './support/bits.ts';

interface Thing {
  readonly role: number;
  readonly states: StateBits;
  readonly children: Readonly<Record<string, Thing>>;
}

const USABLE = [STATE.VISIBLE, STATE.SENSITIVE, STATE.SHOWING];
const FRAME = 23;

function thing(role: number, children: Thing['children'] = {}, more: readonly number[] = []): Thing {
  return { role, states: bits(...USABLE, ...more), children };
}

/** The tree of an application with these windows; each path is a name. */
function application(windows: Thing['children']): Surroundings & { asked: number } {
  const [all, parents] = [new Map<string, Thing>(), new Map<string, string>()];
  const add = (path: string, one: Thing): void => {
    all.set(path, one);
    for (const [child, inner] of Object.entries(one.children)) {
      parents.set(child, path);
      add(child, inner);
    }
  };
  add(ROOT_PATH, thing(0, windows));
  const of = (path: string): Thing => {
    around.asked += 1;
    const found = all.get(path);
    if (found === undefined) throw new Error(`no ${path}`);
    return found;
  };
  const around = {
    asked: 0,
    parent: async (path: string) => parents.get(path) ?? ROOT_PATH,
    children: async (path: string) => Object.keys(of(path).children),
    role: async (path: string) => of(path).role,
    states: async (path: string) => of(path).states,
  };
  return around;
}

const button = { button: thing(43) };

describe('an action does something else by the place of its element:', () => {
  it('for an item that shows in an open menu, unlike one of a closed menu or a title in the bar', async () => {
    const hidden = { role: 35, states: bits(STATE.VISIBLE, STATE.SENSITIVE), children: {} };
    const around = application({
      page: thing(FRAME, {
        bar: thing(34, { title: thing(35, { list: thing(33, { item: thing(35), closed: hidden }) }) }),
      }),
    });
    expect(await differsByPlace(around, { notInOpenMenu: true }, 'item')).toBe(true);
    expect(await differsByPlace(around, { notInOpenMenu: true }, 'closed')).toBe(false);
    expect(await differsByPlace(around, { notInOpenMenu: true }, 'title')).toBe(false);
  });

  it('in a list of a combo box, unlike in a menu', async () => {
    const item = { item: thing(35) };
    const list = application({
      page: thing(FRAME, { box: thing(NATIVE.COMBO_BOX, { list: thing(33, item) }) }),
    });
    const menu = application({ page: thing(FRAME, { bar: thing(34, { list: thing(33, item) }) }) });
    expect(await differsByPlace(list, { notIn: 'combobox' }, 'item')).toBe(true);
    expect(await differsByPlace(menu, { notIn: 'combobox' }, 'item')).toBe(false);
  });

  it('in a popup, unlike in a window while one is open', async () => {
    const popup = thing(NATIVE.WINDOW, { box: thing(NATIVE.PANEL, button) });
    const beside = application({ main: thing(FRAME, { other: thing(43) }), popup });
    expect(await differsByPlace(beside, { notInPopup: true }, 'button')).toBe(true);
    expect(await differsByPlace(beside, { notInPopup: true }, 'other')).toBe(false);
  });

  it('which costs two questions where no popup is open', async () => {
    const deep = { a: thing(39, { b: thing(39, { c: thing(39, button) }) }) };
    const plain = application({ main: thing(FRAME, deep) });
    expect(await differsByPlace(plain, { notInPopup: true }, 'button')).toBe(false);
    expect(plain.asked).toBe(2);
  });

  it('beside a menu that is open in its window, unlike in it, or where it is closed', async () => {
    const menu = thing(NATIVE.POPUP_MENU, { item: thing(35) });
    const closed = { ...menu, states: bits(STATE.VISIBLE) };
    const windows = (popup: Thing): Thing['children'] => ({
      main: thing(FRAME, {
        root: thing(NATIVE.ROOT_PANE, {
          layers: thing(NATIVE.LAYERED_PANE, {
            over: thing(NATIVE.PANEL, { popup }),
            content: thing(NATIVE.PANEL, button),
          }),
        }),
      }),
    });
    expect(await differsByPlace(application(windows(menu)), { notBesideMenu: true }, 'button')).toBe(true);
    expect(await differsByPlace(application(windows(menu)), { notBesideMenu: true }, 'item')).toBe(false);
    expect(await differsByPlace(application(windows(closed)), { notBesideMenu: true }, 'button')).toBe(false);
  });
});

describe('an item of an open Swing menu', () => {
  const menu = (item: Thing): Thing['children'] => ({ file: thing(33, { item }) });
  const inBar = (item: Thing) =>
    application({ main: thing(FRAME, { bar: thing(NATIVE.MENU_BAR, menu(item)) }) });
  const inContext = (item: Thing) =>
    application({
      main: thing(FRAME, { over: thing(NATIVE.PANEL, { popup: thing(NATIVE.POPUP_MENU, { item }) }) }),
    });
  const shown = thing(NATIVE.MENU_ITEM);
  const hidden = { ...shown, states: bits(STATE.VISIBLE, STATE.SENSITIVE) };

  it('is closed by its bar, and needs nothing where its menu is closed', async () => {
    expect(await barToClear(inBar(shown), 'item')).toBe('bar');
    expect(await barToClear(inBar(hidden), 'item')).toBeUndefined();
    expect(await barToClear(inBar(shown), 'bar')).toBeUndefined();
    expect(await differsByPlace(inBar(shown), { notInFreeMenu: true }, 'item')).toBe(false);
  });

  it('is left to the pointer in a menu without a bar', async () => {
    expect(await barToClear(inContext(shown), 'item')).toBeUndefined();
    expect(await differsByPlace(inContext(shown), { notInFreeMenu: true }, 'item')).toBe(true);
    expect(await differsByPlace(inContext(hidden), { notInFreeMenu: true }, 'item')).toBe(false);
  });
});

describe('a click on a tab', () => {
  const FOCUSABLE = [STATE.FOCUSABLE];
  const table = { table: thing(NATIVE.TABLE, {}, FOCUSABLE) };
  const selects = (page: Thing['children']): Promise<boolean> =>
    selectsInPage(application({ main: thing(FRAME, { tab: thing(37, page) }) }), 'tab');

  it('selects a row where a table takes the focus first, also in a pane that takes it', async () => {
    expect(await selects({ pane: thing(NATIVE.SCROLL_PANE, table, FOCUSABLE) })).toBe(true);
    expect(await selects({ label: thing(29), box: thing(NATIVE.PANEL, table) })).toBe(true);
  });

  it('selects none where something else takes it first, or nothing does', async () => {
    expect(await selects({ field: thing(61, {}, FOCUSABLE), ...table })).toBe(false);
    expect(await selects({ label: thing(29) })).toBe(false);
    const hidden = { ...thing(NATIVE.PANEL, table), states: bits(STATE.SENSITIVE) };
    expect(await selects({ hidden })).toBe(false);
  });
});

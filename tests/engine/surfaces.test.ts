import { describe, expect, it } from 'vitest';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import {
  app,
  button,
  DEADLINE,
  failureOf,
  flatten,
  oneWindow,
  snapshot,
  stage,
  windowWith,
} from './support/stage.ts';

const item = (id: string, y: number, more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id,
  role: 'menuitem',
  name: id,
  bounds: { x: 10, y, width: 100, height: 20 },
  ...more,
});
const menu = (id: string, children: SimulatedNode[], name = ''): SimulatedNode => ({
  id,
  role: 'menu',
  name,
  bounds: { x: 10, y: 40, width: 100, height: 20 * children.length },
  children,
});
const bar = (children: SimulatedNode[]): SimulatedNode => ({
  id: 'bar',
  role: 'menubar',
  name: '',
  bounds: { x: 0, y: 0, width: 800, height: 20 },
  children,
});

describe('open surfaces', () => {
  it('are menus with items that show, the outer before the inner; a closed one is none', async () => {
    const recent = item('Recent', 60, { children: [menu('sub', [item('One', 60), item('Two', 80)])] });
    const file = menu('file', [item('Open', 40), recent], 'File');
    const edit = menu('edit', [item('Copy', 40, { states: ['hidden'] })], 'Edit');
    const on = await stage(oneWindow([bar([file, edit]), button('ok', 'OK')]));
    const { surfaces, incompleteReasons } = await on.engine.surfaces(DEADLINE);
    expect(incompleteReasons).toEqual([]);
    expect(surfaces).toMatchObject([
      { kind: 'menu', title: 'File', app: 'Editor', pid: 100, window: '@w1', modal: false, items: 4 },
      { kind: 'menu', title: 'Recent', inside: surfaces[0]?.ref, items: 2 },
    ]);
    const { tree } = await snapshot(on.engine, { surface: 'menu', app: 'Editor' });
    expect(flatten(tree).map(({ name }) => name)).toEqual([
      'File',
      'Open',
      'Recent',
      undefined,
      'One',
      'Two',
    ]);
    expect(tree.ref).toBe(surfaces[0]?.ref);
  });

  it('are dialogs with the window they belong to, and dialogs inside a window', async () => {
    const sheet: SimulatedNode = {
      id: 'sheet',
      role: 'dialog',
      name: 'Log in',
      states: ['modal'],
      bounds: { x: 100, y: 100, width: 300, height: 200 },
      children: [button('go', 'Go')],
    };
    const filling: SimulatedNode = {
      ...sheet,
      id: 'chooser',
      name: 'Chooser',
      states: [],
      children: [button('yes', 'Yes')],
    };
    const place = { x: 100, y: 100, width: 300, height: 200 };
    const ask: SimulatedNode = {
      id: 'ask-root',
      role: 'dialog',
      name: 'Save?',
      bounds: place,
      children: [filling],
    };
    const on = await stage([
      app({
        windows: [
          windowWith([button('ok', 'OK')]),
          windowWith([], {
            root: ask,
            bounds: place,
            id: 'ask',
            title: 'Save?',
            modal: true,
            transientFor: 'win',
          }),
        ],
      }),
      app({
        id: 'web',
        name: 'Web',
        pid: 200,
        windows: [windowWith([sheet], { id: 'page', title: 'Page' })],
      }),
    ]);
    const { surfaces } = await on.engine.surfaces(DEADLINE);
    const windows = await on.engine.listWindows({
      ...DEADLINE,
      focusedOnly: false,
      includeMinimized: true,
    });
    const refOfWindow = (title: string) => windows.find((window) => window.title === title)?.ref;
    expect(surfaces).toMatchObject([
      {
        kind: 'dialog',
        title: 'Save?',
        ref: refOfWindow('Save?'),
        window: refOfWindow('Document'),
        modal: true,
      },
      { kind: 'sheet', title: 'Log in', app: 'Web', window: refOfWindow('Page'), modal: true, items: 1 },
    ]);
    expect((await on.engine.surfaces({ ...DEADLINE, app: 'Web' })).surfaces).toHaveLength(1);
    const dialog = await snapshot(on.engine, { surface: 'dialog' });
    expect(dialog.window?.title).toBe('Save?');
    const missing = await failureOf(snapshot(on.engine, { surface: 'tooltip' }));
    expect(missing.code).toBe('ELEMENT_NOT_FOUND');
    expect(missing.candidates.map(({ name }) => name)).toEqual(['Save?', 'Log in']);
  });

  it('are the lists of combo boxes once they have dropped down', async () => {
    const box = (states: ('expanded' | 'collapsed')[], list: SimulatedNode[]): SimulatedNode => ({
      id: 'box',
      role: 'combobox',
      name: 'Colour',
      states,
      bounds: { x: 10, y: 100, width: 100, height: 20 },
      children: list,
    });
    const red: SimulatedNode = {
      id: 'red',
      role: 'option',
      name: 'Red',
      bounds: { x: 10, y: 120, width: 100, height: 20 },
    };
    const list: SimulatedNode = {
      id: 'l',
      role: 'listbox',
      name: '',
      bounds: { x: 10, y: 120, width: 100, height: 20 },
      children: [red],
    };
    const open = await stage(oneWindow([box(['expanded'], [list])]));
    const { surfaces } = await open.engine.surfaces(DEADLINE);
    expect(surfaces).toMatchObject([{ kind: 'list', title: 'Colour', items: 1 }]);
    const { tree } = await snapshot(open.engine, { surface: 'list' });
    expect(flatten(tree).map(({ role }) => role)).toEqual(['listbox', 'option']);
    // GTK 4 and Qt 5 do not tell that it is expanded.
    const untold = await stage(oneWindow([box([], [list])]));
    expect((await untold.engine.surfaces(DEADLINE)).surfaces).toMatchObject([
      { kind: 'list', title: 'Colour', items: 1 },
    ]);
    const inside = { ...red, bounds: { x: 12, y: 102, width: 90, height: 16 } };
    for (const shut of [box([], [{ ...list, children: [inside] }]), box(['collapsed'], [list])])
      expect((await (await stage(oneWindow([shut]))).engine.surfaces(DEADLINE)).surfaces).toEqual([]);
    const closed = await stage(oneWindow([box(['collapsed'], [])]));
    expect((await closed.engine.surfaces(DEADLINE)).surfaces).toEqual([]);
  });

  it('are popups of the display: by what is drawn in them, or without a reference', async () => {
    const place = { x: 300, y: 300, width: 120, height: 90 };
    const content: SimulatedNode = {
      id: 'pop',
      role: 'group',
      name: 'Zoom',
      bounds: { x: 304, y: 304, width: 112, height: 82 },
      children: [button('in', 'In'), button('out', 'Out')],
    };
    const described = await stage([app({ windows: [windowWith([content], { popup: place })] })]);
    expect((await described.engine.surfaces(DEADLINE)).surfaces).toMatchObject([
      { kind: 'popover', title: 'Zoom', window: '@w1', items: 2 },
    ]);
    const hidden = await stage([app({ windows: [windowWith([button('ok', 'OK')], { popup: place })] })]);
    const { surfaces } = await hidden.engine.surfaces(DEADLINE);
    expect(surfaces).toMatchObject([{ kind: 'popover', title: '', bounds: place }]);
    expect(surfaces[0]).not.toHaveProperty('ref');
    expect(surfaces[0]?.reason).toContain('does not describe it');
    const unread = await failureOf(snapshot(hidden.engine, { surface: 'popover' }));
    expect(unread.message).toContain('its application does not describe it');
  });

  it('are popovers that GTK 3 draws in their window, and nothing that lies beside the rest', async () => {
    const panel = (id: string, y: number, height: number): SimulatedNode => ({
      id,
      role: 'generic',
      name: '',
      bounds: { x: 0, y, width: 300, height },
      children: [button(`${id}-b`, `In ${id}`)],
    });
    const on = await stage(
      oneWindow([panel('content', 0, 500), panel('status', 500, 50), panel('over', 100, 200)]),
    );
    const { surfaces } = await on.engine.surfaces(DEADLINE);
    expect(surfaces).toMatchObject([{ kind: 'popover', title: '', items: 1, bounds: { y: 100 } }]);
    const { tree } = await snapshot(on.engine, { surface: 'popover' });
    expect(flatten(tree).map(({ name }) => name)).toContain('In over');
  });

  it('of one kind in two places are a choice', async () => {
    const on = await stage([
      app({ windows: [windowWith([menu('a', [item('One', 40)], 'Left')])] }),
      app({
        id: 'other',
        name: 'Other',
        pid: 200,
        windows: [windowWith([menu('b', [item('Two', 40)], 'Right')], { id: 'w2', title: 'Second' })],
      }),
    ]);
    const error = await failureOf(snapshot(on.engine, { surface: 'menu' }));
    expect(error.code).toBe('AMBIGUOUS_TARGET');
    expect(error.candidates.map(({ name }) => name)).toEqual(['Left', 'Right']);
    expect((await snapshot(on.engine, { surface: 'menu', app: 'Other' })).tree.name).toBe('Right');
  });

  it('are told of the windows that answer, and those that do not are named', async () => {
    const on = await stage([
      app({ windows: [windowWith([menu('a', [item('One', 40)], 'Left')])] }),
      app({ id: 'hung', name: 'Hung', pid: 200, windows: [windowWith([], { id: 'w2', title: 'Hung' })] }),
    ]);
    on.world.freeze('hung', 60_000);
    const { surfaces, incompleteReasons } = await on.engine.surfaces({ deadlineMs: 1000 });
    expect(surfaces).toMatchObject([{ title: 'Left' }]);
    expect(incompleteReasons).toHaveLength(1);
  });
});

describe('waiting for a menu', () => {
  it('ends when one opens, with the innermost', async () => {
    const on = await stage(
      oneWindow([bar([menu('file', [item('Open', 40, { states: ['hidden'] })], 'File')])]),
    );
    const short = await failureOf(on.engine.waitForMenu({ deadlineMs: 500 }));
    expect(short.message).toContain('No menu was opened within 500 ms. Last seen: nothing is open');
    on.world.clock.after(600, () => on.world.change('app', 'Open', { states: [] }));
    expect(await on.engine.waitForMenu({ ...DEADLINE, app: 'Editor' })).toMatchObject({ title: 'File' });
    expect(on.world.clock.now()).toBeGreaterThanOrEqual(1000);
    expect(on.world.clock.now()).toBeLessThan(1500);
  });

  it('of an application that has not started waits for it, too', async () => {
    const on = await stage(oneWindow([]));
    const error = await failureOf(on.engine.waitForMenu({ deadlineMs: 500, app: 'Nobody' }));
    expect(error.code).toBe('TIMEOUT');
    expect(error.message).toContain('Nobody');
  });
});

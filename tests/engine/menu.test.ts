import { describe, expect, it } from 'vitest';
import { bare } from '../../src/engine/acting/menus/menu-search.ts';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { handleKey } from '../../src/model/tree/node.ts';
import type { TreeRequest } from '../../src/ports/desktop/elements.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage } from './support/stage.ts';
import { spelled } from '../spelled.ts';

type Run = (world: SimulatedWorld) => void;

let next = 0;
function item(name: string, more: Partial<SimulatedNode> = {}): SimulatedNode {
  return { id: `item ${next++}`, role: 'menuitem', name, actions: ['click'], states: ['hidden'], ...more };
}

function bar(...children: SimulatedNode[]): SimulatedNode {
  return { id: `bar ${next++}`, role: 'menubar', bounds: { x: 0, y: 0, width: 9, height: 9 }, children };
}

const menu = (name: string, ...children: SimulatedNode[]): SimulatedNode =>
  item(name, { role: 'menu', children });

const PRESSED: Run = (world) => world.change('app', 'status', { name: 'Done' });
const STATUS: SimulatedNode = { id: 'status', role: 'text', name: 'Ready' };
const never: Run = () => {
  throw new Error('something was sent');
};

async function run(path: string, ...nodes: SimulatedNode[]): Promise<Receipt> {
  return runIn({}, path, ...nodes);
}

async function runIn(
  app: Parameters<typeof oneWindow>[1],
  path: string,
  ...nodes: SimulatedNode[]
): Promise<Receipt> {
  const on = await stage(oneWindow([...nodes, STATUS], app));
  return on.engine.menu({ ...DEADLINE, path: path.split(' > ') });
}

const ITEMS = ['Save', 'Recent', 'Made when opened'];

describe('a path', () => {
  it.each([
    ['File > Save As', 'menus that are items, as in GTK 3'],
    ['file > _save as...', 'another way of writing'],
  ])('%s finds its item: %s', async (path) => {
    const file = menu(
      '_File',
      item('Save _As…\tCtrl+Shift+S', { onPress: PRESSED }),
      item('Quit', { onPress: never }),
    );
    expect(await run(path, bar(file))).toMatchObject({ delivered: true, target: { role: 'menuitem' } });
  });

  it('passes through popups below items, as in Qt, and through submenus', async () => {
    const frame = (...children: SimulatedNode[]): SimulatedNode => ({
      id: `frame ${next++}`,
      role: 'menu',
      name: '',
      children,
    });
    const more = item('More', { children: [frame(item('Deep', { onPress: PRESSED }))] });
    expect(await run('File > More > Deep', bar(item('File', { children: [frame(more)] })))).toMatchObject({
      delivered: true,
      target: { name: 'Deep' },
    });
  });

  it.each([
    ['File/Save As', 'slashes'],
    ['File>Save As', 'no spaces'],
    ['File / Save As', 'spaces around a slash'],
    ['File > Recent/a.txt', 'both separators'],
    ['File/Undo / Redo', 'a name with a slash'],
    ['File > Undo / Redo', 'a name with a slash, exactly'],
    ['File/A > B', 'a name with the usual separator'],
    ['File > A > B', 'the same, exactly'],
  ])('%s is read: %s', async (path) => {
    const file = menu(
      'File',
      item('Save As…', { onPress: PRESSED }),
      item('Undo / Redo', { onPress: PRESSED }),
      item('A > B', { onPress: PRESSED }),
      menu('Recent', item('a.txt', { onPress: PRESSED })),
      item('Quit', { onPress: never }),
    );
    expect(await run(path, bar(file))).toMatchObject({ delivered: true, target: { role: 'menuitem' } });
  });

  it('that can be read in two ways is refused with both, unless " > " decides', async () => {
    const edit = menu(
      'Edit',
      item('Cut/Copy', { onPress: PRESSED }),
      menu('Cut', item('Copy', { onPress: PRESSED })),
    );
    const failure = await failureOf(run('Edit/Cut/Copy', bar(edit)));
    expect(failure).toMatchObject({ code: 'AMBIGUOUS_TARGET', delivered: false });
    expect(failure.candidates.map(({ name }) => name)).toEqual(['Cut/Copy', 'Cut']);
    expect((await run('Edit > Cut/Copy', bar(edit))).target.name).toBe('Cut/Copy');
    expect((await run('Edit > Cut > Copy', bar(edit))).target.name).toBe('Copy');
  });

  it.each([
    ['Edit > A \\> B', 'A > B'],
    ['Edit > A > B', 'B'],
    ['Edit/Cut\\/Copy', 'Cut/Copy'],
    ['Edit/A \\> B', 'A > B'],
    ['Edit > a\\\\b', 'a\\b'],
    ['Edit > c\\>d', 'c\\>d'],
  ])('%s has a separator in a name only after a backslash', async (path, name) => {
    const edit = menu(
      'Edit',
      item('A > B', { onPress: PRESSED }),
      menu('A', item('B', { onPress: PRESSED })),
      item('Cut/Copy', { onPress: PRESSED }),
      menu('Cut', item('Copy', { onPress: never })),
      item('a\\b', { onPress: PRESSED }),
      item('c\\>d', { onPress: PRESSED }),
    );
    expect((await run(path, bar(edit))).target.name).toBe(name);
  });

  it('has candidates and receipts with names as snapshots show them', async () => {
    const search = menu('Search', item('Find      ', { onPress: PRESSED }));
    const failure = await failureOf(run('Search > Nothing', bar(search)));
    expect(failure.candidates.map(({ name }) => name)).toEqual(['Find']);
    const receipt = await run('Search > Find', bar(search));
    expect(receipt.target.name).toBe('Find');
    expect(JSON.stringify(receipt)).not.toContain('Find ');
  });

  it('does not take an item for a menu because of a slash in the path', async () => {
    const file = menu('File', item('Save', { onPress: never }));
    expect(await failureOf(run('File/Save/Now', bar(file)))).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });

  it('prefers the exact name, and refuses two equal ones', async () => {
    const file = menu('File', item('save', { onPress: never }), item('Save', { onPress: PRESSED }));
    expect((await run('File > Save', bar(file))).target.name).toBe('Save');
    const twins = menu('File', item('Save', { onPress: never }), item('Save', { onPress: never }));
    expect(await failureOf(run('File > Save', bar(twins)))).toMatchObject({
      code: 'AMBIGUOUS_TARGET',
      delivered: false,
    });
  });

  it('prefers a visible bar to a second one with the same menus', async () => {
    const ghost = bar(menu('File', item('Save', { onPress: never })));
    delete ghost.bounds;
    expect(
      await run('File > Save', ghost, bar(menu('File', item('Save', { onPress: PRESSED })))),
    ).toMatchObject({
      delivered: true,
    });
  });

  it.each([
    ['Edit > Copy', 'ELEMENT_NOT_FOUND', ['File']],
    ['File > Export', 'ELEMENT_NOT_FOUND', ITEMS],
    ['File > Save > Now', 'ELEMENT_NOT_FOUND', []],
    ['File', 'INVALID_ARGUMENT', ITEMS],
    ['File > Recent', 'INVALID_ARGUMENT', ['One']],
    ['File > Made when opened', 'INVALID_ARGUMENT', []],
  ] as const)('%s is %s', async (path, code, candidates) => {
    const file = menu(
      'File',
      item('Save', { onPress: never }),
      menu('Recent', item('One', { onPress: never })),
      item('Made when opened', { children: [menu('')] }),
    );
    const error = await failureOf(run(path, bar(file)));
    expect(error).toMatchObject({ code, delivered: false });
    expect(error.candidates.map(({ name }) => name)).toEqual(candidates);
  });

  it('refuses a disabled item, and says how its menu is updated', async () => {
    const error = await failureOf(
      run('File > Save', bar(menu('File', item('Save', { states: ['disabled'], onPress: never })))),
    );
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    expect(spelled(error.suggestion)).toMatch(/desk expand @e\d+/);
  });

  describe('to an item that is disabled while its menu is closed', () => {
    const office = { menusAwaitOpening: true };
    const file = (opensTo: SimulatedNode['states'], onPress: Run): SimulatedNode =>
      bar({
        ...menu(
          'File',
          item('Save', {
            id: 'save',
            states: ['disabled', 'hidden'],
            bounds: { x: 0, y: 20, width: 80, height: 20 },
            onPress,
          }),
        ),
        onAct: { expand: (world) => world.change('app', 'save', { states: opensTo }) },
      });

    it('runs it if it is enabled once its menu opens, as in LibreOffice', async () => {
      expect(await runIn(office, 'File > Save', file([], PRESSED))).toMatchObject({
        delivered: true,
        target: { name: 'Save' },
      });
    });

    it('refuses it if it is still disabled then', async () => {
      const error = await failureOf(runIn(office, 'File > Save', file(['disabled'], never)));
      expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
      expect(error.message).toBe('The menu item "Save" is disabled, also while its menu is open.');
    });

    it('opens nothing in applications that tell at all times what is enabled', async () => {
      const error = await failureOf(run('File > Save', file([], never)));
      expect(error.message).toBe('The menu item "Save" is disabled.');
    });
  });
});

it('an item that hides the bar it is in is confirmed by the menus that vanish', async () => {
  const hide: Run = (world) => world.remove('app', 'bar');
  const [view, help] = [menu('View', item('Menu bar', { onPress: hide })), menu('Help')];
  for (const shown of [view, help]) shown.states = [];
  const receipt = await run('View > Menu bar', { ...bar(view, help), id: 'bar' });
  expect(receipt.effect).toBe('confirmed');
  expect(receipt.changes).toContainEqual({ kind: 'disappeared', role: 'menuitem', name: 'Help' });
});

describe('a menu without items until it opens', () => {
  const opens: Run = (world) => world.insert('app', 'file', item('Save', { id: 'save', onPress: PRESSED }));

  it('is opened', async () => {
    const file = menu('File');
    expect(await run('File > Save', bar({ ...file, id: 'file', onAct: { expand: opens } }))).toMatchObject({
      delivered: true,
      target: { name: 'Save' },
    });
  });

  it('is closed again if it does not contain the item', async () => {
    let closed = 0;
    const collapse: Run = () => void closed++;
    const file = { ...menu('File'), id: 'file', onAct: { expand: opens, collapse } };
    const on = await stage(oneWindow([bar(file)]));
    const error = await failureOf(on.engine.menu({ ...DEADLINE, path: ['File', 'Export'] }));
    expect(error).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
    await on.world.clock.sleep(1);
    expect(closed).toBe(1);
  });

  it('is refused if its toolkit cannot open it, and abandoned if it stays empty', async () => {
    expect(await failureOf(run('File > Save', bar(menu('File'))))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
    });
    const empty = { ...menu('File'), onAct: { expand: () => undefined } };
    expect(await failureOf(run('File > Save', bar(empty)))).toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
  });

  it('may be behind a button that contains its menu button, as in GTK 4', async () => {
    const opener: SimulatedNode = {
      id: 'opener',
      role: 'button',
      name: 'Main menu',
      onAct: { expand: opens },
    };
    expect(await run('Main Menu > Save', { id: 'file', role: 'button', children: [opener] })).toMatchObject({
      target: { name: 'Save' },
    });
  });
});

describe('its effect', () => {
  const wrap = (onPress: Run, states: SimulatedNode['states'] = []): SimulatedNode =>
    bar(menu('View', item('Wrap', { id: 'wrap', states, onPress })));

  it('is a state of the item, even if it does not have the role of a check item', async () => {
    const receipt = await run(
      'View > Wrap',
      wrap((world) => world.change('app', 'wrap', { states: ['checked'] })),
    );
    expect(receipt).toMatchObject({ effect: 'confirmed' });
    const silently: Run = (world) => {
      world.node('app', 'wrap').states = ['checked'];
    };
    expect(await run('View > Wrap', wrap(silently))).toMatchObject({ effect: 'unverified' });
  });

  it.each(['the menu', 'the item in the open menu'])(
    'is a state of the item, if %s is worked',
    async (way) => {
      const ticks: Run = (world) => world.change('app', 'wrap', { states: ['checked', 'hidden'] });
      const open = item('View', {
        role: 'menu',
        states: [],
        children: [item('Wrap', { id: 'wrap', states: [], onPress: ticks })],
      });
      const on = await stage(oneWindow([bar(open)]));
      const receipt = await (way === 'the menu'
        ? on.engine.menu({ ...DEADLINE, path: ['View', 'Wrap'] })
        : on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Wrap') }));
      expect(receipt.effect).toBe('confirmed');
      expect(receipt.evidence[0]).toBe('fresh read: checked now');
    },
  );

  it('is unknown if a closed menu still shows the old state of a check item', async () => {
    const check = (states: SimulatedNode['states']): SimulatedNode =>
      bar(menu('View', item('Wrap', { role: 'menuitemcheckbox', states, onPress: () => undefined })));
    expect(await run('View > Wrap', check(['checked', 'hidden']))).toMatchObject({ effect: 'unverified' });
    const error = await failureOf(run('View > Wrap', check(['checked'])));
    expect(error.result).toMatchObject({ effect: 'no_op' });
  });

  it('is that of the item as it is once its menu is open: the tick of a closed one may be old', async () => {
    const toggles: Run = (world) => {
      const { states = [] } = world.node('app', 'wrap');
      world.change('app', 'wrap', {
        states: states.includes('checked') ? ['hidden'] : ['checked', 'hidden'],
      });
    };
    const opensTo =
      (states: SimulatedNode['states']): Run =>
      (world) =>
        world.change('app', 'wrap', { states });
    const view = (expand: Run): SimulatedNode =>
      bar({
        ...menu(
          'View',
          item('Wrap', {
            id: 'wrap',
            states: ['checked', 'hidden'],
            bounds: { x: 0, y: 20, width: 80, height: 20 },
            onPress: toggles,
          }),
        ),
        onAct: { expand },
      });
    const pressed = async (expand: Run): Promise<string | undefined> =>
      (await run('View > Wrap', view(expand))).evidence[0];
    expect(await pressed(opensTo([]))).toBe('fresh read: checked now');
    expect(await pressed(opensTo(['checked']))).toBe('fresh read: not checked now');
    const reuses: Run = (world) => world.change('app', 'wrap', { name: 'notes.txt', states: [] });
    await expect(pressed(reuses)).rejects.toMatchObject({ code: 'STALE_REF', delivered: false });
  });

  it('is not the closing of the menu', async () => {
    const closes: Run = (world) => world.remove('app', 'wrap');
    expect(await run('View > Wrap', wrap(closes))).toMatchObject({ effect: 'unverified' });
  });

  it('is any other change', async () => {
    const shows: Run = (world) => world.insert('app', 'status', { id: 'pane', role: 'button', name: 'Pane' });
    expect(await run('View > Wrap', wrap(shows))).toMatchObject({ effect: 'confirmed' });
  });
});

describe('the window', () => {
  const hiddenBar = (...children: SimulatedNode[]): SimulatedNode => ({
    ...bar(...children),
    states: ['hidden'],
  });

  it.each([
    ['is not read where it is off screen', bar],
    ['is read as a whole for a menu bar that is not on screen', hiddenBar],
  ])('%s', async (_what, holder) => {
    const file = menu('File', item('Quit', { onPress: PRESSED }));
    const on = await stage(oneWindow([holder(file), { ...STATUS, name: 'Ready' }]));
    const [window] = await on.desktop.listWindows(DEADLINE);
    const whole: boolean[] = [];
    const read = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = async (request: TreeRequest) => {
      if (request.wholeTree) whole.push(handleKey(request.root) === (window?.root && handleKey(window.root)));
      return read(request);
    };
    expect((await on.engine.menu({ ...DEADLINE, path: ['File', 'Quit'] })).effect).toBe('confirmed');
    expect(whole).toEqual([holder === hiddenBar]);
  });
});

it.each([
  ['Save _As…', 'Save As'],
  ['Save &As...', 'Save As'],
  ['R&&D', 'R&D'],
  ['保存(_S)', '保存'],
  ['Open\tCtrl+O', 'Open'],
  ['  a   b ', 'a b'],
])('%j is compared as %j', (written, compared) => {
  expect(bare(written)).toBe(compared);
});

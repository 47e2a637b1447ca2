import { describe, expect, it } from 'vitest';
import { modalDialogOver } from '../../src/engine/acting/modal.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import { unresponsive } from '../simulated/simulated-failures.ts';
import type { SimulatedNode, SimulatedWindow } from '../simulated/simulated-world.ts';
import type { DesktopWindow } from '../../src/ports/desktop/windows.ts';
import {
  app,
  button,
  DEADLINE,
  failureOf,
  refOf,
  snapshot,
  stage,
  windowWith,
  type Stage,
} from './support/stage.ts';
import { spelled } from '../spelled.ts';

type Sketch = Partial<Pick<DesktopWindow, 'modal' | 'transientFor' | 'pid' | 'minimized' | 'stacking'>>;

/** The id of the dialog that blocks a window; windows are given from bottom to top. */
function blocker(of: string, sketches: Readonly<Record<string, Sketch>>): string | undefined {
  const windows = Object.entries(sketches).map(([id, sketch], stacking): DesktopWindow => ({
    id,
    title: id,
    appId: 'app',
    appName: 'Editor',
    pid: 100,
    focused: false,
    minimized: false,
    accessible: true,
    stacking,
    ...sketch,
  }));
  const window = windows.find(({ id }) => id === of);
  if (!window) throw new Error(`no window ${of}`);
  return modalDialogOver(window, windows)?.id;
}

const DIALOG: Sketch = { modal: true, transientFor: 'main' };

describe('a modal dialog', () => {
  it('blocks its parent window and that window’s transients, not itself and windows opened from it', () => {
    const windows = {
      main: {},
      palette: { transientFor: 'main' },
      dialog: DIALOG,
      help: { transientFor: 'dialog' },
    };
    expect(blocker('main', windows)).toBe('dialog');
    expect(blocker('palette', windows)).toBe('dialog');
    expect(blocker('dialog', windows)).toBeUndefined();
    expect(blocker('help', windows)).toBeUndefined();
  });

  it('does not block other main windows of its application, nor those of others', () => {
    const windows = { main: {}, second: {}, foreign: { pid: 7, transientFor: 'main' }, dialog: DIALOG };
    expect(blocker('second', windows)).toBeUndefined();
    expect(blocker('foreign', windows)).toBeUndefined();
  });

  it.each([[{ modal: true }], [{ modal: true, transientFor: 'a leader that is never shown' }]])(
    'without a parent blocks its whole application: %o',
    (dialog) => {
      const windows = { main: {}, second: {}, foreign: { pid: 7 }, dialog };
      expect(blocker('main', windows)).toBe('dialog');
      expect(blocker('second', windows)).toBe('dialog');
      expect(blocker('foreign', windows)).toBeUndefined();
    },
  );

  it('of a service blocks neither the service nor the application it is for', () => {
    const windows = {
      main: {},
      'other choice': { pid: 7, transientFor: 'second' },
      second: { pid: 8 },
      choice: { ...DIALOG, pid: 7 },
    };
    expect(blocker('main', windows)).toBeUndefined();
    expect(blocker('other choice', windows)).toBeUndefined();
  });

  it('opened from another must be answered first, even if both have the same parent', () => {
    const nested = { main: {}, dialog: DIALOG, confirm: { modal: true, transientFor: 'dialog' } };
    expect(blocker('main', nested)).toBe('confirm');
    expect(blocker('dialog', nested)).toBe('confirm');
    expect(blocker('confirm', nested)).toBeUndefined();
    const beside = { main: {}, dialog: DIALOG, confirm: DIALOG };
    expect(blocker('dialog', beside)).toBe('confirm');
    expect(blocker('confirm', beside)).toBeUndefined();
  });

  it('that is minimized counts only if its window is, too', () => {
    const dialog = { ...DIALOG, minimized: true };
    expect(blocker('main', { main: {}, dialog })).toBeUndefined();
    expect(blocker('main', { main: { minimized: true }, dialog })).toBe('dialog');
  });

  it('is ignored without the state, for hidden windows, and in a cycle of windows', () => {
    expect(blocker('main', { main: {}, tool: { transientFor: 'main' } })).toBeUndefined();
    expect(blocker('main', { main: { stacking: undefined }, dialog: { modal: true } })).toBeUndefined();
    const ring = {
      a: { transientFor: 'b' },
      b: { transientFor: 'a' },
      dialog: { modal: true, transientFor: 'dialog' },
    };
    expect(blocker('a', ring)).toBe('dialog');
  });
});

const SAVE = parseKeyCombination('ctrl+s');

/** A window with a button, and a dialog with another, which closes it; the first adds to `pressed`. */
async function withDialog(
  more: Partial<SimulatedNode> = {},
): Promise<Stage & { readonly pressed: string[] }> {
  const pressed: string[] = [];
  const main = windowWith([
    button('go', 'Go', { onPress: () => pressed.push('go'), ...more }),
    { id: 'name', role: 'textbox', name: 'Name', value: '', accepts: 'text' },
  ]);
  const on = await stage([app({ windows: [main] })]);
  return { ...on, pressed };
}

function open({ world }: Stage, more: Partial<SimulatedWindow> = {}): void {
  const place = { x: 500, y: 400, width: 200, height: 100 };
  const ok = button('ok', 'OK', { bounds: { ...place, height: 30 }, onPress: () => closeDialog(world) });
  const dialog = windowWith([ok], {
    id: 'dialog',
    title: 'Confirm',
    modal: true,
    transientFor: 'win',
    bounds: place,
    focused: true,
    ...more,
  });
  world.apps[0]?.windows.push(dialog);
}

function closeDialog(world: Stage['world']): void {
  const { windows } = world.apps[0] ?? { windows: [] };
  windows.splice(1, 1);
  world.emit('app', 'dialog-root', 'window-closed', '');
}

describe('an act behind a modal dialog', () => {
  it('is refused in every mode and names the dialog and the next command', async () => {
    const on = await withDialog();
    const { engine } = on;
    const [ref, name] = [await refOf(engine, 'Go'), await refOf(engine, 'Name')];
    open(on);
    const short = { deadlineMs: 1000, ref };
    const acts = [
      () => engine.click(short),
      () => engine.click({ ...short, mode: 'background' }),
      () => engine.click({ ...short, mode: 'pointer' }),
      () => engine.click({ ...short, mode: 'focus' }),
      () => engine.gesture({ ...short, gesture: 'hover' }),
      () => engine.act({ ...short, act: 'focus' }),
      () => engine.setValue({ deadlineMs: 1000, ref: name, value: 'x' }),
      () => engine.press({ ...short, keys: SAVE }),
      () => engine.press({ deadlineMs: 1000, keys: SAVE, window: 'Document' }),
      () => engine.drag({ ...short, from: { ref }, to: { point: { x: 1, y: 1 } }, durationMs: 10 }),
      () => engine.scroll({ ...short, direction: 'down', amount: 'page' }),
    ];
    for (const act of acts) {
      const error = await failureOf(act());
      expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false, retryable: true });
      expect(error.message).toBe(
        'The window "Document" was not acted on: the modal dialog "Confirm" blocks it.',
      );
      expect(spelled(error.suggestion)).toContain('desk snapshot --window dialog');
      expect(error.platformDetail).toContain('not-blocked-by-modal');
    }
    expect([on.pressed, on.desktop.input.record]).toEqual([[], []]);
  });

  it('waits for the dialog to close, and acts once', async () => {
    for (const mode of ['background', 'pointer'] as const) {
      const on = await withDialog();
      const ref = await refOf(on.engine, 'Go');
      open(on);
      on.world.clock.after(700, () => closeDialog(on.world));
      await on.engine.click({ ...DEADLINE, ref, mode });
      expect(on.pressed).toEqual(['go']);
    }
  });

  it('waits while a dialog is opening, and is refused once it is known to be modal', async () => {
    const on = await withDialog();
    const ref = await refOf(on.engine, 'Go');
    open(on, { modal: false, isTreeOnly: true, isOpening: true });
    const [, dialog] = on.world.apps[0]?.windows ?? [];
    on.world.clock.after(250, () => {
      if (dialog) Object.assign(dialog, { modal: true, isTreeOnly: false, isOpening: false });
    });
    const error = await failureOf(on.engine.click({ deadlineMs: 2000, ref, mode: 'background' }));
    expect([error.code, on.pressed]).toEqual(['NOT_ACTIONABLE', []]);
    expect(error.message).toContain('the modal dialog "Confirm" blocks it');
  });

  it('waits while a dialog is opening, and acts once it is known not to be modal', async () => {
    const on = await withDialog();
    const ref = await refOf(on.engine, 'Go');
    open(on, { modal: false, isTreeOnly: true, isOpening: true });
    const [, dialog] = on.world.apps[0]?.windows ?? [];
    let isKnown = false;
    on.world.clock.after(250, () => {
      isKnown = true;
      if (dialog) Object.assign(dialog, { isTreeOnly: false, isOpening: false });
    });
    await on.engine.click({ ...DEADLINE, ref, mode: 'background' });
    expect([isKnown, on.pressed]).toEqual([true, ['go']]);
  });

  it('is not sent while it is unknown whether there is a dialog', async () => {
    const on = await withDialog();
    const ref = await refOf(on.engine, 'Name');
    open(on);
    on.desktop.listWindows = () => Promise.reject(unresponsive(false));
    const error = await failureOf(on.engine.setValue({ deadlineMs: 700, ref, value: 'x' }));
    expect(error).toMatchObject({ code: 'APP_UNRESPONSIVE', delivered: false });
    expect(on.world.node('app', 'name').value).toBe('');
  });

  it('is refused even if the dialog opens while the window is read', async () => {
    const on = await withDialog();
    const ref = await refOf(on.engine, 'Go');
    const readTree = on.desktop.readTree.bind(on.desktop);
    on.desktop.readTree = async (request) => {
      const read = await readTree(request);
      on.desktop.readTree = readTree;
      open(on);
      on.world.emit('app', 'dialog-root', 'window-changed', '');
      return read;
    };
    const error = await failureOf(on.engine.click({ deadlineMs: 1000, ref, mode: 'background' }));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    expect(on.pressed).toEqual([]);
  });

  it('is preceded by a look at the dialog, even if the window it blocks stays the active one', async () => {
    const on = await withDialog();
    open(on, { focused: false });
    for (const window of on.world.apps[0]?.windows ?? []) window.focused = window.id === 'win';
    const title = async () => (await snapshot(on.engine, { app: 'Editor' })).window?.title;
    expect(await title()).toBe('Confirm');
    closeDialog(on.world);
    expect(await title()).toBe('Document');
  });

  it('opens no menu there', async () => {
    const item: SimulatedNode = { id: 'save', role: 'menuitem', name: 'Save', actions: ['click'] };
    const file: SimulatedNode = {
      id: 'file',
      role: 'menu',
      name: 'File',
      onAct: { expand: (world) => world.insert('app', 'file', item) },
    };
    const bar: SimulatedNode = { id: 'bar', role: 'menubar', children: [file] };
    const on = await stage([app({ windows: [windowWith([bar])] })]);
    open(on, { focused: false });
    const run = (): Promise<unknown> =>
      on.engine.menu({ deadlineMs: 2000, window: 'Document', path: ['File', 'Save'] });
    expect((await failureOf(run())).platformDetail).toContain('not-blocked-by-modal');
    expect(on.world.node('app', 'file').children).toBeUndefined();
    closeDialog(on.world);
    expect(await run()).toMatchObject({ target: { name: 'Save' } });
  });
});

describe('a menu that cannot be used because of a dialog', () => {
  const bar = (...children: SimulatedNode[]): SimulatedNode => ({ id: 'bar', role: 'menubar', children });
  const fileMenu = (states: SimulatedNode['states']): SimulatedNode => ({
    id: 'file',
    role: 'menu',
    name: 'File',
    children: [{ id: 'save', role: 'menuitem', name: 'Save', actions: ['click'], states }],
  });

  it('is answered with the dialog that is in front, and what it says', async () => {
    const on = await stage([app({ windows: [windowWith([bar(fileMenu([]))])] })]);
    open(on, { title: '' });
    on.world.insert('app', 'dialog-root', { id: 'says', role: 'text', name: 'Save changes?' });
    const error = await failureOf(
      on.engine.menu({ deadlineMs: 2000, app: 'Editor', path: ['File', 'Save'] }),
    );
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
    expect(error.message).toMatch(
      /^The \w+ "", which says "Save changes\?", is in front and has no menus\.$/,
    );
    expect(spelled(error.suggestion)).toContain('desk snapshot --window dialog');
  });

  it.each<[string, readonly string[], SimulatedNode['states']]>([
    ['disabled', ['File', 'Save'], ['disabled']],
    ['missing', ['Edit', 'Undo'], []],
  ])('is answered with the dialog if its item is %s behind it', async (_, path, states) => {
    const on = await stage([app({ windows: [windowWith([bar(fileMenu(states))])] })]);
    open(on);
    const run = (): Promise<unknown> => on.engine.menu({ deadlineMs: 2000, window: 'Document', path });
    expect((await failureOf(run())).message).toContain('the modal dialog "Confirm" blocks it');
    closeDialog(on.world);
    expect((await failureOf(run())).message).not.toContain('dialog');
  });
});

describe('beside a modal dialog', () => {
  it('its own elements, the keyboard, windows and readings work as usual', async () => {
    const on = await withDialog();
    const { engine } = on;
    const go = await refOf(engine, 'Go');
    open(on);
    expect(await engine.describe({ ...DEADLINE, ref: go })).toMatchObject({ node: { name: 'Go' } });
    expect(await engine.press({ ...DEADLINE, keys: SAVE })).toMatchObject({ target: { name: 'Confirm' } });
    expect(
      await engine.controlWindow({ ...DEADLINE, window: 'Document', request: { kind: 'focus' } }),
    ).toMatchObject({ effect: 'confirmed' });
    const { matches } = await engine.find({
      ...DEADLINE,
      window: 'Confirm',
      query: 'OK',
      by: 'exact',
      limit: 1,
      wholeTree: false,
    });
    expect(await engine.click({ ...DEADLINE, ref: matches[0]?.ref ?? '' })).toMatchObject({
      effect: 'confirmed',
      changes: [{ kind: 'window_closed', name: 'Confirm' }],
    });
  });
});

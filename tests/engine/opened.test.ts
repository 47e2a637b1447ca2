import { describe, expect, it } from 'vitest';
import { outlineReceipt } from '../../src/registry/outline-parts.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';

const OPENING: SimulatedNode[] = [
  button('ok', 'OK'),
  { id: 'field', role: 'textbox', name: 'File name', value: 'a.txt', states: ['focused'] },
  button('no', 'Cancel', { states: ['disabled'] }),
];

function opensDialog(children: () => SimulatedNode[], alsoLater?: (world: SimulatedWorld) => void) {
  return button('open', 'Open', {
    onPress: (world) => {
      world.apps[0]?.windows.push(windowWith(children(), { id: 'dialog', title: 'Save as' }));
      alsoLater?.(world);
    },
  });
}

describe('a receipt', () => {
  it('lists what can be used in a window that opened, with references that work', async () => {
    const on = await stage(oneWindow([opensDialog(() => structuredClone(OPENING))]));
    const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Open') });
    const [dialog] = receipt.opened ?? [];
    expect(dialog).toMatchObject({ role: 'window', name: 'Save as', ref: receipt.changes?.[0]?.ref });
    const [ok, field, cancel] = dialog?.children ?? [];
    expect(ok).toMatchObject({ role: 'button', name: 'OK' });
    expect(cancel).toMatchObject({ name: 'Cancel', states: ['disabled'] });
    expect(outlineReceipt(receipt)).toContain(
      `opened window "Save as" ${dialog?.ref}\n    button "OK" ${ok?.ref}\n    textbox "File name" ${field?.ref} value="a.txt" focused\n`,
    );
    const { node } = await on.engine.describe({ ...DEADLINE, ref: String(field?.ref) });
    expect(node).toMatchObject({ role: 'textbox', value: 'a.txt' });
  });

  it('waits for a window that is filled after it was shown', async () => {
    const on = await stage(
      oneWindow([
        opensDialog(
          () => [],
          (world) => {
            world.clock.after(300, () => {
              world.apps[0]?.windows[1]?.root?.children?.push(button('late', 'Late'));
            });
          },
        ),
      ]),
    );
    const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Open') });
    expect(receipt.opened?.[0]?.children).toMatchObject([{ role: 'button', name: 'Late' }]);
  });

  it('counts what does not fit, and gives a reference for it', async () => {
    const many = Array.from({ length: 300 }, (_, at) => button(`b${at}`, `Button number ${at}`));
    const on = await stage(oneWindow([opensDialog(() => many)]));
    const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Open') });
    const [dialog] = receipt.opened ?? [];
    expect(dialog).toMatchObject({ elided_reason: 'budget' });
    expect((dialog?.children?.length ?? 0) + (dialog?.elided ?? 0)).toBe(300);
    expect(outlineReceipt(receipt).length).toBeLessThan(2000);
  });

  it('lists the items of a menu that opened in place of as many changes', async () => {
    const items = ['New', 'Open…', 'Quit'].map((name): SimulatedNode => ({
      id: name,
      role: 'menuitem',
      name,
      actions: ['click'],
    }));
    const opener = button('file', 'File', {
      onPress: (world) =>
        world.insert('app', 'win-root', { id: 'menu', role: 'menu', name: '', children: items }),
    });
    const on = await stage(oneWindow([opener]));
    const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'File') });
    expect(receipt.opened).toMatchObject([
      {
        role: 'menu',
        children: [{ name: 'New', ref: expect.any(String) }, { name: 'Open…' }, { name: 'Quit' }],
      },
    ]);
    expect((receipt.changes ?? []).filter(({ kind }) => kind === 'appeared')).toEqual([]);
  });

  it('lists what can be used in a panel that opened in the window and is filled later', async () => {
    const panel: SimulatedNode = { id: 'panel', role: 'group', name: 'Replacement', children: [] };
    const opener = button('show', 'Show', {
      onPress: (world) => {
        world.insert('app', 'win-root', panel);
        world.clock.after(150, () => {
          world.insert('app', 'panel', { id: 'with', role: 'textbox', name: '' });
          world.insert('app', 'panel', button('all', 'Replace all'));
        });
      },
    });
    const on = await stage(oneWindow([opener]));
    const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Show') });
    expect(receipt.opened).toMatchObject([
      { role: 'group', name: 'Replacement', children: [{ role: 'textbox' }, { name: 'Replace all' }] },
    ]);
    expect((receipt.changes ?? []).filter(({ kind }) => kind === 'appeared')).toEqual([]);
    const field = String(receipt.opened?.[0]?.children?.[0]?.ref);
    expect(await on.engine.describe({ ...DEADLINE, ref: field })).toMatchObject({
      node: { role: 'textbox' },
    });
  });

  it('does not take panels for new that only replaced their like, nor a page for three panels', async () => {
    const bar = (id: string, name = 'Standard'): SimulatedNode => ({
      id,
      role: 'toolbar',
      name,
      children: [button(`${id}-1`, `${name} one`), button(`${id}-2`, `${name} two`)],
    });
    const replaces = button('replace', 'Replace', {
      onPress: (world) => {
        world.remove('app', 'old');
        world.insert('app', 'win-root', bar('new'));
      },
    });
    const exchanges = button('exchange', 'Exchange', {
      onPress: (world) => {
        for (const name of ['A', 'B', 'C', 'D']) world.insert('app', 'win-root', bar(name, name));
      },
    });
    const on = await stage(oneWindow([replaces, exchanges, bar('old')]));
    for (const name of ['Replace', 'Exchange']) {
      const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, name) });
      expect(receipt).not.toHaveProperty('opened');
      expect((receipt.changes ?? []).some(({ kind, ref }) => kind === 'appeared' && ref)).toBe(true);
    }
  });

  it('gives a reference to a paragraph that is edited in place of a cell', async () => {
    const edit = button('edit', 'Edit', {
      onPress: (world) =>
        world.insert('app', 'win-root', {
          id: 'in-cell',
          role: 'paragraph',
          name: '',
          value: 'a',
          states: ['editable', 'focused'],
        }),
    });
    const on = await stage(oneWindow([edit]));
    const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Edit') });
    expect(receipt.changes).toContainEqual(
      expect.objectContaining({ kind: 'appeared', role: 'paragraph', ref: expect.stringMatching(/^@e/) }),
    );
  });

  it('of an act that opened nothing has no list', async () => {
    const on = await stage(oneWindow([button('go', 'Go')]));
    const receipt = await on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Go') });
    expect(receipt).not.toHaveProperty('opened');
  });
});

describe('launching', () => {
  const request = { ...DEADLINE, app: 'calc', args: [], cwd: '/', wait: true };

  it('lists the first window, and a later reading tells what changed since', async () => {
    const on = await stage([]);
    on.world.launchable.set('calc', () =>
      app({ id: 'calc', name: 'Calc', windows: [windowWith([button('7', '7')], { id: 'c' })] }),
    );
    const launched = await on.engine.launch(request);
    expect(launched.opened).toMatchObject([{ role: 'window', children: [{ name: '7' }] }]);
    const since = { since: String(launched.cursor), print: () => '' };
    const shape = { includeBounds: false, includeActions: false, interactiveOnly: false, compact: false };
    on.world.change('calc', '7', { states: ['disabled'] });
    expect(
      await on.engine.changes({ ...DEADLINE, ...shape, ...since, wholeTree: false, form: 'json' }),
    ).toMatchObject({ changes: [{ kind: 'changed', name: '7', after: 'disabled' }] });
  });

  it.each([
    [false, 1000],
    [undefined, 2500],
    [true, 6500],
  ])(
    'a window without a tree is enough, if one may follow (%j) within %d ms',
    async (mayGetTree, limitMs) => {
      const on = await stage([]);
      on.world.launchable.set('calc', () => app({ id: 'calc', windows: [windowWith([], { id: 'c' })] }));
      const { desktop } = on;
      const list = desktop.listWindows.bind(desktop);
      desktop.listWindows = async (options) =>
        (await list(options)).map((window) => ({
          ...window,
          accessible: false,
          root: undefined,
          mayGetTree,
        }));
      const began = on.world.clock.now();
      const launched = await on.engine.launch({ ...request, deadlineMs: 15_000 });
      expect(launched).toMatchObject({ window: { accessible: false }, opened: [] });
      expect(on.world.clock.now() - began).toBeLessThan(limitMs);
    },
  );
});

describe('a disabled element', () => {
  const off = (): SimulatedNode => button('off', 'Off', { states: ['disabled'] });

  it('is given up after half a second without a sign of life, unless the caller chose a deadline', async () => {
    for (const [isImpatient, least, most] of [
      [true, 500, 900],
      [undefined, 4500, 5500],
    ] as const) {
      const on = await stage(oneWindow([off()]));
      const ref = await refOf(on.engine, 'Off');
      const began = on.world.clock.now();
      const error = await failureOf(on.engine.click({ ...DEADLINE, ref, isImpatient }));
      expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
      const tookMs = on.world.clock.now() - began;
      expect(tookMs).toBeGreaterThanOrEqual(least);
      expect(tookMs).toBeLessThanOrEqual(most);
    }
  });

  it('is waited for while its application works', async () => {
    const clock: SimulatedNode = { id: 'clock', role: 'text', name: '0' };
    const on = await stage(oneWindow([off(), clock]));
    for (let at = 1; at <= 8; at++)
      on.world.clock.after(at * 300, () => on.world.change('app', 'clock', { name: String(at) }));
    on.world.clock.after(2500, () => on.world.change('app', 'off', { states: [] }));
    const ref = await refOf(on.engine, 'Off');
    expect(await on.engine.click({ ...DEADLINE, ref, isImpatient: true })).toMatchObject({ delivered: true });
  });
});

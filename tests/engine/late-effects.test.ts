import { describe, expect, it } from 'vitest';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, DEAD, every, pressing, STATUS } from './support/acting.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';

const answer = (world: SimulatedWorld): void => world.change('app', 'status', { name: 'Done' });

describe('an act that showed nothing at first', () => {
  it('is confirmed by the window that closes some time later', async () => {
    const finish = pressing((world) =>
      world.clock.after(600, () => {
        world.apps[0]?.windows.shift();
        world.emit('app', 'win-root', 'window-closed', '');
      }),
    );
    const on = await stage([
      app({ windows: [windowWith([finish], { focused: true }), windowWith([], { id: 'other' })] }),
    ]);
    const receipt = await click(on);
    expect(receipt).toMatchObject({ effect: 'confirmed', changes: [{ kind: 'window_closed' }] });
    expect(receipt.duration_ms).toBeLessThan(900);
  });

  it('is confirmed by a window that the application does not report', async () => {
    const open = pressing((world) =>
      world.clock.after(500, () => {
        world.apps[0]?.windows.push(windowWith([], { id: 'page', title: 'Next page' }));
      }),
    );
    const receipt = await click(await stage(oneWindow([open])));
    expect(receipt.changes).toMatchObject([{ kind: 'window_opened', name: 'Next page' }]);
    expect(receipt.evidence).not.toContain('nothing visible changed');
  });

  it('is confirmed by a text that changes once, and says that it came late', async () => {
    const on = await stage(
      oneWindow([{ ...STATUS }, pressing((world) => world.clock.after(500, () => answer(world)))]),
    );
    const receipt = await click(on);
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.evidence.at(-1)).toContain('only some time after the act');
  });

  it('is confirmed so although its row was selected at once, without a word', async () => {
    const row = button('row', 'Row', {
      role: 'listitem',
      states: ['selectable'],
      onPress: (world) => {
        world.node('app', 'row').states = ['selectable', 'selected'];
        world.clock.after(500, () => answer(world));
      },
    });
    expect((await click(await stage(oneWindow([row, { ...STATUS }])), 'Row')).effect).toBe('confirmed');
  });

  it('is confirmed so although the focus moved at once, as it does to all that is clicked', async () => {
    const go = pressing((world) => {
      world.focus('app', 'go');
      world.clock.after(500, () => answer(world));
    });
    expect((await click(await stage(oneWindow([go, { ...STATUS }])))).effect).toBe('confirmed');
    const dead = await click(await stage(oneWindow([pressing((world) => world.focus('app', 'go'))])));
    expect(dead.evidence.at(-1)).toBe('only the focus moved');
  });

  it('is not confirmed by a clock', async () => {
    const on = await stage(oneWindow([{ ...STATUS }, { ...DEAD }]));
    const ref = await refOf(on.engine, 'Dead');
    every(on.world, 700, 600, (beat) => on.world.change('app', 'status', { name: `${beat} s` }));
    expect((await on.engine.click({ ...DEADLINE, ref })).effect).toBe('unverified');
  });

  it('is watched for at most a second', async () => {
    const receipt = await click(await stage(oneWindow([{ ...DEAD }])), 'Dead');
    expect(receipt.evidence).toContain('nothing visible changed');
    expect(receipt.duration_ms).toBeLessThan(1300);
  });
});

it('a text is waited for while a slow application takes it in, character by character', async () => {
  const field = { id: 'name', role: 'textbox', name: 'Name', value: '', accepts: 'text' } as const;
  const on = await stage(oneWindow([{ ...field, states: ['editable', 'focused'] }]));
  let taken = 0;
  on.desktop.input.typeCharacter = (character) => {
    taken += 1;
    on.world.clock.after(taken * 300, () => {
      const node = on.world.node('app', 'name');
      node.value = `${node.value ?? ''}${character}`;
      on.world.emit('app', 'name', 'text-changed', 'insert');
    });
  };
  const ref = await refOf(on.engine, 'Name');
  const typing = {
    ...DEADLINE,
    ref,
    text: 'twelve signs',
    delayMs: 0,
    clearFirst: false,
    mode: 'focus',
  } as const;
  // An element that reports something for so long might change by itself.
  expect(await on.engine.type(typing)).toMatchObject({
    effect: 'unverified',
    evidence: ['fresh read: "twelve signs" is in the text', expect.anything()],
  });
  expect(on.world.node('app', 'name').value).toBe('twelve signs');
});

describe('the late answer to the act before', () => {
  const keys = parseKeyCombination('F2');

  it('does not confirm a key press', async () => {
    const row = button('row', 'Row', {
      onPress: (world) => {
        world.change('app', 'row', { states: ['selected'] });
        world.clock.after(450, () => answer(world));
      },
    });
    const window = windowWith([row, { ...STATUS }], { focused: true });
    const on = await stage([app({ windows: [window] })]);
    expect((await click(on, 'Row')).effect).toBe('confirmed');
    const pressed = await on.engine.press({ ...DEADLINE, keys });
    expect(pressed.effect).toBe('unverified');
    expect(pressed.evidence.at(-1)).toContain('late answer to the act before');
  });

  it('does not keep keys from being confirmed by a text that has changed for the act before, too', async () => {
    const count = (world: SimulatedWorld): void => {
      const before = Number(world.node('app', 'status').name?.replaceAll(/\D/g, '') || 0);
      world.change('app', 'status', { name: `total ${before + 1}` });
    };
    const window = windowWith([pressing(count), { ...STATUS }], { focused: true, onKey: count });
    const on = await stage([app({ windows: [window] })]);
    expect((await click(on)).effect).toBe('confirmed');
    expect((await on.engine.press({ ...DEADLINE, keys })).effect).toBe('confirmed');
  });

  it('does not confirm an act after one that ended without an answer', async () => {
    const slow = button('slow', 'Slow', {
      answersAfterMs: 60_000,
      onPress: (world) => world.clock.after(900, () => answer(world)),
    });
    const on = await stage(oneWindow([slow, { ...STATUS }, { ...DEAD }]));
    const dead = await refOf(on.engine, 'Dead');
    const failed = await failureOf(on.engine.click({ deadlineMs: 700, ref: await refOf(on.engine, 'Slow') }));
    expect(failed).toMatchObject({ code: 'APP_UNRESPONSIVE', delivered: true, retryable: false });
    expect((await on.engine.click({ ...DEADLINE, ref: dead })).effect).toBe('unverified');
  });
});

it('a window that was minimized meanwhile does not confirm a click by what vanished with it', async () => {
  const on = await stage(
    oneWindow([
      { id: 'panel', role: 'group', name: 'Panel' },
      button('go', 'Go', {
        onPress: (world) => {
          const [window] = world.apps[0]?.windows ?? [];
          if (window) window.minimized = true;
          world.remove('app', 'panel');
          // Qt reports a minimized window without its title.
          world.change('app', 'win-root', { name: '' });
        },
      }),
    ]),
  );
  const receipt = await click(on);
  expect(receipt.effect).toBe('unverified');
  expect(receipt.evidence.join()).toContain('minimized');
  expect(receipt.evidence).not.toContain('nothing visible changed');
  expect(receipt.changes?.[0]).toMatchObject({ kind: 'changed', role: 'window', after: 'minimized' });
});

it('a progress bar is not confirmed to have been clicked by what changes elsewhere', async () => {
  const bar: SimulatedNode = {
    id: 'bar',
    role: 'progressbar',
    name: 'Bar',
    bounds: { x: 10, y: 40, width: 80, height: 20 },
    // Something else happens at the moment of the click.
    onPress: (world) => world.remove('app', 'odd'),
  };
  const on = await stage(oneWindow([bar, button('odd', 'Odd')]));
  const ref = 'role:progressbar[name="Bar"]';
  const receipt = await on.engine.click({ ...DEADLINE, ref, mode: 'pointer' });
  expect(receipt).toMatchObject({ effect: 'unverified', changes: [{ kind: 'disappeared', name: 'Odd' }] });
  expect(receipt.evidence.join()).toContain('a progressbar does not react to clicks');
});

describe('an item of an open menu', () => {
  const place = { x: 10, y: 40, width: 80, height: 20 };
  const open = (closesWhenUsed: boolean, clicked: string[]): SimulatedNode => ({
    id: 'item',
    role: 'menuitem',
    name: 'Paste',
    actions: ['click'],
    bounds: place,
    closesWhenUsed,
    onPointer: {
      left: (world) => {
        clicked.push('pointer');
        world.change('app', 'status', { name: 'Pasted' });
      },
    },
  });

  it('that leaves its menu open and does nothing is clicked with the pointer', async () => {
    const clicked: string[] = [];
    const on = await stage([
      app({ windows: [windowWith([open(true, clicked), { ...STATUS }], { focused: true })] }),
    ]);
    const receipt = await click(on, 'Paste');
    expect([receipt.effect, clicked]).toEqual(['confirmed', ['pointer']]);
    expect(receipt.via).toMatch(/^accessibility: .* changed nothing; then pointer:/);
  });

  it('is not confirmed by the menu that closes, whatever its item does', async () => {
    const closing = (saves: boolean): SimulatedNode => ({
      id: 'menu',
      role: 'menu',
      name: 'File',
      children: [
        {
          id: 'save',
          role: 'menuitem',
          name: 'Save',
          actions: ['click'],
          bounds: place,
          onPress: (world) => {
            for (const id of ['save', 'quit']) world.remove('app', id);
            world.change('app', 'opener', { states: [] });
            if (saves) world.clock.after(400, () => world.change('app', 'status', { name: 'Saved' }));
          },
        },
        { id: 'quit', role: 'menuitem', name: 'Quit', bounds: { ...place, y: 60 } },
      ],
    });
    const opener = (menu: SimulatedNode): SimulatedNode => ({
      ...button('opener', 'File', { role: 'togglebutton', states: ['pressed'] }),
      children: [menu],
    });
    const dead = await click(await stage(oneWindow([{ ...STATUS }, opener(closing(false))])), 'Save');
    expect(dead.effect).toBe('unverified');
    expect(dead.evidence).toContain('only the menu that it is in closed, as it does whatever its items do');
    expect(dead.evidence.join()).not.toContain('nothing visible changed');
    const saved = await click(await stage(oneWindow([{ ...STATUS }, opener(closing(true))])), 'Save');
    expect(saved.effect).toBe('confirmed');
    expect(saved.evidence[0]).toContain('"Saved"');
  });

  it.each(['in the bar', 'in another menu'])('is confirmed by the items that it shows: %s', async (where) => {
    const opens = {
      id: 'more',
      role: 'menuitem',
      name: 'More',
      actions: ['click'],
      bounds: place,
      onPress: (world: SimulatedWorld) =>
        world.insert('app', 'more', { id: 'deep', role: 'menuitem', name: 'Deep', bounds: place }),
    } satisfies SimulatedNode;
    const role = where === 'in the bar' ? 'menubar' : 'menu';
    const holder: SimulatedNode = { id: 'holder', role, name: 'Edit', children: [opens] };
    expect((await click(await stage(oneWindow([holder])), 'More')).effect).toBe('confirmed');
  });

  it('is not clicked again where menus stay open', async () => {
    const clicked: string[] = [];
    const on = await stage([
      app({ windows: [windowWith([open(false, clicked), { ...STATUS }], { focused: true })] }),
    ]);
    expect([(await click(on, 'Paste')).effect, clicked]).toEqual(['unverified', []]);
  });
});

describe('a check box without a sign of the press', () => {
  const box = (mayBeSilent: boolean): SimulatedNode => ({
    id: 'box',
    role: 'checkbox',
    name: 'Wide',
    actions: ['click'],
    mayBeSilent,
    onPress: () => undefined,
  });

  it('is unverified where the toolkit has check boxes that report nothing', async () => {
    const receipt = await click(await stage(oneWindow([box(true)])), 'Wide');
    expect(receipt).toMatchObject({ effect: 'unverified', retry_safe: false });
  });

  it('is a failure elsewhere', async () => {
    expect(await failureOf(click(await stage(oneWindow([box(false)])), 'Wide'))).toMatchObject({
      code: 'ACTION_FAILED',
      result: { effect: 'no_op', retry_safe: false },
    });
  });
});

it('a check box whose popover closed with the press is unverified, not a failure', async () => {
  const box: SimulatedNode = {
    id: 'box',
    role: 'menuitemcheckbox',
    name: 'Wide',
    actions: ['click'],
    bounds: { x: 10, y: 40, width: 80, height: 20 },
    onPress: (world) => world.change('app', 'box', { states: ['hidden'] }),
  };
  const receipt = await click(await stage(oneWindow([box])), 'Wide');
  expect(receipt.effect).toBe('unverified');
  expect(receipt.evidence[0]).toContain('no longer on screen');
});

it('an item in the list of a combo box is confirmed by the box that shows it then', async () => {
  const run = async (shows: string): Promise<string> => {
    const item: SimulatedNode = {
      id: 'item',
      role: 'menuitem',
      name: 'Rial',
      actions: ['click'],
      onPress: (world) => {
        world.node('app', 'box').value = shows;
        world.emit('app', 'item', 'state-changed', 'selected=1');
      },
    };
    const box: SimulatedNode = {
      id: 'box',
      role: 'combobox',
      name: 'Unit',
      value: 'Shekel',
      children: [item],
    };
    return (await click(await stage(oneWindow([box])), 'Rial')).effect;
  };
  expect([await run('Rial'), await run('Dollar')]).toEqual(['confirmed', 'unverified']);
});

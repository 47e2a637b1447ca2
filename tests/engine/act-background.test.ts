import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, DEAD, every, pressing, STATUS } from './support/acting.ts';
import { app, button, DEADLINE, oneWindow, refOf, stage, windowWith } from './support/stage.ts';

describe('a dead button is never confirmed', () => {
  const beats = [30, 90, 250, 400, 1000];

  it.each(beats)('by a clock that ticks every %i ms', async (beatMs) => {
    for (const firstMs of [0, 5, 20, 60, 99]) {
      const on = await stage(oneWindow([{ ...STATUS }, { ...DEAD }]));
      every(on.world, beatMs, firstMs, (beat) =>
        on.world.change('app', 'status', { name: `12:00:${10 + beat}` }),
      );
      expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
    }
  });

  it.each(beats)('by its own countdown every %i ms', async (beatMs) => {
    const on = await stage(oneWindow([button('dead', 'Retry')]));
    const ref = await refOf(on.engine, 'Retry');
    on.world.change('app', 'dead', { name: 'Retry (99)' });
    every(on.world, beatMs, 40, (beat) => on.world.change('app', 'dead', { name: `Retry (${98 - beat})` }));
    expect(await on.engine.click({ ...DEADLINE, ref })).toMatchObject({ effect: 'unverified' });
  });

  it.each(beats)('by a log that grows every %i ms', async (beatMs) => {
    const log: SimulatedNode = { id: 'log', role: 'list', name: 'Log', children: [] };
    const on = await stage(oneWindow([log, { ...DEAD }]));
    every(on.world, beatMs, 30, (beat) =>
      on.world.insert('app', 'log', { id: `line-${beat}`, role: 'listitem', name: `line ${beat}` }),
    );
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
  });

  it.each(beats)('by a process list with rows that change every %i ms', async (beatMs) => {
    const cell: SimulatedNode = { id: 'cpu', role: 'cell', name: 'idle' };
    const on = await stage(oneWindow([cell, { ...DEAD }]));
    every(on.world, beatMs, 30, (beat) =>
      on.world.change('app', 'cpu', { name: ['busy', 'waiting', 'idle'][beat % 3] ?? '' }),
    );
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
  });

  it('by a button of the same name in its place', async () => {
    const replaced = pressing((world) => {
      world.remove('app', 'go');
      world.insert('app', 'win-root', button('anew', 'Go'));
    });
    const on = await stage(oneWindow([replaced]));
    expect(await click(on, 'Go')).toMatchObject({ effect: 'unverified' });
  });

  it('by another button that was recreated', async () => {
    const replacing = pressing((world) => {
      world.remove('app', 'other');
      world.insert('app', 'win-root', button('anew', 'Other'));
    });
    const on = await stage(oneWindow([replacing, button('other', 'Other')]));
    expect(await click(on, 'Go')).toMatchObject({ effect: 'unverified' });
  });

  it('by a slider that plays music', async () => {
    const position: SimulatedNode = { id: 'pos', role: 'slider', name: 'Position', value: '1' };
    const on = await stage(oneWindow([position, { ...DEAD }]));
    every(on.world, 1000, 30, (beat) => on.world.change('app', 'pos', { value: String(beat) }));
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
  });

  it.each(beats)(
    'by a progress bar that moves without events every %i ms and sends one just then',
    async (beatMs) => {
      const bar: SimulatedNode = { id: 'bar', role: 'progressbar', name: 'Progress', value: '0' };
      const dead = button('dead', 'Dead', {
        onPress: (world) => world.emit('app', 'bar', 'state-changed', 'horizontal=1'),
      });
      const on = await stage(oneWindow([bar, dead]));
      every(on.world, beatMs, 30, (beat) => void (on.world.node('app', 'bar').value = String(beat)));
      expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
    },
  );

  it('by a change that could not be read a second time', async () => {
    const works = button('works', 'Works', {
      onPress: (world) => world.change('app', 'status', { name: '1 file' }),
    });
    const on = await stage(oneWindow([{ ...STATUS }, works]));
    const ref = await refOf(on.engine, 'Works');
    const readTree = on.desktop.readTree.bind(on.desktop);
    // Before the act, soon after it, and once it has settled.
    const isReadable = [true, true, true];
    on.desktop.readTree = (request) =>
      isReadable.shift() === true ? readTree(request) : Promise.reject(new Error('it froze'));
    expect(await on.engine.click({ ...DEADLINE, ref })).toMatchObject({
      effect: 'unverified',
      evidence: expect.arrayContaining(['the window could not be read again']),
    });
  });

  const meanwhile = (changes: (world: SimulatedWorld) => void): SimulatedNode =>
    button('dead', 'Dead', { onPress: changes });

  it.each<[string, (world: SimulatedWorld) => void]>([
    [
      'by focus that moves',
      (world) => {
        world.change('app', 'status', { states: ['focused'] });
        world.emit('app', 'status', 'focus-changed', 'focused');
      },
    ],
    [
      'by a tool tip',
      (world) => world.insert('app', 'win-root', { id: 'tip', role: 'tooltip', name: 'Does nothing' }),
    ],
    [
      'by what is in a tool tip, as in GTK 4',
      (world) =>
        world.insert('app', 'win-root', {
          id: 'tip',
          role: 'tooltip',
          children: [{ id: 'tip-text', role: 'text', name: 'Does nothing' }],
        }),
    ],
    ['by an event without a change', (world) => world.emit('app', 'status', 'name-changed', '')],
    ['by a change without an event', (world) => void (world.node('app', 'status').name = 'Other')],
    [
      'by a change here and an event in another window of the application',
      (world) => {
        world.node('app', 'status').name = 'Other';
        world.change('app', 'elsewhere', { name: 'Changed' });
      },
    ],
    [
      'by something that appeared without an event, and an event elsewhere',
      (world) => {
        world.node('app', 'win-root').children?.push({ id: 'new', role: 'button', name: 'New' });
        world.change('app', 'elsewhere', { name: 'Changed' });
        world.emit('app', 'second-root', 'children-changed', 'add');
      },
    ],
    ['by still looking pressed', (world) => world.change('app', 'dead', { states: ['pressed'] })],
    [
      'by another application’s window',
      (world) => {
        world.apps[1]?.windows.push(windowWith([], { id: 'mail', title: 'New mail' }));
        world.emit('app', 'status', 'state-changed', 'showing=1');
      },
    ],
    [
      'by its own window that only the display knows, without an event',
      (world) =>
        void world.apps[0]?.windows.push({
          id: 'popup',
          title: '',
          bounds: { x: 0, y: 0, width: 9, height: 9 },
        }),
    ],
  ])('%s', async (_, changes) => {
    const elsewhere: SimulatedNode = { id: 'elsewhere', role: 'text', name: 'Elsewhere' };
    const on = await stage([
      app({
        windows: [
          windowWith([elsewhere], { id: 'second' }),
          windowWith([{ ...STATUS }, meanwhile(changes)], { focused: true }),
        ],
      }),
      app({ id: 'mail', name: 'Mail', pid: 200 }),
    ]);
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
  });

  it('by windows or elements that could not be read before or after', async () => {
    const on = await stage(oneWindow([{ ...STATUS }, button('dead', 'Dead')]));
    const ref = await refOf(on.engine, 'Dead');
    const listWindows = on.desktop.listWindows.bind(on.desktop);
    const readTree = on.desktop.readTree.bind(on.desktop);
    // Without the windows before it, no act is sent: a modal dialog may block the element.
    for (const [failing, isAfter] of [
      ['listWindows', true],
      ['readTree', false],
      ['readTree', true],
    ] as const) {
      let isPressed = false;
      let hasFailed = false;
      const failOnce = (call: typeof failing): void => {
        if (call !== failing || isPressed !== isAfter || hasFailed) return;
        hasFailed = true;
        throw new Error('no answer');
      };
      on.desktop.listWindows = async (options) => {
        failOnce('listWindows');
        return listWindows(options);
      };
      on.desktop.readTree = async (request) => {
        failOnce('readTree');
        return readTree(request);
      };
      on.world.node('app', 'dead').onPress = (world) => {
        isPressed = true;
        world.emit('app', 'win-root', 'children-changed', 'add');
      };
      const receipt = await on.engine.click({ ...DEADLINE, ref });
      expect([failing, isAfter, hasFailed, receipt.effect, receipt.changes]).toEqual([
        failing,
        isAfter,
        true,
        'unverified',
        undefined,
      ]);
    }
  });

  it.each([
    [1000, 'unverified'],
    [5000, 'confirmed'],
  ])('by a possible clock, if %i ms are too short to see another tick', async (deadlineMs, effect) => {
    const on = await stage(
      oneWindow([
        { ...STATUS, name: '48:00:01' },
        pressing((world) => world.change('app', 'status', { name: '48:00:02' })),
      ]),
    );
    const ref = await refOf(on.engine, 'Go');
    expect(await on.engine.click({ deadlineMs, ref })).toMatchObject({ effect });
  });
});

it('background changes are not listed', async () => {
  const log: SimulatedNode = { id: 'log', role: 'list', name: 'Log', children: [] };
  const on = await stage(
    oneWindow([log, { ...STATUS }, pressing((world) => world.change('app', 'go', { name: 'Stop' }))]),
  );
  every(on.world, 40, 10, (beat) => {
    on.world.change('app', 'status', { name: `12:00:${10 + beat}` });
    on.world.insert('app', 'log', { id: `line-${beat}`, role: 'listitem', name: `line ${beat}` });
  });
  const receipt = await click(on);
  expect(receipt.effect).toBe('confirmed');
  expect(receipt.changes?.map(({ after }) => after)).toEqual(['name "Stop"']);
});

it('a button that was destroyed before its toolkit pressed it does not confirm the click', async () => {
  const on = await stage(oneWindow([pressing(() => undefined), { ...STATUS }], { activationDelayMs: 250 }));
  const ref = await refOf(on.engine, 'Go');
  on.world.clock.after(60, () => {
    on.world.remove('app', 'go');
    on.world.emit('app', 'go', 'state-changed', 'defunct=1');
  });
  expect((await on.engine.click({ ...DEADLINE, ref })).effect).toBe('unverified');
});

it.each([
  [2, 'confirmed'],
  [140, 'unverified'],
])('a button that is hidden and shown again %i ms later: %s', async (laterMs, effect) => {
  const on = await stage(oneWindow([pressing(() => undefined), { ...STATUS }], { activationDelayMs: 100 }));
  const ref = await refOf(on.engine, 'Go');
  const { world } = on;
  // Tool buttons of Qt run their handler at once, which may lay out the window with their toolbar anew.
  world.clock.after(20, () => {
    world.insert('app', 'status', { id: 'tab', role: 'tab', name: 'Two' });
    world.emit('app', 'go', 'state-changed', 'showing=0');
  });
  world.clock.after(20 + laterMs, () => world.emit('app', 'go', 'state-changed', 'showing=1'));
  expect((await on.engine.click({ ...DEADLINE, ref })).effect).toBe(effect);
});

import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../../src/platform/simulated/simulated-world.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const STATUS: SimulatedNode = { id: 'status', role: 'text', name: 'Ready' };
const DEAD = button('dead', 'Dead');

function pressing(press: (world: SimulatedWorld) => void, more: Partial<SimulatedNode> = {}): SimulatedNode {
  return button('go', 'Go', { onPress: press, ...more });
}

async function click(on: Stage, name = 'Go'): Promise<Receipt> {
  return on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, name) });
}

/** Changes something every `beatMs`, from now on and for a long time. */
function every(world: SimulatedWorld, beatMs: number, firstMs: number, tick: (beat: number) => void): void {
  for (let beat = 0; beat < 60; beat++) world.clock.after(firstMs + beat * beatMs, () => tick(beat));
}

describe('a click is confirmed', () => {
  it('by a text elsewhere that changed once, when told and read', async () => {
    const on = await stage(
      oneWindow([
        { ...STATUS },
        pressing((world) => world.change('app', 'status', { name: 'Pressed 1 time' })),
      ]),
    );
    const receipt = await click(on);
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      delivered: true,
      retry_safe: false,
      via: 'simulated:press(click)',
      changes: [{ kind: 'changed', role: 'text', before: 'name "Ready"', after: 'name "Pressed 1 time"' }],
    });
    expect(receipt.evidence.join('\n')).toContain('application events: name-changed');
  });

  it('by its own new name, at once', async () => {
    const on = await stage(oneWindow([pressing((world) => world.change('app', 'go', { name: 'Stop' }))]));
    const receipt = await click(on);
    expect(receipt).toMatchObject({ effect: 'confirmed', changes: [{ after: 'name "Stop"' }] });
    expect(receipt.duration_ms).toBeLessThan(300);
  });

  it('by a window that opens, which can be used by its ref', async () => {
    const on = await stage(
      oneWindow([
        pressing((world) => {
          world.apps[0]?.windows.push(windowWith([button('yes', 'Yes')], { id: 'question', title: 'Sure?' }));
          world.emit('app', 'question-root', 'window-opened', '');
        }),
      ]),
    );
    const receipt = await click(on);
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      changes: [{ kind: 'window_opened', name: 'Sure?' }],
    });
    const ref = receipt.changes?.[0]?.ref;
    expect(await on.engine.title({ ...DEADLINE, window: ref })).toBe('Sure?');
  });

  it('by the window that it closes, though the element is gone with it', async () => {
    const close = pressing((world) => {
      world.apps[0]?.windows.shift();
      world.emit('app', 'win-root', 'window-closed', '');
    });
    const on = await stage([
      app({ windows: [windowWith([close], { focused: true }), windowWith([], { id: 'other' })] }),
    ]);
    expect(await click(on)).toMatchObject({ effect: 'confirmed', changes: [{ kind: 'window_closed' }] });
  });

  it('by the last window of an application that ends', async () => {
    const on = await stage([
      ...oneWindow([pressing((world) => world.apps.shift())]),
      app({ id: 'desk', name: 'Desk', pid: 1, windows: [windowWith([], { id: 'desk' })] }),
    ]);
    expect(await click(on)).toMatchObject({ effect: 'confirmed', delivered: true });
  });

  it('by vanishing itself', async () => {
    const on = await stage(oneWindow([pressing((world) => world.remove('app', 'go')), { ...DEAD }]));
    expect(await click(on)).toMatchObject({
      effect: 'confirmed',
      changes: [{ kind: 'disappeared', role: 'button', name: 'Go' }],
    });
  });

  it('by what appears, with refs that can be clicked next', async () => {
    const on = await stage(
      oneWindow([
        pressing((world) => {
          const next = button('next', 'Next', {
            onPress: () => world.change('app', 'next', { name: 'Done' }),
          });
          world.insert('app', 'win-root', { id: 'panel', role: 'group', name: 'Panel', children: [next] });
        }),
      ]),
    );
    const { changes = [], effect } = await click(on);
    expect(effect).toBe('confirmed');
    const next = changes.find(({ name }) => name === 'Next');
    expect(next).toMatchObject({ kind: 'appeared', role: 'button' });
    expect(await on.engine.click({ ...DEADLINE, ref: next?.ref ?? '' })).toMatchObject({
      effect: 'confirmed',
      target: { ref: next?.ref, name: 'Next' },
    });
  });

  it('after the activation delay of its toolkit', async () => {
    const press = pressing((world) => world.change('app', 'go', { name: 'Stop' }));
    const on = await stage(oneWindow([press], { activationDelayMs: 250 }));
    const receipt = await click(on);
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.duration_ms).toBeGreaterThanOrEqual(250);
  });
});

describe('a click on a check box', () => {
  const box = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
    id: 'box',
    role: 'checkbox',
    name: 'Agree',
    actions: ['toggle'],
    onPress: (world) => world.change('app', 'box', { states: ['checked'] }),
    ...more,
  });

  it('is confirmed by a fresh read and its own event', async () => {
    expect(await click(await stage(oneWindow([box()])), 'Agree')).toMatchObject({
      effect: 'confirmed',
      evidence: ['fresh read: checked (was not checked)', 'application events: state-changed checked=1'],
    });
  });

  it('that lies is a no-op and an error with the receipt', async () => {
    const on = await stage(oneWindow([box({ onPress: () => undefined })]));
    const error = await failureOf(click(on, 'Agree'));
    expect(error).toMatchObject({
      code: 'ACTION_FAILED',
      delivered: true,
      result: { effect: 'no_op', retry_safe: false, target: { role: 'checkbox' } },
    });
  });

  it('that only says so is a no-op', async () => {
    const on = await stage(
      oneWindow([box({ onPress: (world) => world.emit('app', 'box', 'state-changed', 'checked=1') })]),
    );
    expect(await failureOf(click(on, 'Agree'))).toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('that changes without a word is unverified', async () => {
    const on = await stage(
      oneWindow([box({ onPress: (world) => void (world.node('app', 'box').states = ['checked']) })]),
    );
    expect(await click(on, 'Agree')).toMatchObject({ effect: 'unverified' });
  });

  it('that answers late is no failure', async () => {
    const slow = box({
      onPress: (world) => world.clock.after(400, () => world.change('app', 'box', { states: ['checked'] })),
    });
    expect((await click(await stage(oneWindow([slow])), 'Agree')).effect).not.toBe('no_op');
  });

  it('a radio button that is chosen already is confirmed as it is', async () => {
    const radio: SimulatedNode = {
      id: 'r',
      role: 'radio',
      name: 'Red',
      states: ['checked'],
      actions: ['select'],
    };
    expect(await click(await stage(oneWindow([radio])), 'Red')).toMatchObject({
      effect: 'confirmed',
      retry_safe: true,
      evidence: ['already', 'fresh read: checked'],
    });
  });
});

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

  it.each(beats)('by a process list whose rows change every %i ms', async (beatMs) => {
    const cell: SimulatedNode = { id: 'cpu', role: 'cell', name: 'idle' };
    const on = await stage(oneWindow([cell, { ...DEAD }]));
    every(on.world, beatMs, 30, (beat) =>
      on.world.change('app', 'cpu', { name: ['busy', 'waiting', 'idle'][beat % 3] ?? '' }),
    );
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
  });

  it('by a slider that plays music', async () => {
    const position: SimulatedNode = { id: 'pos', role: 'slider', name: 'Position', value: '1' };
    const on = await stage(oneWindow([position, { ...DEAD }]));
    every(on.world, 1000, 30, (beat) => on.world.change('app', 'pos', { value: String(beat) }));
    expect(await click(on, 'Dead')).toMatchObject({ effect: 'unverified' });
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
      'by something that came without a word, and an event elsewhere',
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
      'by a window of its own that only the display knows, without a word',
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
    for (const failing of ['listWindows', 'readTree'] as const) {
      for (const failsAt of [1, 2]) {
        let calls = 0;
        const fail = (): boolean => ++calls === failsAt;
        on.desktop.listWindows = async (options) => {
          if (failing === 'listWindows' && fail()) throw new Error('no answer');
          return listWindows(options);
        };
        on.desktop.readTree = async (request) => {
          if (failing === 'readTree' && fail()) throw new Error('no answer');
          return readTree(request);
        };
        on.world.node('app', 'dead').onPress = (world) =>
          world.emit('app', 'win-root', 'children-changed', 'add');
        const receipt = await on.engine.click({ ...DEADLINE, ref });
        expect([failing, failsAt, receipt.effect, receipt.changes]).toEqual([
          failing,
          failsAt,
          'unverified',
          undefined,
        ]);
      }
    }
  });

  it.each([
    [1000, 'unverified'],
    [5000, 'confirmed'],
  ])('by what may be a clock, when %i ms are too short to see it tick again', async (deadlineMs, effect) => {
    const on = await stage(
      oneWindow([
        { ...STATUS, name: '12:00:01' },
        pressing((world) => world.change('app', 'status', { name: '12:00:02' })),
      ]),
    );
    const ref = await refOf(on.engine, 'Go');
    expect(await on.engine.click({ deadlineMs, ref })).toMatchObject({ effect });
  });
});

it('what moves by itself is not listed among the changes', async () => {
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

it('a click is unverified when accepted and nothing is seen, and says so', async () => {
  const on = await stage(oneWindow([{ ...DEAD }]));
  const receipt = await click(on, 'Dead');
  expect(receipt).toMatchObject({ effect: 'unverified', delivered: true, retry_safe: false });
  expect(receipt.evidence).toEqual(['the application accepted the action', 'nothing visible changed']);
  expect(receipt.changes).toBeUndefined();
});

describe('a click is refused before anything is sent', () => {
  const cases: [string, SimulatedNode, string][] = [
    ['a disabled button', button('b', 'B', { states: ['disabled'] }), 'NOT_ACTIONABLE'],
    ['an element without an action', button('b', 'B', { actions: [] }), 'ACTION_NOT_SUPPORTED'],
  ];
  it.each(cases)('%s', async (_, node, code) => {
    let pressed = 0;
    const on = await stage(oneWindow([{ ...node, onPress: () => pressed++ }]));
    expect(await failureOf(click(on, 'B'))).toMatchObject({ code, delivered: false });
    expect(pressed).toBe(0);
  });

  it('an element that becomes disabled or goes at the last moment', async () => {
    for (const [code, happens] of [
      ['NOT_ACTIONABLE', (on: Stage) => on.world.change('app', 'go', { states: ['disabled'] })],
      ['STALE_REF', (on: Stage) => on.world.remove('app', 'go')],
    ] as const) {
      const on = await stage(oneWindow([pressing(() => undefined)]));
      const ref = await refOf(on.engine, 'Go');
      const readTree = on.desktop.readTree.bind(on.desktop);
      on.desktop.readTree = async (request) => {
        const read = await readTree(request);
        on.desktop.readTree = readTree;
        happens(on);
        return read;
      };
      expect(await failureOf(on.engine.click({ ...DEADLINE, ref }))).toMatchObject({
        code,
        delivered: false,
      });
    }
  });
});

describe('a frozen application', () => {
  it('that never heard of the act says that nothing was delivered', async () => {
    const on = await stage(oneWindow([{ ...DEAD }]));
    const ref = await refOf(on.engine, 'Dead');
    on.world.freeze('app', 60_000);
    const started = on.world.clock.now();
    expect(await failureOf(on.engine.click({ deadlineMs: 500, ref }))).toMatchObject({
      code: 'APP_UNRESPONSIVE',
      delivered: false,
      retryable: true,
    });
    expect(on.world.clock.now() - started).toBeLessThanOrEqual(510);
  });

  it('that heard and never answered says that it may have been delivered', async () => {
    const on = await stage(oneWindow([button('dead', 'Dead', { answersAfterMs: 60_000 })]));
    expect(await failureOf(click(on, 'Dead'))).toMatchObject({ code: 'APP_UNRESPONSIVE', delivered: true });
  });

  it('that freezes in its handler still gets a receipt within the deadline', async () => {
    const on = await stage(oneWindow([pressing((world) => world.freeze('app', 60_000))]));
    const receipt = await click(on);
    expect(receipt).toMatchObject({ effect: 'unverified', delivered: true });
    expect(receipt.evidence).toContain('the element could not be read again');
    expect(receipt.duration_ms).toBeLessThanOrEqual(DEADLINE.deadlineMs);
  });
});

it('a click that is cancelled after it was sent says that it was sent', async () => {
  const abort = new AbortController();
  const on = await stage(oneWindow([pressing(() => abort.abort())]));
  const ref = await refOf(on.engine, 'Go');
  expect(await failureOf(on.engine.click({ ...DEADLINE, ref, signal: abort.signal }))).toMatchObject({
    code: 'CANCELLED',
    delivered: true,
  });
});

it('nobody listens after an act, however it ended', async () => {
  const on = await stage(oneWindow([{ ...DEAD }, button('off', 'Off', { states: ['disabled'] })]));
  const refs = [await refOf(on.engine, 'Dead'), await refOf(on.engine, 'Off')];
  const watch = on.desktop.watch.bind(on.desktop);
  let listening = 0;
  on.desktop.watch = async (listener, options) => {
    const stop = await watch(listener, options);
    listening++;
    return () => {
      listening--;
      stop();
    };
  };
  for (const ref of refs) await on.engine.click({ ...DEADLINE, ref }).catch(() => undefined);
  expect(listening).toBe(0);
});

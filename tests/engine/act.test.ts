import { describe, expect, it } from 'vitest';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, DEAD, pressing, STATUS } from './support/acting.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

describe('a click is confirmed', () => {
  it('by a text elsewhere that changed once, in a fresh read and an event', async () => {
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

  it('by its own new name, immediately', async () => {
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

  it('by a window that opened before the answer, also if more was sent after that', async () => {
    const on = await stage(oneWindow([pressing(() => undefined)]));
    const { desktop, world } = on;
    const press = desktop.press.bind(desktop);
    desktop.press = async (node, options) => {
      const outcome = await press(node, options);
      const answeredAtMs = world.clock.now();
      world.apps[0]?.windows.push(windowWith([], { id: 'question', title: 'Sure?' }));
      world.emit('app', 'question-root', 'window-opened', '');
      await world.clock.sleep(20);
      return { ...outcome, answeredAtMs };
    };
    expect(await click(on)).toMatchObject({ effect: 'confirmed', changes: [{ kind: 'window_opened' }] });
  });

  it('by the window that it closes, even though the element disappears with it', async () => {
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

  it('by its own disappearance', async () => {
    const on = await stage(oneWindow([pressing((world) => world.remove('app', 'go')), { ...DEAD }]));
    expect(await click(on)).toMatchObject({
      effect: 'confirmed',
      changes: [{ kind: 'disappeared', role: 'button', name: 'Go' }],
    });
  });

  it('but not by that if the application replied before it acted, as browsers do', async () => {
    const on = await stage(oneWindow([pressing((world) => world.remove('app', 'go')), { ...DEAD }]));
    const press = on.desktop.press.bind(on.desktop);
    on.desktop.press = async (node, options) => ({ ...(await press(node, options)), isQueued: true });
    expect(await click(on)).toMatchObject({
      effect: 'unverified',
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

  it('that reports a false success is a no-op, an error with the receipt', async () => {
    const on = await stage(oneWindow([box({ onPress: () => undefined })]));
    const error = await failureOf(click(on, 'Agree'));
    expect(error).toMatchObject({
      code: 'ACTION_FAILED',
      delivered: true,
      result: { effect: 'no_op', retry_safe: false, target: { role: 'checkbox' } },
    });
  });

  it('that only sends an event is a no-op', async () => {
    const on = await stage(
      oneWindow([box({ onPress: (world) => world.emit('app', 'box', 'state-changed', 'checked=1') })]),
    );
    expect(await failureOf(click(on, 'Agree'))).toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('that changes without an event is unverified', async () => {
    const on = await stage(
      oneWindow([box({ onPress: (world) => void (world.node('app', 'box').states = ['checked']) })]),
    );
    expect(await click(on, 'Agree')).toMatchObject({ effect: 'unverified' });
  });

  it('that answers late is not a failure', async () => {
    const slow = box({
      onPress: (world) => world.clock.after(400, () => world.change('app', 'box', { states: ['checked'] })),
    });
    expect((await click(await stage(oneWindow([slow])), 'Agree')).effect).not.toBe('no_op');
  });

  it('a radio button that is already chosen is confirmed without an act', async () => {
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

describe('a toggle button that releases itself', () => {
  const key = (work: NonNullable<SimulatedNode['onPress']>): SimulatedNode => ({
    id: 'key',
    role: 'togglebutton',
    name: '6',
    actions: ['click'],
    onPress: (world) => {
      world.change('app', 'key', { states: ['pressed'] });
      work(world);
      world.change('app', 'key', { states: [] });
    },
  });

  it('is confirmed by its effect', async () => {
    const on = await stage(
      oneWindow([{ ...STATUS }, key((world) => world.change('app', 'status', { name: 'six' }))]),
    );
    expect(await click(on, '6')).toMatchObject({ effect: 'confirmed', changes: [{ after: 'name "six"' }] });
  });

  it('is unverified, not a failure, if nothing else is seen', async () => {
    const receipt = await click(await stage(oneWindow([key(() => undefined)])), '6');
    expect(receipt.effect).toBe('unverified');
    expect(receipt.evidence[0]).toBe('it was pressed and released again');
  });

  it('is unverified, not a failure, if it reports that only some time later', async () => {
    const slow = key(() => undefined);
    const on = await stage(
      oneWindow([{ ...slow, onPress: (world) => world.clock.after(600, () => slow.onPress?.(world)) }]),
    );
    const receipt = await click(on, '6');
    expect(receipt).toMatchObject({ effect: 'unverified', retry_safe: false });
    expect(receipt.evidence[0]).toBe('it was pressed and released again');
  });

  it('is unverified, not a failure, if only its effect is reported', async () => {
    const silent = {
      ...key(() => undefined),
      onPress: (world: SimulatedWorld) => world.change('app', 'status', { name: 'six' }),
    };
    const receipt = await click(await stage(oneWindow([{ ...STATUS }, silent])), '6');
    expect(receipt).toMatchObject({ effect: 'unverified', retry_safe: false });
    expect(receipt.evidence).toEqual([
      'a fresh read still shows it not pressed',
      expect.stringContaining('"six"'),
    ]);
  });

  it('is a failure if nothing at all is seen', async () => {
    const dead = { ...key(() => undefined), onPress: () => undefined };
    const error = await failureOf(click(await stage(oneWindow([dead])), '6'));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op' } });
  });
});

it('a click that is accepted without a visible effect is unverified and says so', async () => {
  const on = await stage(oneWindow([{ ...DEAD }]));
  const receipt = await click(on, 'Dead');
  expect(receipt).toMatchObject({ effect: 'unverified', delivered: true, retry_safe: false });
  expect(receipt.evidence).toEqual(['the application accepted the action', 'nothing visible changed']);
  expect(receipt.changes).toBeUndefined();
});

describe('a click is refused before anything is sent', () => {
  const cases: [string, SimulatedNode, string][] = [
    ['a disabled button', button('b', 'B', { states: ['disabled'] }), 'NOT_ACTIONABLE'],
  ];
  it.each(cases)('%s', async (_, node, code) => {
    let pressed = 0;
    const on = await stage(oneWindow([{ ...node, onPress: () => pressed++ }]));
    expect(await failureOf(click(on, 'B'))).toMatchObject({ code, delivered: false });
    expect(pressed).toBe(0);
  });

  it('an element that is disabled or destroyed just before the act', async () => {
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
  it('that did not receive the act reports that nothing was delivered', async () => {
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

  it('that received the act without answering reports that it may have been delivered', async () => {
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

it('a click that is cancelled after it was sent reports that it was sent', async () => {
  const abort = new AbortController();
  const on = await stage(oneWindow([pressing(() => abort.abort())]));
  const ref = await refOf(on.engine, 'Go');
  expect(await failureOf(on.engine.click({ ...DEADLINE, ref, signal: abort.signal }))).toMatchObject({
    code: 'CANCELLED',
    delivered: true,
  });
});

it('no event subscription remains after an act, however it ended', async () => {
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

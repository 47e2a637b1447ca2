import { describe, expect, it } from 'vitest';
import type { ModedRequest, PointerGesture } from '../../src/engine/requests/acting.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';
import { spelled } from '../spelled.ts';

const CENTRE = '50,25';
const FAR = { x: 1000, y: 800, width: 100, height: 50 };

function status(on: Stage, text: string): void {
  on.world.change('app', 'status', { name: text });
}

/** A button that only the pointer can press, and a label that reports it. */
function silentButton(more: Partial<SimulatedNode> = {}): SimulatedNode[] {
  return [
    button('go', 'Go', { actions: [], ...more }),
    { id: 'status', role: 'button', name: 'Ready', bounds: { x: 10, y: 60, width: 80, height: 20 } },
  ];
}

async function click(on: Stage, more: Partial<ModedRequest> = {}) {
  return on.engine.click({ ...DEADLINE, ref: await refOf(on.engine, 'Go'), ...more });
}

async function gesture(on: Stage, what: PointerGesture) {
  return on.engine.gesture({ ...DEADLINE, gesture: what, ref: await refOf(on.engine, 'Go') });
}

describe('a click', () => {
  it('uses the pointer if accessibility offers nothing, and names both', async () => {
    const on = await stage(oneWindow(silentButton({ onPress: () => status(on, 'Pressed') })));
    const receipt = await click(on);
    expect(receipt).toMatchObject({ effect: 'confirmed', delivered: true });
    expect(receipt.via).toBe(`accessibility: not offered; then pointer:left button at ${CENTRE}`);
    expect(on.desktop.input.record).toEqual([`move ${CENTRE}`, `left down ${CENTRE}`, `left up ${CENTRE}`]);
    expect(on.desktop.input.holder).toBeUndefined();
  });

  it('never uses it in the background', async () => {
    const on = await stage(oneWindow(silentButton()));
    const error = await failureOf(click(on, { mode: 'background' }));
    expect(error).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
    expect(spelled(error.suggestion)).toContain('--mode pointer');
    expect(on.desktop.input.record).toEqual([]);
  });

  it('starts with the pointer if requested', async () => {
    let pressed = 0;
    const on = await stage(oneWindow([button('go', 'Go', { onPress: () => pressed++ })]));
    expect((await click(on, { mode: 'pointer' })).via).toBe(`pointer:left button at ${CENTRE}`);
    expect(pressed).toBe(1);
  });

  it('is aborted if something else is under the pointer when the button goes down', async () => {
    const pressed: string[] = [];
    const here = { x: 10, y: 10, width: 80, height: 30 };
    const there = { x: 10, y: 60, width: 80, height: 30 };
    const trade = (world: Stage['world']) => {
      world.change('app', 'go', { bounds: there });
      world.change('app', 'other', { bounds: here });
    };
    const on = await stage(
      oneWindow([
        button('go', 'Go', { bounds: here, onDown: trade, onPress: () => pressed.push('go') }),
        button('other', 'Other', { bounds: there, onPress: () => pressed.push('other') }),
      ]),
    );
    const error = await failureOf(click(on, { mode: 'pointer' }));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: true });
    expect(error.message).toContain('moved away from the pointer while the button was down');
    expect(on.desktop.input.record.slice(1)).toEqual([`left down ${CENTRE}`, 'left up 0,0']);
    expect(pressed).toEqual([]);
    expect(on.desktop.input.held).toEqual([]);
  });

  it('is not confirmed by a window that opened while the button was held down', async () => {
    const opening = (world: Stage['world']) =>
      world.apps[0]?.windows.push(windowWith([], { id: 'news', title: 'News' }));
    const on = await stage(oneWindow([button('go', 'Go', { onDown: (world) => void opening(world) })]));
    const { effect, evidence } = await click(on, { mode: 'pointer' });
    expect(effect).toBe('unverified');
    expect(evidence).toContain('a window opened before the application processed the input');
  });

  it('is not confirmed if another window came under the pointer during the click', async () => {
    const rename = (world: Stage['world']) => world.change('app', 'go', { name: 'Gone' });
    const on = await stage(oneWindow([button('go', 'Go', { onPress: rename })]));
    on.desktop.input.strays = true;
    const { effect, evidence, retry_safe } = await click(on, { mode: 'pointer' });
    expect({ effect, retry_safe }).toEqual({ effect: 'unverified', retry_safe: false });
    expect(evidence.join()).toContain('something else came under the pointer');
  });

  it('is not confirmed if its target moved away between the presses of a double click', async () => {
    let presses = 0;
    const away = (world: Stage['world']) => {
      if (++presses === 1) return;
      world.change('app', 'go', { name: 'Gone', bounds: { x: 300, y: 300, width: 80, height: 30 } });
      world.change('app', 'other', { bounds: here });
    };
    const here = { x: 10, y: 10, width: 80, height: 30 };
    const there = { x: 300, y: 300, width: 80, height: 30 };
    const on = await stage(
      oneWindow([
        button('go', 'Go', { bounds: here, onDown: away }),
        button('other', 'Other', { bounds: there }),
      ]),
    );
    const ref = await refOf(on.engine, 'Go');
    const receipt = await on.engine.gesture({ ...DEADLINE, ref, gesture: 'double-click' });
    expect(receipt).toMatchObject({ effect: 'unverified', retry_safe: false });
    expect(receipt.evidence.join()).toContain('something else came under the pointer');
  });

  it('is not confirmed by a window that was about to open when the button was released', async () => {
    const opening = (world: Stage['world']) =>
      world.apps[0]?.windows.push(windowWith([], { id: 'news', title: 'News' }));
    const on = await stage(oneWindow([button('go', 'Go', { onPress: (world) => void opening(world) })]));
    on.desktop.input.unshown = ['news'];
    expect((await click(on, { mode: 'pointer' })).effect).toBe('unverified');
  });

  it('is not confirmed only by what was removed together with its target', async () => {
    const on = await stage(
      oneWindow([
        {
          id: 'panel',
          role: 'group',
          name: 'Panel',
          children: silentButton({ onPress: (world) => world.remove('app', 'panel') }),
        },
        button('stays', 'Stays', { bounds: FAR }),
      ]),
    );
    const receipt = await click(on);
    expect(receipt.effect).toBe('unverified');
    expect(receipt.changes?.map(({ kind, name }) => `${kind} ${name}`)).toContain('disappeared Go');
  });

  it('is confirmed by what replaced its target', async () => {
    const replace = (world: Stage['world']) => {
      world.remove('app', 'go');
      world.insert('app', 'win-root', { id: 'next', role: 'button', name: 'Next' });
    };
    const on = await stage(oneWindow(silentButton({ onPress: replace })));
    expect(await click(on)).toMatchObject({ effect: 'confirmed' });
  });

  it('is not repeated by another strategy if it was accepted without a visible effect', async () => {
    let pressed = 0;
    const on = await stage(oneWindow([button('go', 'Go', { onPress: () => pressed++ })]));
    expect((await click(on)).effect).toBe('unverified');
    expect(pressed).toBe(1);
    expect(on.desktop.input.record).toEqual([]);
  });

  it('brings the window to the front only if another one covers it', async () => {
    const cover = windowWith([], { id: 'cover', title: 'Cover', focused: true });
    const on = await stage([
      app({ windows: [windowWith(silentButton())] }),
      app({ id: 'b', pid: 2, windows: [cover] }),
    ]);
    const ref = (
      await on.engine.find({ ...DEADLINE, app: '100', query: 'Go', by: 'exact', limit: 1, wholeTree: false })
    ).matches[0]?.ref;
    await on.engine.click({ ...DEADLINE, ref: ref ?? '' });
    expect(on.world.focusedWindow()?.id).toBe('win');
    expect(on.desktop.input.record.at(-1)).toBe(`left up ${CENTRE}`);
  });

  it('is refused if another element covers it, and names that', async () => {
    const over: SimulatedNode = {
      id: 'over',
      role: 'dialog',
      name: 'Wait',
      bounds: { x: 0, y: 0, width: 200, height: 200 },
    };
    const on = await stage(oneWindow([...silentButton(), over]));
    const error = await failureOf(click(on));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false, retryable: true });
    expect(error.message).toContain('covered by a dialog "Wait"');
    expect(on.desktop.input.record).toEqual([]);
  });

  it('reaches an item that claims to be far wider than its list, where the list shows it', async () => {
    const list: SimulatedNode = {
      id: 'list',
      role: 'list',
      bounds: { x: 0, y: 0, width: 120, height: 300 },
      children: [button('go', 'Go', { actions: [], bounds: { x: 10, y: 10, width: 32_767, height: 60 } })],
    };
    const page: SimulatedNode = {
      id: 'page',
      role: 'group',
      name: 'Page',
      bounds: { x: 130, y: 0, width: 670, height: 300 },
    };
    const on = await stage(oneWindow([list, page]));
    await click(on);
    expect(on.desktop.input.record).toEqual(['move 65,40', 'left down 65,40', 'left up 65,40']);
  });

  it('waits until it is enabled, at rest and uncovered', async () => {
    const on = await stage(oneWindow(silentButton({ states: ['disabled'] })));
    const ref = await refOf(on.engine, 'Go');
    on.world.clock.after(1000, () => on.world.change('app', 'go', { states: [] }));
    for (let step = 0; step < 20; step++)
      on.world.clock.after(1000 + step * 30, () =>
        on.world.change('app', 'go', { bounds: { x: 10 + step * 5, y: 10, width: 80, height: 30 } }),
      );
    await on.engine.click({ ...DEADLINE, ref });
    expect(on.desktop.input.record).toEqual(['move 145,25', 'left down 145,25', 'left up 145,25']);
  });

  it('does not wait longer than half of its time', async () => {
    const on = await stage(oneWindow(silentButton({ states: ['disabled'] })));
    const ref = await refOf(on.engine, 'Go');
    const started = on.world.clock.now();
    await failureOf(on.engine.click({ deadlineMs: 2000, ref }));
    expect(on.world.clock.now() - started).toBeLessThan(1200);
    await failureOf(on.engine.click({ deadlineMs: 60_000, ref }));
    expect(on.world.clock.now() - started).toBeLessThan(6500);
  });

  it('is not made if its element moves away from the pointer', async () => {
    const on = await stage(oneWindow(silentButton()));
    on.world.node('app', 'go').onHover = (world) =>
      world.change('app', 'go', { bounds: { x: 400, y: 400, width: 80, height: 30 } });
    await click(on);
    expect(on.desktop.input.record.slice(-2)).toEqual(['left down 440,415', 'left up 440,415']);
  });

  it('is not confirmed by a window that opened before it was sent', async () => {
    const on = await stage(oneWindow(silentButton()));
    on.world.node('app', 'go').onHover = (world) => {
      world.apps[0]?.windows.push(windowWith([], { id: 'dialog', title: 'Saved', bounds: FAR }));
      world.emit('app', 'dialog-root', 'window-opened', '');
    };
    const receipt = await click(on);
    expect(receipt.effect).toBe('unverified');
    expect(receipt.changes).toMatchObject([{ kind: 'window_opened', name: 'Saved' }]);
  });

  it.each([
    ['menuitem', 'confirmed'],
    ['button', 'unverified'],
  ] as const)('on a %s that opens when the pointer comes is %s', async (role, effect) => {
    const on = await stage(oneWindow(silentButton({ role })));
    on.world.node('app', 'go').onHover = (world) => {
      const item: SimulatedNode = { id: 'item', role: 'menuitem', name: 'Copy' };
      if (world.findNode('app', 'item') === undefined) world.insert('app', 'go', item);
    };
    expect((await click(on)).effect).toBe(effect);
  });

  it.each([
    { input: 'earlier input', agoMs: 1, effect: 'unverified' },
    { input: 'that very input', agoMs: 0, effect: 'confirmed' },
    { input: 'input that it does not tell of', agoMs: undefined, effect: 'confirmed' },
  ])('that is followed by a window after $input is $effect', async ({ agoMs, effect }) => {
    const on = await stage(oneWindow(silentButton()));
    on.world.node('app', 'go').onPress = (world) => {
      const userTimeMs = agoMs === undefined ? undefined : world.clock.now() - agoMs;
      world.apps[0]?.windows.push({
        ...windowWith([], { id: 'dialog', title: 'Saved', bounds: FAR }),
        ...(userTimeMs === undefined ? {} : { userTimeMs }),
      });
      world.emit('app', 'dialog-root', 'window-opened', '');
    };
    const receipt = await click(on);
    expect(receipt).toMatchObject({ effect, changes: [{ kind: 'window_opened', name: 'Saved' }] });
  });

  it('brings the element into view first, or refuses', async () => {
    const hidden = silentButton({ states: ['offscreen'], bounds: { x: 10, y: 900, width: 80, height: 30 } });
    const refused = await stage(oneWindow(hidden));
    const ref = async (on: Stage): Promise<string> =>
      (await on.engine.find({ ...DEADLINE, query: 'Go', by: 'exact', limit: 1, wholeTree: true })).matches[0]
        ?.ref ?? '';
    expect(await failureOf(refused.engine.click({ ...DEADLINE, ref: await ref(refused) }))).toMatchObject({
      code: 'NOT_ACTIONABLE',
    });
    const on = await stage(
      oneWindow(silentButton({ states: ['offscreen'], bounds: { x: 10, y: 900, width: 80, height: 30 } })),
    );
    on.world.node('app', 'go').onScrollIntoView = (world) =>
      world.change('app', 'go', { states: [], bounds: { x: 10, y: 10, width: 80, height: 30 } });
    await on.engine.click({ ...DEADLINE, ref: await ref(on) });
    expect(on.desktop.input.record.at(-1)).toBe(`left up ${CENTRE}`);
  });
});

describe('keyboard and pointer', () => {
  it('are waited for while another session has them', async () => {
    const on = await stage(oneWindow(silentButton({ onPress: () => status(on, 'Pressed') })));
    await on.desktop.input.take('other', DEADLINE);
    on.world.clock.after(500, () => void on.desktop.input.release('other'));
    expect((await click(on)).effect).toBe('confirmed');
  });

  it('are not taken from it', async () => {
    const on = await stage(oneWindow(silentButton()));
    await on.desktop.input.take('other', DEADLINE);
    expect(await failureOf(click(on, { deadlineMs: 1000 }))).toMatchObject({
      code: 'CONFLICT',
      delivered: false,
    });
    expect(on.desktop.input.record).toEqual([]);
  });

  it('pause while the user works with them', async () => {
    const on = await stage(oneWindow(silentButton()));
    on.desktop.input.userActiveUntilMs = on.world.clock.now() + 700;
    const started = on.world.clock.now();
    await click(on);
    expect(on.world.clock.now() - started).toBeGreaterThan(700);
  });
});

describe('other gestures', () => {
  it('a double click presses twice', async () => {
    let pressed = 0;
    const on = await stage(oneWindow(silentButton({ onPress: () => pressed++ })));
    expect((await gesture(on, 'double-click')).via).toBe(`pointer:left button 2 times at ${CENTRE}`);
    expect(pressed).toBe(2);
  });

  it('a triple click presses three times', async () => {
    let pressed = 0;
    const on = await stage(oneWindow(silentButton({ onPress: () => pressed++ })));
    expect((await gesture(on, 'triple-click')).via).toBe(`pointer:left button 3 times at ${CENTRE}`);
    expect(pressed).toBe(3);
  });

  it('a right click is confirmed by the menu that opens', async () => {
    const menu: SimulatedNode = {
      id: 'menu',
      role: 'menuitem',
      name: 'Paste',
      bounds: { x: 60, y: 30, width: 80, height: 20 },
    };
    const on = await stage(
      oneWindow(silentButton({ onPointer: { right: (world) => world.insert('app', 'win-root', menu) } })),
    );
    const receipt = await gesture(on, 'right-click');
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.changes).toMatchObject([{ kind: 'appeared', role: 'menuitem', name: 'Paste' }]);
  });

  describe('a right click goes on where its menu opens over the element as soon as the button is down', () => {
    const there = { x: 300, y: 300, width: 80, height: 30 };
    const menu: SimulatedNode = {
      id: 'menu',
      role: 'menuitem',
      name: 'Paste',
      bounds: { x: 0, y: 0, width: 100, height: 50 },
    };
    const effectIfThen = async (bounds?: SimulatedNode['bounds']): Promise<string> => {
      const opens = (world: Stage['world']): void => {
        if (bounds !== undefined) world.change('app', 'go', { bounds });
        world.insert('app', 'win-root', menu);
      };
      return (await gesture(await stage(oneWindow(silentButton({ onDown: opens }))), 'right-click')).effect;
    };

    it('and the element stays, or is told with another width', async () => {
      expect(await effectIfThen()).toBe('confirmed');
      expect(await effectIfThen({ x: 10, y: 10, width: 60, height: 30 })).toBe('confirmed');
    });

    it('but not if the element is elsewhere by then', async () => {
      expect(await effectIfThen(there)).toBe('unverified');
    });
  });

  it('hovering is confirmed by the display and the application', async () => {
    const on = await stage(oneWindow(silentButton()));
    expect(await gesture(on, 'hover')).toMatchObject({ effect: 'confirmed', retry_safe: true });
    expect(on.desktop.input.record).toEqual([`move ${CENTRE}`]);
  });

  it('are not possible in the background', async () => {
    const on = await stage(oneWindow(silentButton()));
    const ref = await refOf(on.engine, 'Go');
    const error = await failureOf(
      on.engine.gesture({ ...DEADLINE, gesture: 'hover', ref, mode: 'background' }),
    );
    expect(error).toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
    expect(spelled(error.suggestion)).toContain('--mode pointer');
  });
});

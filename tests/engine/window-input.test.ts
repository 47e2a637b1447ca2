import { describe, expect, it } from 'vitest';
import { parseKey, parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { app, button, DEADLINE, failureOf, oneWindow, refOf, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const SAVE = parseKeyCombination('ctrl+s');
const STATUS: SimulatedNode = {
  id: 'status',
  role: 'button',
  name: 'Ready',
  bounds: { x: 300, y: 300, width: 80, height: 20 },
};

/** Two windows of two applications; the second has the keyboard. */
async function two(): Promise<Stage> {
  const first = windowWith([{ ...STATUS }], {
    title: 'First',
    onKey: (world, keys) => world.change('app', 'status', { name: keys }),
  });
  const second = windowWith([], { id: 'second', title: 'Second', focused: true });
  return stage([app({ windows: [first] }), app({ id: 'b', name: 'Other', pid: 2, windows: [second] })]);
}

describe('keys', () => {
  it('go to the given window, which comes to the front', async () => {
    const on = await two();
    const receipt = await on.engine.press({ ...DEADLINE, keys: SAVE, window: 'First' });
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      via: 'keyboard:Control+s',
      target: { role: 'window' },
    });
    expect(on.world.focusedWindow()?.title).toBe('First');
  });

  it('go to the focused window if none is given', async () => {
    const on = await two();
    const receipt = await on.engine.press({ ...DEADLINE, keys: SAVE });
    expect(receipt).toMatchObject({ effect: 'unverified', target: { name: 'Second' } });
    expect(on.world.node('app', 'status').name).toBe('Ready');
  });

  it('are not sent if nothing has the keyboard focus, or if the window does not get it', async () => {
    const nobody = await stage(oneWindow([]));
    expect(await failureOf(nobody.engine.press({ ...DEADLINE, keys: SAVE }))).toMatchObject({
      code: 'NOT_ACTIONABLE',
      delivered: false,
    });
    const on = await stage([app({ windows: [windowWith([], { ignores: ['focus'] })] })]);
    expect(await failureOf(on.engine.press({ ...DEADLINE, keys: SAVE, app: 'Editor' }))).toMatchObject({
      code: 'NOT_ACTIONABLE',
      delivered: false,
    });
    expect([...nobody.desktop.input.record, ...on.desktop.input.record]).toEqual([]);
  });

  it('that are held stay held between calls, and are released at the end', async () => {
    const on = await two();
    const held = await on.engine.holdKey({ ...DEADLINE, key: parseKey('shift'), isDown: true });
    expect(held.held).toEqual(['Shift']);
    await on.engine.press({ ...DEADLINE, keys: SAVE });
    expect(on.desktop.input.held).toEqual(['Shift']);
    await on.engine.releaseInput();
    expect(on.desktop.input.held).toEqual([]);
    expect(on.desktop.input.holder).toBeUndefined();
  });
});

describe('the pointer', () => {
  it('moves to a point, or relative to its position', async () => {
    const on = await two();
    await on.engine.mouse.move({ ...DEADLINE, point: { x: 100, y: 50 }, isRelative: false });
    const receipt = await on.engine.mouse.move({ ...DEADLINE, point: { x: -10, y: 5 }, isRelative: true });
    expect(receipt).toMatchObject({ effect: 'confirmed', via: 'pointer:moved to 90,55 on window "Second"' });
    expect(on.desktop.input.position).toEqual({ x: 90, y: 55 });
  });

  it('clicks a point and reports what is there', async () => {
    const on = await stage(
      oneWindow([button('go', 'Go', { onPress: (world) => world.change('app', 'go', { name: 'Gone' }) })]),
    );
    const receipt = await on.engine.mouse.click({
      ...DEADLINE,
      point: { x: 20, y: 20 },
      button: 'left',
      count: 1,
    });
    expect(receipt).toMatchObject({
      effect: 'confirmed',
      via: 'pointer:left button at 20,20 on button "Go"',
    });
  });

  it('is not confirmed by a window that opened before the application processed the click', async () => {
    const on = await stage(oneWindow([button('go', 'Go')]));
    on.world.node('app', 'go').onPress = (world) => {
      const userTimeMs = world.clock.now() - 1;
      world.apps[0]?.windows.push({ ...windowWith([], { id: 'dialog', title: 'Saved' }), userTimeMs });
      world.emit('app', 'dialog-root', 'window-opened', '');
    };
    const click = { ...DEADLINE, point: { x: 20, y: 20 }, button: 'left', count: 1 } as const;
    expect(await on.engine.mouse.click(click)).toMatchObject({
      effect: 'unverified',
      changes: [{ kind: 'window_opened', name: 'Saved' }],
    });
  });

  it('does not move for a point outside the screen, and what is held stays held', async () => {
    const on = await two();
    const { mouse } = on.engine;
    const left = { ...DEADLINE, button: 'left', count: 1 } as const;
    await mouse.move({ ...DEADLINE, point: { x: 1915, y: 5 }, isRelative: false });
    await mouse.hold({ ...left, isDown: true });
    const before = [...on.desktop.input.record];
    const asked = [
      mouse.move({ ...DEADLINE, point: { x: 1920, y: 5 }, isRelative: false }),
      mouse.move({ ...DEADLINE, point: { x: 5, y: 0 }, isRelative: true }),
      mouse.click({ ...left, point: { x: 5, y: -1 } }),
    ];
    for (const error of await Promise.all(asked.map((each) => failureOf(each)))) {
      expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', delivered: false });
      expect(error.message).toContain('outside the screen, which is 1920x1080 pixels');
    }
    expect(on.desktop.input.record).toEqual(before);
    expect(on.desktop.input.held).toEqual(['left button']);
  });

  it('goes to points on any monitor, but not between them', async () => {
    const on = await two();
    on.world.screen = {
      width: 1920,
      height: 1080,
      monitors: [
        { x: -800, y: 0, width: 800, height: 600, scale: 2 },
        { x: 0, y: 300, width: 1120, height: 780, scale: 1.5 },
      ],
    };
    const move = (x: number, y: number) =>
      on.engine.mouse.move({ ...DEADLINE, point: { x, y }, isRelative: false });
    expect(await move(-800, 0)).toMatchObject({ effect: 'confirmed' });
    expect(await move(1119, 1079)).toMatchObject({ effect: 'confirmed' });
    expect(await failureOf(move(500, 299))).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: '500,299 is on no monitor.',
      suggestion:
        'Choose a point from -800,0 to -1,599, or from 0,300 to 1119,1079; use references for elements.',
    });
  });

  it('clicks the bare screen, too', async () => {
    const on = await stage(oneWindow([]));
    const receipt = await on.engine.mouse.click({
      ...DEADLINE,
      point: { x: 1900, y: 1000 },
      button: 'right',
      count: 1,
    });
    expect(receipt).toMatchObject({ effect: 'unverified', target: { role: 'window', name: 'screen' } });
    expect(receipt.target.ref).toBeUndefined();
  });
});

describe('scrolling', () => {
  const rows = (top: number): SimulatedNode[] =>
    Array.from({ length: 5 }, (_, index) => ({
      id: `row${index}`,
      role: 'listitem',
      name: `Row ${index}`,
      bounds: { x: 0, y: top + index * 20, width: 100, height: 20 },
    }));
  const list = (): SimulatedNode => ({
    id: 'list',
    role: 'list',
    name: 'Rows',
    bounds: { x: 0, y: 0, width: 100, height: 100 },
    children: rows(0),
  });
  const scrolling = async (): Promise<Stage> => {
    const on = await stage(oneWindow([list()]));
    // The wheel reaches the row under the pointer, which passes it to its container.
    for (const row of on.world.node('app', 'list').children ?? [])
      row.onWheel = (world, { y }) => {
        for (const each of world.node('app', 'list').children ?? [])
          if (each.bounds)
            world.change('app', each.id, { bounds: { ...each.bounds, y: each.bounds.y - y * 10 } });
      };
    return on;
  };
  const down = { ...DEADLINE, direction: 'down', amount: 100 } as const;

  it('is confirmed by elements that moved by the same distance', async () => {
    const on = await scrolling();
    const receipt = await on.engine.scroll({ ...down, ref: await refOf(on.engine, 'Row 1') });
    expect(receipt).toMatchObject({ effect: 'confirmed', via: 'pointer:wheel 2 notches down' });
    expect(receipt.evidence[0]).toBe('fresh read: 5 elements moved by 0,-20 pixels');
  });

  it('is a failure if nothing moves', async () => {
    const on = await stage(oneWindow([list()]));
    const error = await failureOf(on.engine.scroll({ ...down, app: 'Editor' }));
    expect(error).toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'no_op', retry_safe: true } });
  });

  it('brings an element into view, without the pointer if possible', async () => {
    const on = await scrolling();
    on.world.change('app', 'row4', {
      states: ['offscreen'],
      bounds: { x: 0, y: 900, width: 100, height: 20 },
    });
    on.world.node('app', 'row4').onScrollIntoView = (world) => {
      for (const [index, row] of (world.node('app', 'list').children ?? []).entries())
        world.change('app', row.id, {
          states: [],
          bounds: { x: 0, y: index * 20 - 40, width: 100, height: 20 },
        });
    };
    const [found] = (
      await on.engine.find({ ...DEADLINE, query: 'Row 4', by: 'exact', limit: 1, wholeTree: true })
    ).matches;
    const request = { ...DEADLINE, ref: found?.ref ?? '' };
    expect(await on.engine.scrollTo(request)).toMatchObject({
      effect: 'confirmed',
      via: 'simulated:scroll-into-view',
    });
    expect(await on.engine.scrollTo(request)).toMatchObject({ effect: 'confirmed', delivered: false });
    expect(on.desktop.input.record).toEqual([]);
  });
});

describe('dragging', () => {
  const from = button('from', 'From', { bounds: { x: 0, y: 0, width: 20, height: 20 } });
  const to = button('to', 'To', { bounds: { x: 200, y: 0, width: 20, height: 20 } });

  it('goes from one element to another with the button held', async () => {
    const on = await stage(oneWindow([{ ...from }, { ...to }]));
    const receipt = await on.engine.drag({
      ...DEADLINE,
      from: { ref: await refOf(on.engine, 'From') },
      to: { ref: await refOf(on.engine, 'To') },
      durationMs: 200,
    });
    expect(receipt.via).toBe('pointer:drag from 10,10 to 210,10');
    const { record } = on.desktop.input;
    expect(record[1]).toBe('left down 10,10');
    expect(record.slice(-2)).toEqual(['move 210,10', 'left up 210,10']);
  });

  it('is confirmed by the position of its element only if the pointer carried it there', async () => {
    const effects: string[] = [];
    for (const at of [
      { x: 200, y: 0 },
      { x: 60, y: 90 },
    ]) {
      const moving = button('from', 'From', {
        ...from,
        onDown: (world) => world.change('app', 'from', { bounds: { ...at, width: 20, height: 20 } }),
      });
      const on = await stage(
        oneWindow([moving, { ...to, bounds: { x: 300, y: 300, width: 20, height: 20 } }]),
      );
      on.world.clock.after(400, () => on.world.focus('app', 'to'));
      const { effect } = await on.engine.drag({
        ...DEADLINE,
        from: { ref: await refOf(on.engine, 'From') },
        to: { point: { x: 210, y: 10 } },
        durationMs: 200,
      });
      effects.push(effect);
    }
    expect(effects).toEqual(['confirmed', 'unverified']);
  });

  it('is refused before anything is pressed if an end of it is outside the screen', async () => {
    const on = await stage(oneWindow([{ ...from }]));
    const inside = { ref: await refOf(on.engine, 'From') };
    const outside = { point: { x: 100, y: 1080 } };
    const ends = [
      { from: inside, to: outside },
      { from: outside, to: inside },
    ];
    for (const end of ends) {
      const error = await failureOf(on.engine.drag({ ...DEADLINE, ...end, durationMs: 200 }));
      expect(error).toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: '100,1080 is outside the screen, which is 1920x1080 pixels.',
        delivered: false,
      });
    }
    expect(on.desktop.input.record).toEqual([]);
  });

  it('is a failure if the pointer does not reach its end', async () => {
    const on = await stage(oneWindow([{ ...from }, { ...to }]));
    const refs = [await refOf(on.engine, 'From'), await refOf(on.engine, 'To')];
    on.desktop.input.pointer = async () => ({ x: 150, y: 10 });
    const ends = { from: { ref: refs[0] ?? '' }, to: { ref: refs[1] ?? '' } };
    const error = await failureOf(on.engine.drag({ ...DEADLINE, ...ends, durationMs: 200 }));
    expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: true });
    expect(error.message).toContain('at 150,10 instead of 210,10');
    expect(on.desktop.input.held).toEqual([]);
  });

  it('ends with the button released if a window closes on the way', async () => {
    const on = await stage(oneWindow([{ ...from }, { ...to }]));
    const refs = [await refOf(on.engine, 'From'), await refOf(on.engine, 'To')];
    on.world.clock.after(1200, () => {
      for (const each of on.world.apps) each.windows = [];
    });
    const error = await failureOf(
      on.engine.drag({
        ...DEADLINE,
        from: { ref: refs[0] ?? '' },
        to: { ref: refs[1] ?? '' },
        durationMs: 3000,
      }),
    );
    expect(error).toMatchObject({ code: 'WINDOW_NOT_FOUND', delivered: true });
    expect(on.desktop.input.held).toEqual([]);
    expect(on.desktop.input.record.at(-1)).toBe('left up');
  });
});

import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import { parseKeyCombination } from '../../src/model/text/key-combination.ts';
import type { Bounds } from '../../src/model/tree/bounds.ts';
import type { SimulatedNode, SimulatedWindow, SimulatedWorld } from '../simulated/simulated-world.ts';
import { click, every, pressing } from './support/acting.ts';
import {
  app,
  button,
  DEADLINE,
  flatten,
  refOf,
  snapshot,
  stage,
  windowWith,
  type Stage,
} from './support/stage.ts';

const AT = { x: 10, y: 40, width: 80, height: 20 };
const FAR: Bounds = { x: 300, y: 200, width: 200, height: 100 };
const LINE: Bounds = { x: 300, y: 200, width: 60, height: 12 };

/** Draws on the window, of which the tree tells nothing. */
function draw(world: SimulatedWorld, ...parts: readonly Bounds[]): void {
  const [window] = world.apps[0]?.windows ?? [];
  if (window) window.drawn = parts.map((bounds) => ({ bounds, grey: 0x20 }));
}

const drawing = (...parts: readonly Bounds[]): SimulatedNode =>
  pressing((world) => draw(world, ...parts), { bounds: AT });

function on(
  nodes: SimulatedNode[],
  more: Partial<SimulatedWindow> = {},
  activationDelayMs?: number,
): Promise<Stage> {
  const delay = activationDelayMs === undefined ? {} : { activationDelayMs };
  return stage([app({ windows: [windowWith(nodes, { focused: true, ...more })], ...delay })]);
}

async function byPointer(of: Stage): Promise<Receipt> {
  return of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Go'), mode: 'pointer' });
}

describe('the picture of a window confirms an act that the tree shows nothing of', () => {
  it('if it changed away from the element, and then stayed', async () => {
    const receipt = await click(await on([drawing(LINE)]));
    expect(receipt).toMatchObject({ effect: 'confirmed', retry_safe: false });
    expect(receipt.evidence).toEqual([
      'the application accepted the action',
      'the tree shows no change',
      'the picture of the window changed at 300,200 (60 × 12 pixels) when the act took effect, and then stayed',
    ]);
    expect(receipt.changes).toBeUndefined();
  });

  it('in what keeps the focus, whatever else says that it has it, but not in what takes it', async () => {
    const effects = ([['focused'], []] as const).map(async (states) => {
      const shown: SimulatedNode = { id: 'shown', role: 'group', bounds: FAR, states: [...states] };
      const link: SimulatedNode = {
        id: 'link',
        role: 'link',
        bounds: { ...LINE, y: 400 },
        states: ['focused'],
      };
      const turn = (world: SimulatedWorld): void => {
        draw(world, LINE);
        world.node('app', 'link').states = [];
        world.node('app', 'shown').states = ['focused'];
      };
      return (await click(await on([pressing(turn, { bounds: AT }), shown, link]))).effect;
    });
    expect(await Promise.all(effects)).toEqual(['confirmed', 'unverified']);
  });

  it('also for keys, and for the pointer if more changed than it could leave anywhere', async () => {
    const keyed = await on([], { onKey: (world) => draw(world, LINE) });
    const keys = parseKeyCombination('F5');
    expect((await keyed.engine.press({ ...DEADLINE, keys })).effect).toBe('confirmed');
    expect((await byPointer(await on([drawing(FAR)]))).effect).toBe('confirmed');
  });

  it('also for keys whose answer stands in the tree, of which no event tells', async () => {
    const shell: SimulatedNode = { id: 'shell', role: 'terminal', name: 'Shell', value: '$', bounds: FAR };
    const on = async (isDrawn: boolean): Promise<Stage> => {
      const answer = (world: SimulatedWorld): void => {
        world.node('app', 'shell').value = '$ ^[[21~';
        if (isDrawn) draw(world, LINE);
      };
      const window = windowWith([{ ...shell }], { focused: true, onKey: answer });
      return stage([app({ windows: [window] })]);
    };
    const keys = parseKeyCombination('F10');
    expect((await (await on(true)).engine.press({ ...DEADLINE, keys })).effect).toBe('confirmed');
    expect((await (await on(false)).engine.press({ ...DEADLINE, keys })).effect).toBe('unverified');
  });

  it('also where something appeared in what had the focus, of which no event tells', async () => {
    const page: Bounds = { x: 100, y: 100, width: 600, height: 400 };
    const bar: Bounds = { x: 300, y: 100, width: 300, height: 46 };
    const drawnBar: Bounds = { ...bar, x: 480, width: 80 };
    const keys = parseKeyCombination('ctrl+f');
    for (const [drawn, isTold, effect] of [
      [drawnBar, true, 'confirmed'],
      // What is drawn elsewhere in it may be of the focus that it lost.
      [{ ...drawnBar, y: 300 }, true, 'unverified'],
      [drawnBar, false, 'unverified'],
    ] as const) {
      const editor: SimulatedNode = { id: 'editor', role: 'textbox', bounds: page, states: ['focused'] };
      const find = (world: SimulatedWorld): void => {
        draw(world, drawn);
        world.node('app', 'editor').states = [];
        const next: SimulatedNode = { id: 'next', role: 'button', name: 'Next', bounds: drawnBar };
        const found: SimulatedNode = { id: 'bar', role: 'group', bounds: bar, children: [next] };
        if (isTold) world.node('app', 'win-root').children?.push(found);
      };
      const of = await on([editor], { onKey: find });
      expect((await of.engine.press({ ...DEADLINE, keys })).effect).toBe(effect);
    }
  });

  it('also at the mark of the focus, for keys that move it, of which no event tells', async () => {
    const { x, y, width } = FAR;
    const ring = [
      { x, y, width, height: 4 },
      { x, y: y + 26, width, height: 4 },
      { x, y, width: 4, height: 30 },
      { x: x + width - 4, y, width: 4, height: 30 },
    ];
    const field: SimulatedNode = {
      id: 'field',
      role: 'textbox',
      states: ['focused'],
      bounds: { ...FAR, height: 30 },
    };
    for (const [keys, effect] of [
      ['Tab', 'confirmed'],
      ['ArrowDown', 'confirmed'],
      ['F2', 'unverified'],
    ] as const) {
      const of = await on([{ ...field }], { onKey: (world) => draw(world, ...ring) });
      const receipt = await of.engine.press({ ...DEADLINE, keys: parseKeyCombination(keys) });
      expect([keys, receipt.effect]).toEqual([keys, effect]);
    }
  });

  it('also for a tab that is selected and does not report it', async () => {
    const pages = (onChoose: (world: SimulatedWorld) => void): SimulatedNode => {
      const tab: SimulatedNode = { id: 'plot', role: 'tab', name: 'Plot', bounds: AT, onChoose };
      return { id: 'tabs', role: 'tablist', children: [tab] };
    };
    for (const [parts, effect] of [
      [[FAR], 'confirmed'],
      [[AT], 'unverified'],
      [[], 'unverified'],
    ] as const) {
      const of = await on([pages((world) => draw(world, ...parts))]);
      const ref = await refOf(of.engine, 'Plot');
      expect((await of.engine.select({ ...DEADLINE, ref })).effect).toBe(effect);
    }
  });

  it('also in its own place for an option that a fresh reading shows selected, of which no event tells', async () => {
    const layers = (parts: readonly Bounds[]): SimulatedNode => {
      const onChoose = (world: SimulatedWorld): void => {
        world.node('app', 'lines').states = ['selectable', 'selected'];
        draw(world, ...parts);
      };
      const states: SimulatedNode['states'] = ['selectable'];
      const tab: SimulatedNode = { id: 'lines', role: 'tab', name: 'Lines', bounds: AT, states, onChoose };
      return { id: 'tabs', role: 'tablist', children: [tab] };
    };
    const part = { ...AT, width: 60 };
    for (const [parts, effect] of [
      [[part], 'confirmed'],
      [[], 'unverified'],
      [[FAR], 'unverified'],
    ] as const) {
      const of = await on([layers(parts)]);
      const ref = await refOf(of.engine, 'Lines');
      expect((await of.engine.select({ ...DEADLINE, ref })).effect).toBe(effect);
    }
  });

  it('and is not asked where the tree shows the effect', async () => {
    const told = pressing((world) => {
      draw(world, FAR);
      world.change('app', 'go', { name: 'Gone' });
    });
    const receipt = await click(await on([told]));
    expect(receipt.effect).toBe('confirmed');
    expect(receipt.evidence.join()).not.toContain('picture');
  });
});

describe('the header of a column shows in its own place how its table is sorted', () => {
  const ARROW: Bounds = { x: 70, y: 46, width: 8, height: 8 };
  const header = (more: Partial<SimulatedNode>): SimulatedNode => ({
    id: 'size',
    role: 'columnheader',
    name: 'Size',
    bounds: AT,
    ...more,
  });
  const other: SimulatedNode = {
    id: 'other',
    role: 'image',
    bounds: { x: 0, y: 0, width: 200, height: 20 },
    onHover: (world) => draw(world, ...(world.findNode('app', 'sorted') ? [ARROW] : [])),
  };
  const sort = (world: SimulatedWorld): void => {
    world.node('app', 'other').children = [{ id: 'sorted', role: 'generic' }];
    draw(world, ARROW);
  };
  const work = async (node: SimulatedNode): Promise<{ on: Stage; effect: string }> => {
    const of = await on([{ ...other, children: [] }, node]);
    of.desktop.input.position = { x: 150, y: 10 };
    const { effect } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Size') });
    return { on: of, effect };
  };

  it('which confirms a click once the pointer is where it was', async () => {
    const { on: of, effect } = await work(header({ onPointer: { left: sort } }));
    expect(effect).toBe('confirmed');
    expect(of.desktop.input.record.at(-1)).toBe('move 150,10');
  });

  it('which confirms a click beside a focused row that is made anew', async () => {
    const focused: SimulatedNode = {
      id: 'row',
      role: 'cell',
      name: 'Mail',
      states: ['focused'],
      bounds: FAR,
    };
    const remakes = (world: SimulatedWorld): void => {
      sort(world);
      world.remove('app', 'row');
      world.insert('app', 'rows', { ...focused, id: 'row again' });
    };
    const of = await on([
      { ...other, children: [] },
      header({ onPointer: { left: remakes } }),
      { id: 'rows', role: 'tree', bounds: FAR, children: [focused] },
    ]);
    of.desktop.input.position = { x: 150, y: 10 };
    const { effect } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Size') });
    expect(effect).toBe('confirmed');
  });

  it.each([
    ['of another column goes', 'columnheader', 'confirmed'],
    ['elsewhere goes, which need not be of it', 'image', 'unverified'],
  ] as const)('which is cut off, where the sign %s', async (_, role, expected) => {
    const of = await on([
      { id: 'place', role: 'image', bounds: { x: 0, y: 0, width: 200, height: 20 } },
      header({ onPointer: { left: (world) => draw(world) } }),
      { id: 'name', role, name: 'Name', bounds: { ...AT, x: 300 } },
    ]);
    draw(of.world, { ...ARROW, x: 350 });
    of.desktop.input.position = { x: 150, y: 10 };
    const { effect } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Size') });
    expect(effect).toBe(expected);
  });

  it('which is cut off, where the sign in another table beside it goes, which need not be of it', async () => {
    const name: SimulatedNode = { id: 'name', role: 'columnheader', name: 'Name', bounds: { ...AT, x: 300 } };
    const of = await on([
      { id: 'place', role: 'image', bounds: { x: 0, y: 0, width: 200, height: 20 } },
      {
        id: 'left',
        role: 'table',
        bounds: { ...AT, width: 100, height: 200 },
        children: [header({ onPointer: { left: (world) => draw(world) } })],
      },
      { id: 'right', role: 'table', bounds: { ...AT, x: 300, height: 200 }, children: [name] },
    ]);
    draw(of.world, { ...ARROW, x: 350 });
    of.desktop.input.position = { x: 150, y: 10 };
    const { effect } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Size') });
    expect(effect).toBe('unverified');
  });

  it('which the pointer alone does not do', async () => {
    const glow = header({ onHover: (world) => draw(world, AT), onPointer: { left: () => undefined } });
    expect((await work(glow)).effect).toBe('unverified');
  });

  it.each([
    ['a small sign confirms', [ARROW], 'confirmed'],
    ['another colour of all of it does not', [AT], 'unverified'],
    ['two signs do not', [ARROW, { ...ARROW, x: AT.x + 2, width: 4 }], 'unverified'],
  ] as const)('also where the click moves the focus to the table: %s', async (_, parts, expected) => {
    const after = {
      ...other,
      onHover: (world: SimulatedWorld): void =>
        draw(world, ...(world.findNode('app', 'sorted') ? parts : [])),
    };
    const moving = (world: SimulatedWorld): void => {
      world.node('app', 'other').children = [{ id: 'sorted', role: 'generic' }];
      draw(world, ...parts);
      world.focus('app', 'rows');
    };
    const of = await on([
      { ...after, children: [] },
      header({ onPointer: { left: moving } }),
      { id: 'rows', role: 'tree', bounds: FAR },
      { id: 'field', role: 'textbox', states: ['focused'], bounds: { ...FAR, y: FAR.y + 200, height: 20 } },
    ]);
    of.desktop.input.position = { x: 150, y: 10 };
    const { effect } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Size') });
    expect(effect).toBe(expected);
  });

  it('which is not looked at if the header itself took the focus', async () => {
    const focusing = header({
      onPointer: {
        left: (world) => {
          sort(world);
          world.focus('app', 'size');
        },
      },
    });
    expect((await work(focusing)).effect).toBe('unverified');
  });
});

describe('what is drawn, such as a cell of a palette, shows its effect elsewhere', () => {
  const work = async (more: Partial<SimulatedNode>): Promise<{ on: Stage; effect: string }> => {
    const cell: SimulatedNode = { id: 'blue', role: 'cell', name: 'Blue', bounds: AT, ...more };
    const of = await on([
      { id: 'place', role: 'image', bounds: { x: 0, y: 0, width: 200, height: 20 } },
      cell,
    ]);
    of.desktop.input.position = { x: 150, y: 10 };
    const { effect } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Blue') });
    return { on: of, effect };
  };

  it('which confirms a click once the pointer is where it was', async () => {
    const { on: of, effect } = await work({ onPointer: { left: (world) => draw(world, LINE) } });
    expect(effect).toBe('confirmed');
    expect(of.desktop.input.record.at(-1)).toBe('move 150,10');
  });

  it('which does not if it came with the pointer, though it stays without it', async () => {
    const { effect } = await work({
      onHover: (world) => draw(world, LINE),
      onPointer: { left: () => undefined },
    });
    expect(effect).toBe('unverified');
  });

  it('and is aimed at again if it moves while that picture is taken', async () => {
    const to = { ...AT, y: AT.y + 100 };
    const cell: SimulatedNode = { id: 'blue', role: 'cell', name: 'Blue', bounds: AT };
    const of = await on([{ ...cell, onPointer: { left: (world) => draw(world, LINE) } }]);
    const capture = of.desktop.capture.bind(of.desktop);
    of.desktop.capture = async (target) => {
      const image = await capture(target);
      if (of.desktop.input.record.length === 1) of.world.change('app', 'blue', { bounds: to });
      return image;
    };
    const { via } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Blue') });
    expect(via).toContain(`at ${to.x + to.width / 2},${to.y + to.height / 2}`);
  });

  it('which does not if it goes with the pointer', async () => {
    const late = (world: SimulatedWorld): void => draw(world, LINE);
    const of = await on([
      {
        id: 'place',
        role: 'image',
        bounds: { x: 0, y: 0, width: 200, height: 20 },
        onHover: (world) => draw(world),
      },
      { id: 'blue', role: 'cell', name: 'Blue', bounds: AT, onPointer: { left: late } },
    ]);
    of.desktop.input.position = { x: 150, y: 10 };
    const { effect } = await of.engine.click({ ...DEADLINE, ref: await refOf(of.engine, 'Blue') });
    expect(effect).toBe('unverified');
  });
});

describe('the picture of a window confirms nothing', () => {
  const nothing = async (of: Promise<Stage>): Promise<string> => {
    const { effect, evidence } = await click(await of);
    return `${effect}: ${evidence.at(-1)}`;
  };
  const UNCHANGED = 'unverified: nothing visible changed';

  it('at the element itself and right beside it, where the press shows', async () => {
    const around = { x: AT.x - 3, y: AT.y - 3, width: AT.width + 6, height: AT.height + 6 };
    expect(await nothing(on([drawing(around)]))).toBe(UNCHANGED);
  });

  it('at what loses the focus', async () => {
    const field: SimulatedNode = { id: 'field', role: 'listbox', states: ['focused'], bounds: FAR };
    const go = pressing(
      (world) => {
        draw(world, { ...FAR, height: 20 });
        world.focus('app', 'go');
      },
      { bounds: AT },
    );
    expect(await nothing(on([field, go]))).toContain('unverified');
  });

  it('by a ring, a caret or the line under a letter', async () => {
    const { x, y, width, height } = FAR;
    const ring = [
      { x, y, width, height: 2 },
      { x, y: y + height - 2, width, height: 2 },
      { x, y, width: 2, height },
      { x: x + width - 2, y, width: 2, height },
    ];
    expect(await nothing(on([drawing(...ring)]))).toContain('unverified');
    expect(await nothing(on([drawing({ x, y, width: 2, height: 18 })]))).toBe(UNCHANGED);
    expect(await nothing(on([drawing({ x, y, width: 9, height: 1 })]))).toBe(UNCHANGED);
  });

  it('if it is still changing', async () => {
    const animated = pressing(
      (world) => every(world, 130, 0, (beat) => draw(world, { ...FAR, width: 100 + beat })),
      { bounds: AT },
    );
    expect(await nothing(on([animated]))).toMatch(/^unverified: .* goes on changing$/);
  });

  it('by what blinks', async () => {
    const block = { ...LINE, width: 10, height: 20 };
    const of = await on([button('go', 'Go', { bounds: AT })]);
    const ref = await refOf(of.engine, 'Go');
    every(of.world, 530, 40, (beat) => draw(of.world, ...(beat % 2 === 0 ? [block] : [])));
    expect((await of.engine.click({ ...DEADLINE, ref })).effect).toBe('unverified');
  });

  it('by a clock that shows seconds', async () => {
    const of = await on([button('go', 'Go', { bounds: AT })]);
    const ref = await refOf(of.engine, 'Go');
    every(of.world, 1000, 40, (beat) => draw(of.world, { ...LINE, width: 40 + (beat % 9) }));
    expect((await of.engine.click({ ...DEADLINE, ref })).effect).toBe('unverified');
  });

  it('where something else covers the window, or did', async () => {
    expect(await nothing(on([drawing(LINE)], { covered: [FAR] }))).toBe(UNCHANGED);
  });

  it('some time later, and says so', async () => {
    const late = pressing((world) => world.clock.after(600, () => draw(world, FAR)), { bounds: AT });
    expect(await nothing(on([late]))).toMatch(/^unverified: .* some time later/);
  });

  it('if the application reported that it did not act', async () => {
    const denying = { ...drawing(FAR), denies: true };
    expect(await nothing(on([denying]))).toBe(UNCHANGED);
  });

  it('if the window itself was moved or activated', async () => {
    const moving = pressing(
      (world) => {
        draw(world, FAR);
        const [window] = world.apps[0]?.windows ?? [];
        if (window) window.focused = false;
      },
      { bounds: AT },
    );
    expect(await nothing(on([moving]))).toContain('unverified');
  });

  it('right after another act, whose answer it may be', async () => {
    const slow = button('slow', 'Slow', {
      bounds: { ...AT, y: 80 },
      onPress: (world) => {
        world.change('app', 'slow', { name: 'Pressed' });
        world.clock.after(400, () => draw(world, FAR));
      },
    });
    const of = await on([slow, button('go', 'Go', { bounds: AT })]);
    const ref = await refOf(of.engine, 'Go');
    expect((await click(of, 'Slow')).effect).toBe('confirmed');
    const receipt = await of.engine.click({ ...DEADLINE, ref });
    expect(receipt.effect).toBe('unverified');
  });

  it('by small changes if the pointer was used: a status line may tell what it is over', async () => {
    expect((await byPointer(await on([drawing(LINE)]))).effect).toBe('unverified');
    const here = { x: 20, y: 30, width: 200, height: 100 };
    const receipt = await byPointer(await on([drawing(here)]));
    expect(receipt.effect).toBe('unverified');
  });

  it('of what is switched and does not report it, unless it says so and is drawn so itself', async () => {
    const silent = (role: 'checkbox' | 'radio', isTold: boolean, place: Bounds): SimulatedNode => {
      let isOn = false;
      const switchOn = (world: SimulatedWorld): void => {
        draw(world, place);
        isOn = !isOn;
        if (isTold) world.emit('app', 'go', 'state-changed', `checked=${isOn ? 1 : 0}`);
      };
      const acts = { actions: ['click'], onPress: switchOn, onAct: { toggle: switchOn } };
      return { id: 'go', role, name: 'Go', mayBeSilent: true, bounds: AT, ...acts };
    };
    const inside = { ...AT, width: 16, height: 16 };
    for (const role of ['checkbox', 'radio'] as const) {
      const told = await on([silent(role, true, inside)]);
      expect([role, (await click(told)).effect]).toEqual([role, 'confirmed']);
      expect([role, (await byPointer(await on([silent(role, true, inside)]))).effect]).toEqual([
        role,
        'unverified',
      ]);
      expect([role, await nothing(on([silent(role, true, FAR)]))]).toEqual([
        role,
        expect.stringContaining('unverified'),
      ]);
    }
    expect((await click(await on([silent('checkbox', false, inside)]))).effect).toBe('unverified');
    const failing = click(await on([silent('radio', false, inside)]));
    await expect(failing).rejects.toMatchObject({ code: 'ACTION_FAILED' });
    const toggled = await on([silent('checkbox', true, inside)]);
    const ref = await refOf(toggled.engine, 'Go');
    const toggle = { ...DEADLINE, ref, act: 'toggle', mode: undefined } as const;
    expect((await toggled.engine.act(toggle)).effect).toBe('confirmed');
    // It is on, though a fresh reading does not say so.
    const off = toggled.engine.act({ ...toggle, to: 'on' });
    await expect(off).rejects.toMatchObject({ code: 'ACTION_FAILED', result: { effect: 'partial' } });
    const fresh = await on([silent('checkbox', true, inside)]);
    const first = { ...toggle, ref: await refOf(fresh.engine, 'Go'), to: 'on' } as const;
    expect((await fresh.engine.act(first)).effect).toBe('confirmed');
    const untold = await on([silent('checkbox', false, inside)]);
    const other = { ...toggle, ref: await refOf(untold.engine, 'Go'), to: 'on' } as const;
    expect(await untold.engine.act(other)).toMatchObject({ effect: 'unverified', retry_safe: false });
  });

  it('of a check box that stays as it was', async () => {
    const box: SimulatedNode = {
      id: 'box',
      role: 'menuitemcheckbox',
      name: 'Go',
      actions: ['click'],
      mayBeSilent: true,
      bounds: AT,
      onPress: (world) => draw(world, FAR),
    };
    expect(await nothing(on([box]))).toContain('unverified');
  });
});

it('a click at a canvas says where the picture changed, though the pointer may have done that', async () => {
  const canvas: SimulatedNode = {
    id: 'canvas',
    role: 'generic',
    name: 'Go',
    bounds: { x: 0, y: 0, width: 600, height: 400 },
    onPointer: { left: (world) => draw(world, { x: 295, y: 195, width: 10, height: 10 }) },
  };
  const of = await on([canvas]);
  const receipt = await of.engine.click({ ...DEADLINE, ref: 'role:generic[name="Go"]', mode: 'pointer' });
  expect(receipt.effect).toBe('unverified');
  expect(receipt.evidence.at(-1)).toMatch(/the picture of the window changed at 295,195 .* but so it may/);
});

describe('an item that its application made anew shows in its own place what a click did', () => {
  const ICON: Bounds = { x: 20, y: 44, width: 14, height: 14 };
  const rest: SimulatedNode = { id: 'rest', role: 'image', bounds: { x: 0, y: 0, width: 200, height: 20 } };
  const eye = (id: string, more: Partial<SimulatedNode> = {}): SimulatedNode => ({
    id,
    role: 'cell',
    name: '',
    bounds: AT,
    ...more,
  });
  const work = async (isRemade: boolean, more: Partial<SimulatedNode> = {}): Promise<string> => {
    const toggle = (world: SimulatedWorld): void => {
      draw(world, ICON);
      if (!isRemade) return;
      world.remove('app', 'eye');
      world.insert('app', 'layers', eye('eye again', more));
    };
    const of = await on([
      rest,
      { id: 'layers', role: 'table', bounds: AT, children: [eye('eye', { onPointer: { left: toggle } })] },
    ]);
    of.desktop.input.position = { x: 150, y: 10 };
    const { tree } = await snapshot(of.engine);
    const ref = flatten(tree).find(({ role }) => role === 'cell')?.ref;
    if (ref === undefined) throw new Error('the cell has no reference');
    return (await of.engine.click({ ...DEADLINE, ref, mode: 'pointer' })).effect;
  };

  it('if it is neither selected nor focused otherwise', async () => {
    expect(await work(true)).toBe('confirmed');
    expect(await work(true, { states: ['selected'] })).toBe('unverified');
  });

  it('one that stayed may only be marked', async () => {
    expect(await work(false)).toBe('unverified');
  });
});

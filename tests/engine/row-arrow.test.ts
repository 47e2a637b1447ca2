import { expect, it } from 'vitest';
import type { Receipt } from '../../src/model/effects/effect.ts';
import type { SimulatedNode, SimulatedWorld } from '../simulated/simulated-world.ts';
import { DEADLINE, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

type Run = (world: SimulatedWorld) => void;

const LEAF: SimulatedNode = {
  id: 'leaf',
  role: 'cell',
  name: 'Leaf',
  bounds: { x: 60, y: 60, width: 100, height: 20 },
};

/** A tree as Qt has them: no action on its rows, no event about them, and the tree itself is where the arrow is. */
function tree(onArrow: Run, more: Partial<SimulatedNode> = {}): Promise<Stage> {
  const row: SimulatedNode = {
    id: 'row',
    role: 'cell',
    name: 'Folder',
    states: ['collapsed'],
    bounds: { x: 40, y: 40, width: 120, height: 20 },
    onPointer: {
      left: (world) => {
        world.node('app', 'row').states = ['collapsed', 'selected'];
      },
    },
  };
  const rows = { id: 'tree', role: 'tree', bounds: { x: 20, y: 20, width: 200, height: 200 } } as const;
  return stage(oneWindow([{ ...rows, onPointer: { left: onArrow }, ...more, children: [row] }]));
}

async function expand(on: Stage): Promise<Receipt> {
  const ref = await refOf(on.engine, 'Folder');
  return on.engine.act({ ...DEADLINE, act: 'expand', ref, mode: 'pointer' });
}

const opens: Run = (world) => {
  world.node('app', 'row').states = ['expanded'];
  const { children = [] } = world.node('app', 'tree');
  world.node('app', 'tree').children = [...children, { ...LEAF }];
};

it('a row is opened by the arrow before it, and confirmed by the rows that appear below it', async () => {
  const on = await tree(opens);
  expect(await expand(on)).toMatchObject({
    effect: 'confirmed',
    evidence: ['fresh read: expanded', 'cell "Leaf" appeared'],
    via: 'pointer:left button at 32,50',
  });
  expect(on.world.node('app', 'row').states).toEqual(['expanded']);
});

it('so is one that accessibility opens, as in GTK 3', async () => {
  const on = await tree(() => undefined);
  on.world.node('app', 'row').onAct = { expand: opens };
  const ref = await refOf(on.engine, 'Folder');
  expect(await on.engine.act({ ...DEADLINE, act: 'expand', ref })).toMatchObject({
    effect: 'confirmed',
    evidence: ['fresh read: expanded', 'cell "Leaf" appeared'],
    via: 'simulated:expand',
  });
});

it('also where the cells of a row are parts of another cell', async () => {
  const part = (id: string, name: string, y: number, more: Partial<SimulatedNode> = {}): SimulatedNode => ({
    id,
    role: 'cell',
    children: [
      { id: `${id} text`, role: 'cell', name, bounds: { x: 40, y, width: 120, height: 20 }, ...more },
    ],
  });
  const onAct: SimulatedNode['onAct'] = {
    expand: (world) => {
      world.node('app', 'row text').states = ['expanded'];
      const { children = [] } = world.node('app', 'tree');
      world.node('app', 'tree').children = [...children, part('leaf', 'Leaf', 60)];
    },
  };
  const rows = [part('row', 'Folder', 40, { states: ['collapsed'], onAct })];
  const on = await stage(
    oneWindow([
      { id: 'tree', role: 'tree', bounds: { x: 20, y: 20, width: 200, height: 200 }, children: rows },
    ]),
  );
  const ref = await refOf(on.engine, 'Folder');
  expect(await on.engine.act({ ...DEADLINE, act: 'expand', ref })).toMatchObject({
    effect: 'confirmed',
    evidence: ['fresh read: expanded', 'cell "Leaf" appeared'],
  });
});

const opensEmpty: Run = (world) => {
  world.node('app', 'row').states = ['expanded'];
};

it('a row that accessibility opened is confirmed once its rows come, which may be later', async () => {
  const on = await tree(() => undefined);
  on.world.node('app', 'row').onAct = {
    expand: (world) => {
      opensEmpty(world);
      world.clock.after(400, () => {
        opens(world);
        world.emit('app', 'tree', 'children-changed', 'add');
      });
    },
  };
  const ref = await refOf(on.engine, 'Folder');
  expect(await on.engine.act({ ...DEADLINE, act: 'expand', ref })).toMatchObject({
    effect: 'confirmed',
    evidence: expect.arrayContaining(['fresh read: expanded', 'cell "Leaf" appeared']),
  });
});

it('but not by its state alone, nor by rows above it', async () => {
  const byAccessibility = async (expanded: Run): Promise<Receipt> => {
    const on = await tree(() => undefined);
    on.world.node('app', 'row').onAct = { expand: expanded };
    return on.engine.act({ ...DEADLINE, act: 'expand', ref: await refOf(on.engine, 'Folder') });
  };
  expect((await byAccessibility(opensEmpty)).effect).toBe('unverified');
  const above: Run = (world) => {
    opens(world);
    world.node('app', 'leaf').bounds = { x: 40, y: 20, width: 100, height: 20 };
  };
  expect((await byAccessibility(above)).effect).toBe('unverified');
});

it('rows that are out of view confirm it if they are the next ones', async () => {
  const unseen = (id: string): SimulatedNode => ({ id, role: 'cell', name: id, bounds: undefined });
  const expandInto = async (place: (rows: readonly SimulatedNode[]) => SimulatedNode[]): Promise<Receipt> => {
    const on = await tree(() => undefined);
    const { children = [] } = on.world.node('app', 'tree');
    on.world.node('app', 'tree').children = [...children, unseen('Next')];
    on.world.node('app', 'row').onAct = {
      expand: (world) => {
        opensEmpty(world);
        world.node('app', 'tree').children = place(world.node('app', 'tree').children ?? []);
      },
    };
    return on.engine.act({ ...DEADLINE, act: 'expand', ref: await refOf(on.engine, 'Folder') });
  };
  expect(
    await expandInto(([row, ...rest]) => [...(row ? [row] : []), unseen('Leaf'), ...rest]),
  ).toMatchObject({
    effect: 'confirmed',
    evidence: ['fresh read: expanded', 'cell "Leaf" appeared'],
  });
  // A list that grows at its end has not been opened.
  expect((await expandInto((rows) => [...rows, unseen('Leaf')])).effect).toBe('unverified');
});

it('a row without rows below it is taken at its word if it was the arrow that opened it', async () => {
  expect(await expand(await tree(opensEmpty))).toMatchObject({
    effect: 'confirmed',
    evidence: ['fresh read: expanded', 'it was collapsed before the click'],
  });
});

it('and not if the arrow did nothing', async () => {
  await expect(expand(await tree(() => undefined))).rejects.toMatchObject({ code: 'ACTION_FAILED' });
});

it('nothing is clicked beside what holds the row', async () => {
  const never: Run = () => {
    throw new Error('something was clicked');
  };
  const on = await tree(never, { bounds: { x: 40, y: 20, width: 180, height: 200 } });
  await expect(expand(on)).rejects.toMatchObject({ code: 'ACTION_NOT_SUPPORTED', delivered: false });
});

import { describe, expect, it } from 'vitest';
import type { SnapshotResult } from '../../src/engine/requests/reading.ts';
import type { OutputNode } from '../../src/model/tree/node.ts';
import { spelled } from '../spelled.ts';
import type { SimulatedNode, SimulatedWindow } from '../simulated/simulated-world.ts';
import { changesSince } from './support/changes.ts';
import { app, button, DEADLINE, stage, WHOLE, windowWith } from './support/stage.ts';

const PLACE = { x: 100, y: 200, width: 300, height: 150 };
const ICONS = [{ bounds: { x: 150, y: 220, width: 40, height: 40 }, grey: 0x20 }];
const view = (more: Partial<SimulatedNode> = {}): SimulatedNode => ({
  id: 'view',
  role: 'group',
  bounds: PLACE,
  ...more,
});

async function read(nodes: SimulatedNode[], more: Partial<SimulatedWindow> = {}): Promise<SnapshotResult> {
  const on = await stage([
    app({ windows: [windowWith([button('go', 'Go'), ...nodes], { drawn: ICONS, ...more })] }),
  ]);
  return on.engine.snapshot({ ...DEADLINE, ...WHOLE });
}

function holesOf({ tree }: SnapshotResult): readonly OutputNode[] {
  const all = (node: OutputNode): OutputNode[] => [node, ...(node.children ?? []).flatMap(all)];
  return all(tree).filter(({ elided_reason }) => elided_reason === 'undescribed');
}

describe('a large place that is drawn and that nothing describes', () => {
  it('is named by the snapshot, which is not complete, and has a reference', async () => {
    const found = await read([view()]);
    expect(found.complete).toBe(false);
    expect(found.incompleteReasons.map((reason) => spelled(reason))).toEqual([
      'something is drawn at 104,204 (292 × 142 pixels) that the application does not describe: look at it with "desk screenshot"',
    ]);
    expect(holesOf(found)).toMatchObject([{ role: 'group', ref: '@e2' }]);
  });

  it('is named, too, if boxes are around its scroll bars', async () => {
    const bar: SimulatedNode = {
      id: 'box',
      role: 'generic',
      bounds: { x: 385, y: 200, width: 15, height: 150 },
      children: [{ id: 'bar', role: 'scrollbar', bounds: { x: 385, y: 200, width: 15, height: 150 } }],
    };
    expect(holesOf(await read([view({ children: [bar] })]))).toHaveLength(1);
    const wide = { ...bar, bounds: { ...PLACE, width: 200 } };
    expect(holesOf(await read([view({ children: [wide] })]))).toMatchObject([{ role: 'generic' }]);
  });

  it('is named, too, in a window whose tree has no place', async () => {
    const on = await stage([app({ windows: [windowWith([button('go', 'Go'), view()], { drawn: ICONS })] })]);
    Reflect.deleteProperty(on.world.node('app', 'win-root'), 'bounds');
    expect(holesOf(await on.engine.snapshot({ ...DEADLINE, ...WHOLE }))).toHaveLength(1);
  });

  it('makes a search incomplete, which does not see into it', async () => {
    const on = await stage([app({ windows: [windowWith([button('go', 'Go'), view()], { drawn: ICONS })] })]);
    const search = { ...DEADLINE, by: 'auto', limit: 20, wholeTree: false } as const;
    for (const query of ['Go', 'Icon']) {
      const { complete, incompleteReasons } = await on.engine.find({ ...search, query });
      expect([complete, incompleteReasons.map((reason) => spelled(reason))]).toEqual([
        false,
        [expect.stringContaining('something is drawn at 104,204')],
      ]);
    }
  });

  it('is named, too, if it is a picture without a name', async () => {
    expect(holesOf(await read([view({ role: 'image' })]))).toHaveLength(1);
  });

  it('is named, too, if it is beside the tab it is in, or if a menu covers a part of it', async () => {
    const tab: SimulatedNode = {
      id: 'tab',
      role: 'tab',
      name: 'Icons',
      bounds: { x: 100, y: 170, width: 60, height: 20 },
      children: [{ id: 'pane', role: 'group', name: 'Icon view', bounds: PLACE, children: [view()] }],
    };
    expect(holesOf(await read([tab], { covered: [{ ...PLACE, x: 300 }] }))).toHaveLength(1);
  });

  it('does not change what later readings are compared with', async () => {
    const on = await stage([app({ windows: [windowWith([button('go', 'Go'), view()], { drawn: ICONS })] })]);
    const { cursor } = await on.engine.snapshot({ ...DEADLINE, ...WHOLE });
    const changes = await changesSince(on.engine, cursor);
    expect([changes.complete, changes.changes]).toEqual([true, []]);
  });

  it.each<[string, SimulatedNode[], Partial<SimulatedWindow>]>([
    ['is of one colour', [view()], { drawn: [] }],
    ['is small', [view({ bounds: { ...PLACE, height: 90 } })], {}],
    ['has a name', [view({ name: 'Map' })], {}],
    [
      'is a picture in a page',
      [view({ id: 'page', role: 'document', children: [view({ role: 'image' })] })],
      {},
    ],
    ['has content', [view({ children: [button('icon', 'Icon', { bounds: { ...PLACE, height: 20 } })] })], {}],
    ['is not on screen', [view({ states: ['hidden'] })], {}],
    ['is behind something that is described', [view(), button('above', 'Above', { bounds: PLACE })], {}],
    ['is in a text', [view({ id: 'page', value: 'All of it.', children: [view()] })], {}],
    ['is covered where it is drawn', [view()], { covered: [{ ...PLACE, width: 120 }] }],
  ])('is none if it %s', async (_what, nodes, more) => {
    const found = await read(nodes, more);
    expect([found.complete, holesOf(found)]).toEqual([true, []]);
  });
});

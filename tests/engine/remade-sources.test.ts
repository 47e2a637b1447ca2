import { describe, expect, it } from 'vitest';
import {
  remadeSources,
  remadeTarget,
  withKnownSources,
  withTargetKey,
} from '../../src/engine/evidence/remade-sources.ts';
import { diffTrees, type Reading } from '../../src/engine/evidence/window-diff.ts';
import type { TreeNode } from '../../src/model/tree/node.ts';
import type { DesktopPort } from '../../src/ports/desktop/desktop.ts';
import type { NodeDetails } from '../../src/ports/desktop/elements.ts';
import type { DesktopEvent } from '../../src/ports/desktop/events.ts';

const OPTIONS = { deadlineMs: 1000 };

function node(path: string, name: string, y: number, more: Partial<TreeNode> = {}): TreeNode {
  const bounds = { x: 0, y, width: 50, height: 20 };
  return {
    handle: { app: 'a', path },
    role: 'cell',
    nativeRole: 'table cell',
    name,
    states: [],
    bounds,
    children: [],
    ...more,
  };
}

function reading(...children: TreeNode[]): Reading {
  return { root: node('root', 'Window', 0, { role: 'window', children }), complete: true };
}

const slot = { container: 'tree', index: 0, count: 2 };
const selected = (path: string): DesktopEvent => ({
  kind: 'state-changed',
  node: { app: 'a', path },
  detail: 'selected=1',
  atMs: 5,
});

function describing(found: Readonly<Record<string, TreeNode>>): Pick<DesktopPort, 'describe'> {
  return {
    describe: async ({ path }) => {
      const one = found[path];
      if (one === undefined) throw new Error(`${path} was asked for`);
      const { handle, role, nativeRole, name, states, bounds } = one;
      const details = {
        handle,
        role,
        nativeRole,
        name,
        states,
        attributes: {},
        relations: [],
        interfaces: [],
      };
      return bounds === undefined ? details : { ...details, bounds };
    },
  };
}

describe('events of objects that a toolkit makes for them', () => {
  const window = reading(node('1', 'Copy', 20, { slot }), node('2', 'Paste', 40, { slot }));
  const both = { before: window, after: window, target: undefined };

  it('are those of the element with the same role, name and place', async () => {
    const desktop = describing({ '9': node('9', 'Paste', 40) });
    const sources = await remadeSources(desktop, [selected('9')], both, OPTIONS);
    expect(withKnownSources([selected('9')], sources)).toEqual([selected('2')]);
  });

  it('are those of what was acted on, whose object is older than the readings', async () => {
    const desktop = describing({ '9': node('9', 'Paste', 40) });
    const seen = { ...both, target: node('0', 'Paste', 40) };
    const sources = await remadeSources(desktop, [selected('9')], seen, OPTIONS);
    expect(withKnownSources([selected('9')], sources)).toEqual([selected('0')]);
  });

  it('are those of the cell over the whole row, if they come from one without a name there', async () => {
    const row = { bounds: { x: 0, y: 20, width: 50, height: 20 } };
    const spanning = reading(
      node('1', 'Copy', 20, { slot, bounds: { x: 12, y: 20, width: 38, height: 20 } }),
    );
    const seen = { before: spanning, after: spanning, target: undefined };
    const sources = await remadeSources(
      describing({ '9': node('9', '', 20, row) }),
      [selected('9')],
      seen,
      OPTIONS,
    );
    expect(withKnownSources([selected('9')], sources)).toEqual([selected('1')]);
    const beside = reading(node('1', 'Copy', 20, { slot, bounds: { x: 0, y: 20, width: 20, height: 20 } }));
    const others = await remadeSources(
      describing({ '9': node('9', '', 20, row) }),
      [selected('9')],
      { before: beside, after: beside, target: undefined },
      OPTIONS,
    );
    expect(others.size).toBe(0);
  });

  it('are nobody’s if no element is at that place, or if it cannot be read', async () => {
    const elsewhere = describing({ '9': node('9', 'Paste', 60) });
    expect((await remadeSources(elsewhere, [selected('9')], both, OPTIONS)).size).toBe(0);
    expect((await remadeSources(describing({}), [selected('9')], both, OPTIONS)).size).toBe(0);
  });

  it('cost nothing where objects stay, or are known', async () => {
    const steady = reading(node('1', 'Copy', 20));
    const asked = describing({});
    expect(
      (
        await remadeSources(
          asked,
          [selected('9')],
          { before: steady, after: steady, target: undefined },
          OPTIONS,
        )
      ).size,
    ).toBe(0);
    const events = [selected('1'), { ...selected('9'), kind: 'text-changed' as const }];
    expect(withKnownSources(events, await remadeSources(asked, events, both, OPTIONS))).toEqual(events);
  });
});

it('changes at the place of what was acted on are its own, whatever object shows them', () => {
  const row = (path: string, more: Partial<TreeNode>): TreeNode => node(path, 'Copy', 20, { slot, ...more });
  const other = node('3', 'Paste', 40);
  const [was, is] = [row('1', {}), row('1', { states: ['selected'] })];
  const changes = diffTrees(reading(was, other), reading(is, { ...other, states: ['selected'] }));
  const own = withTargetKey(changes, node('0', 'Copy', 20), 'a 0');
  expect(own.map(({ key }) => key)).toEqual(['a 0', changes[1]?.key]);
  expect(withTargetKey(changes, undefined, 'a 0')).toEqual(changes);
});

describe('what is in the place of an item that is gone', () => {
  const gone = async (name = ''): Promise<NodeDetails> =>
    describing({ '1': node('1', name, 20) }).describe({ app: 'a', path: '1' }, OPTIONS);
  const was = reading(node('1', '', 20), node('2', '', 40));

  it('is the one at the same position of the same container that looks alike', async () => {
    const is = reading(node('11', '', 20), node('12', '', 40));
    const now = await remadeTarget(
      describing({ '11': node('11', '', 20) }),
      await gone(),
      { before: was, after: is },
      OPTIONS,
    );
    expect(now?.handle.path).toBe('11');
  });

  it.each([
    ['of another name', reading(node('11', 'New', 20), node('12', '', 40))],
    ['elsewhere', reading(node('11', '', 60), node('12', '', 80))],
    ['not read', undefined],
    ['not made anew', was],
  ])('is nothing if it is %s', async (_what, after) => {
    const known = describing({ '1': node('1', '', 20), '11': node('11', '', 20) });
    expect(await remadeTarget(known, await gone(), { before: was, after }, OPTIONS)).toBeUndefined();
  });
});

import { expect, it } from 'vitest';
import { hitTest } from '../../src/engine/input/hit-test.ts';
import type { SimulatedNode } from '../simulated/simulated-world.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

const cell = { role: 'cell', mayBeBehindHeader: true } as const;

/** A table whose first row is scrolled halfway behind its header, and reported as being there, as Qt does. */
const table = (): SimulatedNode => ({
  id: 'table',
  role: 'table',
  bounds: { x: 10, y: 40, width: 300, height: 200 },
  children: [
    { id: 'header', role: 'columnheader', name: 'Name', bounds: { x: 10, y: 40, width: 300, height: 20 } },
    { ...cell, id: 'behind', name: 'First', bounds: { x: 10, y: 30, width: 300, height: 29 } },
    { ...cell, id: 'below', name: 'Second', bounds: { x: 10, y: 60, width: 300, height: 29 } },
  ],
});

async function click(name: string, prepare: (on: Stage) => void = () => undefined) {
  const on = await stage(oneWindow([table()]));
  const ref = await refOf(on.engine, name);
  prepare(on);
  return { on, clicking: on.engine.click({ ...DEADLINE, deadlineMs: 1000, ref, mode: 'pointer' }) };
}

it('a cell that is scrolled behind the header is not clicked through it', async () => {
  const { on, clicking } = await click('First');
  const error = await failureOf(clicking);
  expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  expect(error.message).toContain('covered by a columnheader "Name"');
  expect(on.desktop.input.record.join()).not.toContain('down');
});

it.each(['Name', 'Second'])('%s is clicked', async (name) => {
  expect((await (await click(name)).clicking).via).toContain('pointer:left button');
});

it('the headers are read before the point, so that the point is looked at last', async () => {
  const asked: string[] = [];
  const { clicking } = await click('Second', ({ desktop }) => {
    const { readTree, contentAt } = {
      readTree: desktop.readTree.bind(desktop),
      contentAt: desktop.contentAt.bind(desktop),
    };
    desktop.readTree = (request) => {
      if (request.maxDepth === 1) asked.push('headers');
      return readTree(request);
    };
    desktop.contentAt = (point) => {
      asked.push('point');
      return contentAt(point);
    };
  });
  await clicking;
  expect(asked.slice(0, 2)).toEqual(['headers', 'point']);
});

it.each([
  ['whose headers cannot be read', true, 'unknown'],
  ['of a toolkit that knows what its headers cover', false, 'target'],
])('a cell %s (%s) is a hit of the kind %s', async (_what, mayBeBehindHeader, kind) => {
  const { desktop } = await stage(oneWindow([table()]));
  const [window] = await desktop.listWindows(DEADLINE);
  if (window === undefined) throw new Error('no window');
  const node = { ...(await desktop.describe({ app: 'app', path: 'below' }, DEADLINE)), mayBeBehindHeader };
  desktop.readTree = () => Promise.reject(new Error('no answer'));
  const hit = await hitTest(desktop, { node, window, point: { x: 160, y: 74 } }, DEADLINE);
  expect(hit.kind).toBe(kind);
});

it.each([
  ['before all its headers were read', ['header'], 'unknown'],
  ['before any of its headers was read', ['behind', 'below'], 'unknown'],
  ['after its headers', ['header', 'behind'], 'target'],
])('a reading of the table that was cut off %s: a hit of the kind %s', async (_when, read, kind) => {
  const { desktop } = await stage(oneWindow([table()]));
  const [window] = await desktop.listWindows(DEADLINE);
  if (window === undefined) throw new Error('no window');
  const node = await desktop.describe({ app: 'app', path: 'below' }, DEADLINE);
  const readTree = desktop.readTree.bind(desktop);
  desktop.readTree = async (request) => {
    const { root, ...rest } = await readTree(request);
    const children = root.children.filter(({ handle }) => read.includes(handle.path));
    return { ...rest, root: { ...root, children }, complete: false };
  };
  const hit = await hitTest(desktop, { node, window, point: { x: 160, y: 74 } }, DEADLINE);
  expect(hit.kind).toBe(kind);
});

it('a cell behind a header is found there, also if the reading was cut off after it', async () => {
  const { desktop } = await stage(oneWindow([table()]));
  const [window] = await desktop.listWindows(DEADLINE);
  if (window === undefined) throw new Error('no window');
  const node = await desktop.describe({ app: 'app', path: 'behind' }, DEADLINE);
  const readTree = desktop.readTree.bind(desktop);
  desktop.contentAt = async () => ({
    windowId: window.id,
    isPopup: false,
    pid: window.pid,
    lineage: [node.handle],
  });
  desktop.readTree = async (request) => ({ ...(await readTree(request)), complete: false });
  const hit = await hitTest(desktop, { node, window, point: { x: 160, y: 50 } }, DEADLINE);
  expect(hit).toMatchObject({ kind: 'element', handle: { path: 'header' } });
});

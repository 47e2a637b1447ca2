import { expect, it } from 'vitest';
import { hitTest, pointIn } from '../../src/engine/input/hit-test.ts';
import type { Point } from '../../src/ports/input.ts';
import { unresponsive } from '../simulated/simulated-failures.ts';
import { DEADLINE, failureOf, oneWindow, refOf, stage, type Stage } from './support/stage.ts';

const WINDOW = { x: 0, y: 0, width: 100, height: 100 };

it.each([
  ['its middle', { x: 10, y: 10, width: 20, height: 10 }, { x: 20, y: 15 }],
  // By hand, too: people point at the same place whether or not an edge is cut off.
  ['its middle, where only an edge is outside', { x: 62, y: 10, width: 40, height: 10 }, { x: 82, y: 15 }],
  [
    'the middle of what shows, where its middle is outside',
    { x: 80, y: 10, width: 80, height: 10 },
    { x: 90, y: 15 },
  ],
  ['nowhere, where nothing shows', { x: 100, y: 10, width: 80, height: 10 }, undefined],
] as const)('points at an element in %s', (_, bounds, point) => {
  expect(pointIn(bounds, WINDOW)).toEqual(point);
});

it.each([
  ['is hit where its application has it', ['inside'], true, 4242, 'target'],
  ['is not hit where its application has something else', ['other'], true, 4242, 'window'],
  ['is not hit through the window of another application', ['inside'], true, 1, 'window'],
  ['is not hit through another window, if the display has both', ['inside'], false, 4242, 'window'],
])('what is drawn inside another window %s', async (_what, paths, isTreeOnly, pid, kind) => {
  const bounds = { x: 10, y: 10, width: 20, height: 20 };
  const { desktop } = await stage(
    oneWindow([
      { id: 'inside', role: 'button', name: 'Inside', bounds },
      { id: 'other', role: 'button', name: 'Other', bounds: { ...bounds, x: 50 } },
    ]),
  );
  const [found] = await desktop.listWindows(DEADLINE);
  if (found === undefined) throw new Error('no window');
  const window = { ...found, id: 'atspi:bubble', pid: 4242, isTreeOnly };
  const node = await desktop.describe({ app: 'app', path: 'inside' }, DEADLINE);
  desktop.contentAt = () =>
    Promise.resolve({
      windowId: found.id,
      pid,
      isPopup: false,
      lineage: paths.map((path) => ({ app: 'app', path })),
    });
  const hit = await hitTest(desktop, { node, window, point: { x: 20, y: 20 } }, DEADLINE);
  expect(hit.kind).toBe(kind);
});

it.each([
  ['is not where it is scrolled out of its list', { x: 0, y: 0, width: 100, height: 25 }, 'element'],
  ['may be where its list is, too', { x: 0, y: 0, width: 100, height: 50 }, 'unknown'],
])('what its application does not tell apart from its container %s', async (_what, bounds, kind) => {
  const row = { x: 0, y: 20, width: 100, height: 20 };
  const { desktop } = await stage(
    oneWindow([
      {
        id: 'page',
        role: 'group',
        name: '',
        children: [
          {
            id: 'list',
            role: 'list',
            name: '',
            bounds,
            children: [{ id: 'row', role: 'listitem', name: 'Row', bounds: row }],
          },
        ],
      },
    ]),
  );
  const [window] = await desktop.listWindows(DEADLINE);
  if (window === undefined) throw new Error('no window');
  const node = await desktop.describe({ app: 'app', path: 'row' }, DEADLINE);
  desktop.contentAt = () =>
    Promise.resolve({
      windowId: window.id,
      pid: window.pid,
      isPopup: false,
      lineage: [{ app: 'app', path: 'page' }],
    });
  const hit = await hitTest(desktop, { node, window, point: { x: 50, y: 30 } }, DEADLINE);
  expect(hit.kind).toBe(kind);
});

it.each(['row', 'page'])('says nothing about an element if %s is not read in time', async (late) => {
  const bounds = { x: 0, y: 20, width: 100, height: 20 };
  const row = { id: 'row', role: 'listitem', name: 'Row', bounds } as const;
  const { desktop } = await stage(
    oneWindow([{ id: 'page', role: 'group', name: '', children: [{ ...row, id: 'old' }] }, row]),
  );
  const [window] = await desktop.listWindows(DEADLINE);
  if (window === undefined) throw new Error('no window');
  const node = await desktop.describe({ app: 'app', path: 'old' }, DEADLINE);
  desktop.contentAt = () =>
    Promise.resolve({
      windowId: window.id,
      pid: window.pid,
      isPopup: false,
      lineage: [{ app: 'app', path: 'row' }],
    });
  const spot = { node: { ...node, name: 'Old' }, window, point: { x: 50, y: 30 } };
  expect((await hitTest(desktop, spot, DEADLINE)).kind).toBe('element');
  const describeNow = desktop.describe.bind(desktop);
  desktop.describe = (handle, options) =>
    handle.path === late ? Promise.reject(unresponsive(false)) : describeNow(handle, options);
  await expect(hitTest(desktop, spot, DEADLINE)).rejects.toMatchObject({ code: 'APP_UNRESPONSIVE' });
});

const BOX = {
  id: 'box',
  role: 'button',
  name: 'Elide',
  bounds: { x: 20, y: 100, width: 80, height: 20 },
} as const;

/** A button in a scrolled area of this height. As in Qt, the area has no role of its own, and below it the application reports only the window. */
async function inScrolledArea(height: number, role: 'generic' | 'combobox' = 'generic') {
  const area = { id: 'area', role, name: '', bounds: { x: 0, y: 40, width: 300, height } } as const;
  const on = await stage(oneWindow([{ ...area, children: [{ ...BOX }] }]));
  const contentAt = on.desktop.contentAt.bind(on.desktop);
  on.desktop.contentAt = async (point: Point) => {
    const content = await contentAt(point);
    return point.y < 40 + height ? content : { ...content, lineage: [{ app: 'app', path: 'win-root' }] };
  };
  return on;
}

const clickBox = async ({ engine }: Stage, ref: string) =>
  engine.click({ ...DEADLINE, deadlineMs: 1500, ref, mode: 'pointer' });

it.each([
  ['in its middle, where that shows', 72, '60,110'],
  ['in the middle of what shows, where its middle is below the area', 68, '60,104'],
])('a button in a scrolled area is clicked %s', async (_what, height, place) => {
  const on = await inScrolledArea(height);
  const ref = await refOf(on.engine, 'Elide');
  expect((await clickBox(on, ref)).via).toContain(`pointer:left button at ${place}`);
});

it('nothing is clicked below a scrolled area', async () => {
  const on = await inScrolledArea(72);
  const ref = await refOf(on.engine, 'Elide');
  on.world.change('app', 'box', { bounds: { ...BOX.bounds, y: 130 } });
  const error = await failureOf(clickBox(on, ref));
  expect(error).toMatchObject({ code: 'NOT_ACTIONABLE', delivered: false });
  expect(error.message).toContain('it is not on screen');
  expect(on.desktop.input.record.join()).not.toContain('down');
});

it('what opens beyond the box that holds it is clicked in its middle', async () => {
  const on = await inScrolledArea(20, 'combobox');
  const ref = await refOf(on.engine, 'Elide');
  expect((await clickBox(on, ref)).via).toContain('pointer:left button at 60,110');
});

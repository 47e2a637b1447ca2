import { afterAll, beforeAll, expect, it } from 'vitest';
import { REPLACE, words } from '../../../src/platform/linux/display/x11/properties.ts';
import { contentAt } from '../../../src/platform/linux/display/x11/windows/point-content.ts';
import { windowIdOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { readRootState } from '../../../src/platform/linux/display/x11/root-state.ts';
import { listPopups, listWindows } from '../../../src/platform/linux/display/x11/windows/window-list.ts';
import { X11Wire } from '../../../src/platform/linux/display/x11/wire.ts';
import { TestServer } from './x-server.ts';

/** The predefined atom. */
const WINDOW = 33;
const INPUT_OUTPUT = 1;
const FRAME = { x: 100, y: 100, width: 300, height: 200 };
const MENU = { x: 500, y: 100, width: 100, height: 80 };

let server: TestServer;
let wire: X11Wire;

beforeAll(async () => {
  server = await TestServer.start({ manager: false });
  wire = await X11Wire.connect(server.display, { deadlineMs: 5000 });
});
afterAll(() => {
  wire.close();
  server.stop();
});

async function show(
  parent: number,
  { x, y, width, height }: typeof FRAME,
  overrideRedirect: number,
): Promise<number> {
  const id = wire.allocateId();
  const values = { eventMask: 0, overrideRedirect };
  await wire.call('CreateWindow', id, parent, x, y, width, height, 0, 0, INPUT_OUTPUT, 0, values);
  await wire.call('MapWindow', id);
  return id;
}

type Property = '_NET_SUPPORTING_WM_CHECK' | '_NET_CLIENT_LIST' | '_NET_CLIENT_LIST_STACKING';

async function name(on: number, property: Property, ...windows: number[]) {
  await wire.call('ChangeProperty', REPLACE, on, wire.atom(property), WINDOW, 32, words(windows));
}

it('a frame that no window manager manages, as of i3, is no menu', async () => {
  const frame = await show(wire.root, FRAME, 1);
  const client = await show(frame, { ...FRAME, x: 2, y: 18 }, 0);
  const menu = await show(wire.root, MENU, 1);
  const manager = await show(wire.root, { x: 0, y: 0, width: 1, height: 1 }, 1);
  for (const on of [wire.root, manager]) await name(on, '_NET_SUPPORTING_WM_CHECK', manager);
  await name(wire.root, '_NET_CLIENT_LIST', client);
  const onClient = await contentAt(wire, { x: FRAME.x + 50, y: FRAME.y + 50 });
  expect(onClient.popup).toBeUndefined();
  expect(onClient.windowId).toBe(windowIdOf(client));
  expect((await contentAt(wire, { x: MENU.x + 5, y: MENU.y + 5 })).popup?.bounds).toEqual(MENU);
  const popups = (await listPopups(wire)).map(({ id }) => id);
  expect(popups).toContain(windowIdOf(menu));
  expect(popups).not.toContain(windowIdOf(frame));
});

it('a window that the manager has not yet put into its stack, as of xfwm4, is listed, and lies on top', async () => {
  const [below, fresh] = [await show(wire.root, FRAME, 0), await show(wire.root, FRAME, 0)];
  const manager = await show(wire.root, { x: 0, y: 0, width: 1, height: 1 }, 1);
  for (const on of [wire.root, manager]) await name(on, '_NET_SUPPORTING_WM_CHECK', manager);
  await name(wire.root, '_NET_CLIENT_LIST', fresh, below);
  await name(wire.root, '_NET_CLIENT_LIST_STACKING', below);
  const listed = (await listWindows(wire)).map(({ id }) => id);
  expect(listed.toSorted()).toEqual([below, fresh].map(windowIdOf).toSorted());
  expect((await readRootState(wire)).clients).toEqual([below, fresh]);
  await name(wire.root, '_NET_CLIENT_LIST_STACKING');
  expect((await readRootState(wire)).clients).toEqual([fresh, below]);
});

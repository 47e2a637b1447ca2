import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURE_KINDS, startFixture, type Fixture } from '../../../fixtures/driver.ts';
import { hitTest } from '../../../src/engine/input/hit-test.ts';
import type { Bounds } from '../../../src/model/tree/bounds.ts';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import { LinuxDesktop } from '../../../src/platform/linux/desktop/linux-desktop.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import type { PointContent } from '../../../src/ports/desktop/elements.ts';
import type { DesktopWindow } from '../../../src/ports/desktop/windows.ts';
import type { InputLease, Point } from '../../../src/ports/input.ts';
import { parseKey } from '../../../src/model/text/key-combination.ts';

const CALL = { deadlineMs: 5000 };
/** A popup that does not name its process. */
const STRANGER = `
import sys, gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk, Gdk, GLib
x, y, width, height = map(int, sys.argv[1:])
popup = Gtk.Window(type=Gtk.WindowType.POPUP)
popup.resize(width, height)
popup.move(x, y)
popup.realize()
Gdk.property_delete(popup.get_window(), Gdk.atom_intern("_NET_WM_PID", False))
popup.connect("map-event", lambda *_: print("shown", flush=True))
popup.add_events(Gdk.EventMask.STRUCTURE_MASK)
popup.show_all()
Gtk.main()
`;
import { until } from '../../until.ts';
const COLOURS = ['red', 'green', 'blue'];
const MENU = ['Open', 'Save', 'Quit'];

/** In GTK 4 disabled elements receive no clicks, so hit testing returns what is behind them. */
function enabled(node: TreeNode): TreeNode[] {
  return node.states.includes('disabled') ? [] : [node, ...node.children.flatMap(enabled)];
}
const pathsOf = ({ lineage }: PointContent): string[] => lineage.map(({ path }) => path);

describe.each(FIXTURE_KINDS)('the element at a point in %s', (kind) => {
  let place: PrivateDesktop;
  let desktop: LinuxDesktop;
  let fixture: Fixture;
  let window: DesktopWindow & { readonly bounds: Bounds };

  beforeAll(async () => {
    place = await PrivateDesktop.start({ deadlineMs: 20_000 });
    fixture = await startFixture(kind, { environment: place.environment, deadlineMs: 20_000 });
    desktop = new LinuxDesktop(place.environment);
    await until(async () => {
      const [found] = await desktop.listWindows({ ...CALL, pid: fixture.pid });
      if (!found?.root || !found.bounds) return false;
      window = { ...found, bounds: found.bounds };
      return (await read()).filter(({ bounds }) => bounds).length > 20;
    }, 'the window');
  });
  afterAll(async () => {
    await desktop.close();
    await fixture.stop();
    await place.stop();
  });

  const read = async (): Promise<TreeNode[]> => {
    if (!window.root) throw new Error('the window has no tree');
    const { root } = await desktop.readTree({
      ...CALL,
      root: window.root,
      wholeTree: false,
      maxNodes: 5000,
      includeActions: false,
    });
    return enabled(root);
  };
  const look = (point: Point): Promise<PointContent> =>
    desktop.contentAt(point, { ...CALL, app: window.root?.app });
  const centre = ({ x, y, width, height }: Bounds): Point => ({
    x: Math.floor(x + width / 2),
    y: Math.floor(y + height / 2),
  });
  const isOnWindow = ({ x, y }: Point): boolean => {
    const { bounds } = window;
    return x >= bounds.x && y >= bounds.y + 30 && x < bounds.x + bounds.width && y < bounds.y + bounds.height;
  };

  it('is found at the centre of every visible widget', async () => {
    const nodes = (await read()).filter((node) => node.name !== '');
    let looked = 0;
    for (const { bounds, handle, role, name } of nodes) {
      // Qt 5 reports items of a closed list at places where the list was never shown.
      if (!bounds || !isOnWindow(centre(bounds)) || role === 'listitem') continue;
      const content = await look(centre(bounds));
      expect(content, `${role} ${name}`).toMatchObject({
        windowId: window.id,
        pid: fixture.pid,
        isPopup: false,
      });
      expect(pathsOf(content), `${role} ${name}`).toContain(handle.path);
      looked++;
    }
    expect(looked).toBeGreaterThan(30);
  });

  const open = async (lease: InputLease, name: string): Promise<Bounds> => {
    const opener = (await read()).find(
      (node) => node.name === name && node.bounds && /combobox|menu/.test(node.role),
    );
    if (!opener?.bounds) throw new Error(`there is no ${name}`);
    await lease.moveTo(centre(opener.bounds), CALL);
    await lease.buttonDown('left', CALL);
    await lease.buttonUp('left', CALL);
    return opener.bounds;
  };

  /** Of a place in the window beside what is open. */
  const isBehindMenu = async (): Promise<boolean | undefined> => {
    const { x, y, width, height } = window.bounds;
    const corner = { x: x + width - 3, y: y + height - 3 };
    return (await desktop.contentAt(corner, { ...CALL, app: window.root?.app, menus: true, lists: true }))
      .isBehindMenu;
  };

  it('is the item in an open list or menu', async () => {
    expect(await isBehindMenu()).toBeUndefined();
    const lease = await desktop.input.take('test', CALL);
    await open(lease, 'Colour');
    let items: TreeNode[] = [];
    await until(async () => {
      const nodes = (await read()).filter((node) => /item|option/.test(node.role) && node.bounds);
      const contents = await Promise.all(nodes.map((node) => look(centre(node.bounds ?? window.bounds))));
      items = nodes.filter((node, index) => {
        const { isPopup = false, lineage = [] } = contents[index] ?? {};
        return isPopup && lineage.some(({ path }) => path === node.handle.path);
      });
      return items.length >= 3;
    }, 'the list to open');
    expect(await isBehindMenu()).toBe(true);
    expect(items.map((item) => enabled(item).find(({ name }) => name !== '')?.name)).toEqual(COLOURS);
    for (const { handle, bounds } of items)
      expect(await desktop.describe(handle, CALL)).toMatchObject({ bounds });
    await lease.press([parseKey('Escape')], CALL);
    const bar = await open(lease, 'File');
    const below = Array.from({ length: 12 }, (_, index) => ({
      x: bar.x + 25,
      y: bar.y + bar.height + 4 + index * 8,
    }));
    let found: string[] = [];
    await until(async () => {
      const names = new Map((await read()).map(({ handle, name }) => [handle.path, name]));
      const contents = await Promise.all(below.map(look));
      const items = contents
        .filter(({ isPopup, pid }) => isPopup && pid === fixture.pid)
        .map((content) => pathsOf(content).map((path) => names.get(path)))
        .map((lineage) => MENU.find((item) => lineage.includes(item)) ?? '');
      found = items.filter((item, index) => item !== '' && item !== items[index - 1]);
      return found.length >= MENU.length;
    }, 'the menu to open');
    expect(found).toEqual(MENU);
    expect(await isBehindMenu()).toBe(true);
    await lease.press([parseKey('Escape')], CALL);
    await lease.endLease();
  });

  it('is in the window in front, not in the one below', async () => {
    const cover = await startFixture('gtk3', {
      environment: place.environment,
      title: 'Cover',
      deadlineMs: 20_000,
    });
    try {
      let other: DesktopWindow | undefined;
      await until(async () => {
        other = (await desktop.listWindows({ ...CALL, pid: cover.pid })).find(({ focused }) => focused);
        return other?.bounds !== undefined && other.bounds.width > 100;
      }, 'the cover');
      const { bounds } = other ?? {};
      const point = bounds ? centre(bounds) : { x: 0, y: 0 };
      const content = await look(point);
      expect(content).toMatchObject({ windowId: other?.id, pid: cover.pid, isPopup: false, lineage: [] });
      expect(content.clientPids).toContain(cover.pid);
      const theirs = await desktop.contentAt(point, { ...CALL, app: other?.root?.app });
      expect(theirs.lineage.length).toBeGreaterThan(1);
      expect(await desktop.contentAt(point, { ...CALL, app: ':9.999' })).toMatchObject({ lineage: [] });
    } finally {
      await cover.stop();
    }
    const screen = await desktop.status(CALL);
    const corner = { x: screen.screen.width - 1, y: screen.screen.height - 1 };
    expect(await look(corner)).toEqual({ isPopup: false, lineage: [] });
    expect(await look({ x: -5, y: 70_000 })).toEqual({ isPopup: false, lineage: [] });
  });

  const press = async () => (await read()).find(({ name }) => name === 'Press');

  it('is not found beyond the edge of the screen', async () => {
    const { height } = (await desktop.status(CALL)).screen;
    const { id, bounds } = window;
    const point = { x: bounds.x + 100, y: height + 10 };
    await desktop.controlWindow(id, { kind: 'move', x: bounds.x, y: height - 60 }, CALL);
    try {
      await until(async () => {
        const [moved] = await desktop.listWindows({ ...CALL, pid: fixture.pid });
        return moved?.bounds !== undefined && moved.bounds.y > height - 100;
      }, 'the window to move');
      await until(async () => ((await press())?.bounds?.y ?? 0) > height - 100, 'Press to move');
      expect(await look(point)).toEqual({ isPopup: false, lineage: [] });
      expect(await look({ ...point, y: height - 5 })).toMatchObject({ windowId: id });
    } finally {
      await desktop.controlWindow(id, { kind: 'move', x: bounds.x, y: bounds.y }, CALL);
      await until(async () => {
        const [back] = await desktop.listWindows({ ...CALL, pid: fixture.pid });
        return back?.bounds !== undefined && back.bounds.y < height - 200;
      }, 'the window to come back');
    }
  });

  it('has its place right after windows were listed while they moved', async () => {
    const { id, bounds } = window;
    const isInside = (y: number): boolean => y >= bounds.y && y < bounds.y + bounds.height;
    await until(async () => isInside((await press())?.bounds?.y ?? -1), 'Press to come back');
    const before = (await press())?.bounds;
    // The list is sometimes read between the display's and the application's view of a move.
    for (let turn = 0; turn < 12; turn++) {
      for (const y of [bounds.y + 300, bounds.y]) {
        await desktop.controlWindow(id, { kind: 'move', x: bounds.x, y }, CALL);
        await desktop.listWindows({ ...CALL, pid: fixture.pid });
      }
      await expect.poll(async () => (await press())?.bounds).toEqual(before);
    }
  });

  it('is not attributed to the application in a popup of another process that does not name it', async () => {
    const { height } = (await desktop.status(CALL)).screen;
    // The window has just been moved, and its application may not have received the event yet.
    const isBack = (y: number): boolean => y >= window.bounds.y && y < height - 100;
    await until(async () => isBack((await press())?.bounds?.y ?? height), 'Press to come back');
    const button = await press();
    const { bounds } = button ?? {};
    if (!button || !bounds) throw new Error('there is no Press');
    const around = [bounds.x - 10, bounds.y - 10, bounds.width + 20, bounds.height + 20].map(String);
    const stranger = spawn('/usr/bin/python3', ['-c', STRANGER, ...around], {
      env: { PATH: process.env['PATH'], ...place.environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(stranger, 'exit');
    try {
      const point = centre(bounds);
      const message = `at ${JSON.stringify(point)}, in ${JSON.stringify(bounds)}`;
      await expect
        .poll(() => look(point), { timeout: 20_000, message })
        .toEqual({ pid: stranger.pid, clientPids: [stranger.pid], isPopup: true, lineage: [] });
      const node = await desktop.describe(button.handle, CALL);
      expect(await hitTest(desktop, { node, window, point }, CALL)).toEqual({
        kind: 'window',
        window: undefined,
      });
    } finally {
      stranger.kill();
      await ended;
    }
  });
});

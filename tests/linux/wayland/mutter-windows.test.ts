import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Fixture, FixtureKind } from '../../../fixtures/driver.ts';
import type { TreeNode } from '../../../src/model/tree/node.ts';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { BusConnection, Variant } from '../../../src/platform/linux/dbus/index.ts';
import type { WindowRequest } from '../../../src/ports/desktop/windows.ts';
import type { Point } from '../../../src/ports/input.ts';
import { CALL, NO_MUTTER, WaylandStage, worksOnWayland } from './stage.ts';

const KINDS: readonly FixtureKind[] = ['gtk3', 'gtk4', 'qt5', 'qt6'];
const State = z.object({ pressed: z.number() });
const Name = z.object({ text: z.string().nullish() });

describe.skipIf(NO_MUTTER !== undefined)(
  `on Mutter${NO_MUTTER === undefined ? '' : ` (${NO_MUTTER})`}`,
  () => {
    let stage: WaylandStage;
    beforeAll(async () => {
      stage = await WaylandStage.startBareGnome();
    }, 120_000);
    afterAll(() => stage?.stop());

    async function middleOf(fixture: Fixture, name: string, role: string): Promise<Point> {
      const { root } = await stage.window(fixture);
      if (root === undefined) throw new Error('no tree');
      const request = { ...CALL, root, wholeTree: false, maxNodes: 5000, includeActions: false };
      const found = find((await stage.desktop.readTree(request)).root, name, role)?.bounds;
      if (found === undefined) throw new Error(`${name} has no place`);
      return { x: found.x + Math.floor(found.width / 2), y: found.y + Math.floor(found.height / 2) };
    }

    async function click(point: Point): Promise<void> {
      const lease = await stage.desktop.input.take('test', CALL);
      await lease.moveTo(point, CALL);
      await lease.click('left', 1, CALL);
      await lease.endLease();
    }

    /** Once the compositor shows it, and it has a place. */
    async function placed(fixture: Fixture): Promise<void> {
      await expect
        .poll(async () => (await stage.window(fixture)).bounds?.width ?? 0, { timeout: 10_000 })
        .toBeGreaterThan(0);
    }

    it('status names the shell, and the checks what GNOME does not do', async () => {
      expect(await stage.desktop.status(CALL)).toMatchObject({
        session: 'wayland',
        windowManager: expect.stringMatching(/^GNOME Shell \d/),
        screen: { width: 1280, height: 800 },
      });
      const { checks } = await stage.desktop.permissions({ ...CALL, request: false });
      const ok = Object.fromEntries(checks.map((check) => [check.name, check.ok]));
      expect(ok).toMatchObject({ display: true, 'window-manager': true, input: true, extension: false });
    });

    describe.each(KINDS)('places in %s', (kind) => {
      it.skipIf(!worksOnWayland(kind))('are where a click reaches the element', async () => {
        const fixture = await stage.fixture(kind);
        try {
          await placed(fixture);
          const { id } = await stage.window(fixture);
          const point = await middleOf(fixture, 'Press', 'button');
          expect(await stage.desktop.contentAt(point, CALL)).toMatchObject({
            windowId: id,
            pid: fixture.pid,
          });
          await click(point);
          await expect.poll(() => pressed(fixture), { timeout: 5000 }).toBe(1);
        } finally {
          await fixture.stop();
        }
      });
    });

    it('tells two windows of one size apart by the focus, and does not guess among three', async () => {
      const fixtures = [await stage.fixture('gtk3', 'One'), await stage.fixture('gtk3', 'Two')];
      try {
        for (const fixture of fixtures) await placed(fixture);
        const [one, two] = fixtures;
        if (one === undefined || two === undefined) throw new Error('not started');
        await click(await middleOf(two, 'Press', 'button'));
        await expect.poll(() => pressed(two), { timeout: 5000 }).toBe(1);
        expect(await pressed(one)).toBe(0);
        fixtures.push(await stage.fixture('gtk3', 'Three'));
        const windowOf = async ({ pid }: Fixture) =>
          (await stage.desktop.listWindows({ ...CALL, pid })).find(({ accessible }) => accessible);
        // Only the one in front has a place.
        await expect.poll(async () => (await windowOf(one))?.isTreeOnly, { timeout: 5000 }).toBe(true);
        expect((await windowOf(two))?.isTreeOnly).toBe(true);
        const id = (await windowOf(one))?.id ?? '';
        await expect(stage.desktop.controlWindow(id, { kind: 'focus' }, CALL)).rejects.toMatchObject({
          code: 'ACTION_NOT_SUPPORTED',
          message: expect.stringContaining('GNOME does not tell which'),
        });
      } finally {
        for (const fixture of fixtures) await fixture.stop();
      }
    });

    it('refuses by name what the shell does for nobody, and tells the shortcut', async () => {
      const fixture = await stage.fixture('gtk4');
      try {
        await placed(fixture);
        const { id } = await stage.window(fixture);
        const requests: readonly WindowRequest[] = [
          { kind: 'move', x: 0, y: 0 },
          { kind: 'resize', width: 100, height: 100 },
          { kind: 'minimize' },
          { kind: 'maximize' },
          { kind: 'restore' },
          { kind: 'close' },
        ];
        for (const request of requests)
          await expect(stage.desktop.controlWindow(id, request, CALL)).rejects.toMatchObject({
            code: 'ACTION_NOT_SUPPORTED',
            delivered: false,
            message: expect.stringContaining('without our extension'),
          });
        expect(await stage.desktop.controlWindow(id, { kind: 'focus' }, CALL)).toEqual({ via: 'none' });
        await expect(stage.desktop.capture({ kind: 'window', windowId: id }, CALL)).rejects.toMatchObject({
          code: 'ACTION_NOT_SUPPORTED',
          message: expect.stringContaining('GNOME'),
        });
      } finally {
        await fixture.stop();
      }
    });

    it('finds no window where the overview or the panel is', async () => {
      const fixture = await stage.fixture('gtk4');
      const shell = await BusConnection.connect(stage.environment['DBUS_SESSION_BUS_ADDRESS'] ?? '', CALL);
      const property = ['org.gnome.Shell', '/org/gnome/Shell', 'org.gnome.Shell', 'OverviewActive'] as const;
      try {
        await placed(fixture);
        const point = await middleOf(fixture, 'Press', 'button');
        expect(await stage.desktop.contentAt({ x: 640, y: 5 }, CALL)).not.toHaveProperty('windowId');
        await shell.setProperty(...property, new Variant('b', true), CALL);
        expect(await stage.desktop.contentAt(point, CALL)).not.toHaveProperty('windowId');
        await shell.setProperty(...property, new Variant('b', false), CALL);
        await expect
          .poll(async () => (await stage.desktop.contentAt(point, CALL)).windowId, { timeout: 5000 })
          .toBe((await stage.window(fixture)).id);
      } finally {
        shell.close();
        await fixture.stop();
      }
    });

    it('shares the clipboard with applications, both ways', async () => {
      const { clipboard } = stage.desktop;
      const fixture = await stage.fixture('gtk3');
      const text = async (): Promise<string> =>
        Name.parse(await fixture.control('get', { widget: 'name' })).text ?? '';
      const keys = async (...combinations: readonly string[]): Promise<void> => {
        const lease = await stage.desktop.input.take('test', CALL);
        for (const each of combinations) await lease.press(parseKeyCombination(each), CALL);
        await lease.endLease();
      };
      try {
        await placed(fixture);
        await click(await middleOf(fixture, 'Name', 'textbox'));
        const written = 'zażółć 日本 😀';
        await clipboard.write({ ...CALL, content: { kind: 'text', text: written }, outlivesCall: true });
        expect(clipboard.isOwned).toBe(true);
        await keys('ctrl+a', 'ctrl+v');
        await expect.poll(text, { timeout: 5000 }).toBe(written);
        const changes: string[] = [];
        const end = await clipboard.watch((change) => changes.push(change), CALL);
        const lease = await stage.desktop.input.take('test', CALL);
        await lease.press(parseKeyCombination('ctrl+a'), CALL);
        await lease.type('from here', { ...CALL, delayMs: 0, check: async () => undefined });
        await lease.endLease();
        await keys('ctrl+a', 'ctrl+c');
        await expect.poll(() => clipboard.isOwned, { timeout: 5000 }).toBe(false);
        expect(changes).toContain('changed');
        expect(await clipboard.read('text', CALL)).toEqual({ kind: 'text', text: 'from here' });
        await clipboard.clear(CALL);
        await expect.poll(async () => (await clipboard.formats(CALL)).names, { timeout: 5000 }).toEqual([]);
        end();
      } finally {
        await fixture.stop();
      }
    });
  },
);

/** How often its button was pressed, as the application counts. */
async function pressed(fixture: Fixture): Promise<number> {
  return State.parse(await fixture.control('state')).pressed;
}

function find(node: TreeNode, name: string, role: string): TreeNode | undefined {
  if (node.role === role && node.name.startsWith(name)) return node;
  for (const child of node.children) {
    const found = find(child, name, role);
    if (found !== undefined) return found;
  }
  return undefined;
}

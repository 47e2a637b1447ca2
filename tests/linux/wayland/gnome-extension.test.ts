import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture, FixtureKind } from '../../../fixtures/driver.ts';
import { BusConnection } from '../../../src/platform/linux/dbus/index.ts';
import { EXTENSION } from '../../../src/platform/linux/display/wayland/mutter/extension/extension-place.ts';
import { ShellAccess } from '../../../src/platform/linux/display/wayland/mutter/windows/shell-access.ts';
import { GnomeSetup } from '../../../src/platform/linux/setup/gnome/gnome-setup.ts';
import { CALL, NO_MUTTER, turnExtension, WaylandStage, worksOnWayland } from './stage.ts';

const KINDS: readonly FixtureKind[] = ['gtk3', 'gtk4', 'qt5', 'qt6'];

describe.skipIf(NO_MUTTER !== undefined)(
  `our extension in GNOME Shell${NO_MUTTER === undefined ? '' : ` (${NO_MUTTER})`}`,
  () => {
    let stage: WaylandStage;
    beforeAll(async () => {
      stage = await WaylandStage.start('gnome');
    }, 120_000);
    afterAll(() => stage?.stop());

    /** Where the shell's own accessibility tree has windows. */
    const shellPlaces = async () => {
      const access = await ShellAccess.open(stage.environment, CALL);
      const { actors } = await access.shell.read(CALL).finally(() => access.close());
      return actors.map(({ bounds }) => bounds);
    };
    const boundsOf = async (fixture: Fixture) => (await stage.window(fixture)).bounds;
    const stateOf = async (fixture: Fixture) => {
      const { minimized, maximized, focused } = await stage.window(fixture);
      return { minimized, maximized, focused };
    };

    it('is found, and everything is granted', async () => {
      const { granted, checks } = await stage.desktop.permissions({ ...CALL, request: false });
      expect(checks.filter(({ ok }) => !ok)).toEqual([]);
      expect(granted).toBe(true);
      expect(checks.find(({ name }) => name === 'extension')?.detail).toContain('lists and arranges');
    });

    describe.each(KINDS)('a window of %s', (kind) => {
      it.skipIf(!worksOnWayland(kind))('is moved, resized, hidden, shown and closed', async () => {
        const fixture = await stage.fixture(kind, `Window of ${kind}`);
        const { id, title } = await stage.window(fixture);
        expect(title).toBe(`Window of ${kind}`);
        const ask = (request: Parameters<typeof stage.desktop.controlWindow>[1]) =>
          stage.desktop.controlWindow(id, request, CALL);
        await ask({ kind: 'move', x: 150, y: 60 });
        await expect.poll(() => boundsOf(fixture)).toMatchObject({ x: 150, y: 60 });
        const before = await shellPlaces();
        await ask({ kind: 'move', x: 170, y: 70 });
        // The shell's own tree, which does not come from the extension.
        const moved = before.map(({ x, y, ...size }) => ({ x: x + 20, y: y + 10, ...size }));
        await expect.poll(shellPlaces).toEqual(moved);
        await ask({ kind: 'move', x: 150, y: 60 });
        await ask({ kind: 'resize', width: 900, height: 660 });
        await expect.poll(() => boundsOf(fixture)).toEqual({ x: 150, y: 60, width: 900, height: 660 });
        await ask({ kind: 'minimize' });
        await expect.poll(() => stateOf(fixture)).toMatchObject({ minimized: true });
        await ask({ kind: 'restore' });
        await expect.poll(() => stateOf(fixture)).toMatchObject({ minimized: false });
        await ask({ kind: 'maximize' });
        await expect.poll(() => stateOf(fixture)).toMatchObject({ maximized: true });
        await expect(ask({ kind: 'move', x: 0, y: 0 })).rejects.toMatchObject({
          message: expect.stringContaining('it is maximized'),
        });
        await ask({ kind: 'restore' });
        await expect.poll(() => boundsOf(fixture)).toEqual({ x: 150, y: 60, width: 900, height: 660 });
        await ask({ kind: 'close' });
        await expect
          .poll(async () => (await stage.desktop.listWindows({ ...CALL, pid: fixture.pid })).length)
          .toBe(0);
      });
    });

    it('raises a covered window, and takes a picture of what is covered', async () => {
      const [under, over] = [await stage.fixture('gtk4', 'Under'), await stage.fixture('gtk4', 'Over')];
      try {
        const [{ id: underId }, { id: overId }] = [await stage.window(under), await stage.window(over)];
        for (const id of [underId, overId])
          await stage.desktop.controlWindow(id, { kind: 'move', x: 300, y: 150 }, CALL);
        await stage.desktop.controlWindow(overId, { kind: 'focus' }, CALL);
        await expect.poll(() => stateOf(over)).toMatchObject({ focused: true });
        const bounds = await boundsOf(under);
        const covered = await stage.desktop.capture({ kind: 'window', windowId: underId }, CALL);
        expect(covered).toMatchObject({ width: bounds?.width, height: bounds?.height, scale: 1 });
        const shown = await stage.desktop.capture({ kind: 'window', windowId: underId, asShown: true }, CALL);
        expect(shown.covered?.length).toBe(1);
        await stage.desktop.controlWindow(underId, { kind: 'focus' }, CALL);
        await expect.poll(() => stateOf(under)).toMatchObject({ focused: true });
        const middle = { x: 400, y: 300 };
        await expect
          .poll(() => stage.desktop.contentAt(middle, CALL))
          .toMatchObject({ windowId: underId, pid: under.pid });
      } finally {
        await under.stop();
        await over.stop();
      }
    });

    it('knows the panel from the windows, and the background from both', async () => {
      const panel = await stage.desktop.contentAt({ x: 640, y: 5 }, CALL);
      expect(panel).toMatchObject({ pid: expect.any(Number) });
      expect(panel).not.toHaveProperty('windowId');
      expect(await stage.desktop.contentAt({ x: 5, y: 700 }, CALL)).toEqual({ isPopup: false, lineage: [] });
    });

    it('refuses everything to a program that has not proved that it can read the secret', async () => {
      const bus = await BusConnection.connect(stage.environment['DBUS_SESSION_BUS_ADDRESS'] ?? '', CALL);
      const ask = (member: string, signature = '', args: readonly (string | number)[] = []) =>
        bus.call({ ...EXTENSION, member, signature, args: [...args] }, CALL);
      try {
        const denied = { errorName: 'io.deskterity.Shell1.Error.Denied' };
        for (const proof of ['', '0'.repeat(64), 'é'])
          await expect(ask('Admit', 's', [proof])).rejects.toMatchObject(denied);
        await expect(ask('List')).rejects.toMatchObject(denied);
        await expect(ask('At', 'ii', [1, 1])).rejects.toMatchObject(denied);
        await expect(ask('Control', 's', ['{"id":"1","kind":"close"}'])).rejects.toMatchObject(denied);
        await expect(ask('CaptureArea', 'iiii', [0, 0, 9, 9])).rejects.toMatchObject(denied);
        await expect(ask('CaptureWindow', 's', ['1'])).rejects.toMatchObject(denied);
      } finally {
        bus.close();
      }
    });

    it('ends at once when the set-up is undone, and is there again after another set-up', async () => {
      const { environment } = stage;
      await new GnomeSetup().run({ environment, isUndo: true, isTrial: false });
      const extension = async () => {
        const permissions = stage.desktop.permissions({ ...CALL, request: false });
        const { checks } = await permissions.catch(() => ({ checks: [] }));
        return checks.find(({ name }) => name === 'extension');
      };
      await expect
        .poll(extension, { timeout: 20_000 })
        .toMatchObject({ ok: false, optional: true, detail: expect.stringContaining('not installed') });
      await new GnomeSetup().run({ environment, isUndo: false, isTrial: false });
      await expect.poll(extension, { timeout: 20_000 }).toMatchObject({ ok: true });
    });

    it('is left for the accessibility tree when it is turned off, and used again when it is turned on', async () => {
      const fixture = await stage.fixture('gtk4', 'Stays');
      const idOf = async () =>
        (await stage.desktop.listWindows({ ...CALL, pid: fixture.pid }).catch(() => []))[0]?.id ?? '';
      try {
        expect(await idOf()).toMatch(/^gnome:/);
        await turnExtension(stage.environment, 'DisableExtension');
        await expect.poll(idOf, { timeout: 10_000 }).toMatch(/^mutter:/);
        const request = { kind: 'minimize' } as const;
        await expect(stage.desktop.controlWindow(await idOf(), request, CALL)).rejects.toMatchObject({
          code: 'ACTION_NOT_SUPPORTED',
          suggestion: expect.stringContaining('desk setup gnome'),
        });
        const older = await stage.fixture('gtk4', 'Older than the extension');
        await turnExtension(stage.environment, 'EnableExtension');
        await expect.poll(idOf, { timeout: 10_000 }).toMatch(/^gnome:/);
        const kinds: string[] = [];
        const stop = await stage.desktop.watch(({ kind }) => kinds.push(kind), CALL);
        await older.stop();
        await expect.poll(() => kinds.filter((kind) => kind === 'window-closed')).toHaveLength(1);
        stop();
      } finally {
        await fixture.stop();
      }
    });
  },
);

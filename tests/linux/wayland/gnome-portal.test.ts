import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseKeyCombination } from '../../../src/model/text/key-combination.ts';
import { BusConnection } from '../../../src/platform/linux/dbus/index.ts';
import { CALL, NO_MUTTER, WaylandStage } from './stage.ts';

const LIBEXEC = '/usr/libexec';
const PROGRAMS = [
  ['xdg-permission-store', 'org.freedesktop.impl.portal.PermissionStore'],
  ['xdg-desktop-portal-gnome', 'org.freedesktop.impl.portal.desktop.gnome'],
  ['xdg-desktop-portal', 'org.freedesktop.portal.Desktop'],
] as const;
const missing = PROGRAMS.find(([program]) => !existsSync(`${LIBEXEC}/${program}`))?.[0];
const why = NO_MUTTER ?? (missing === undefined ? undefined : `${missing} is not installed`);
const STORE = {
  destination: 'org.freedesktop.impl.portal.PermissionStore',
  path: '/org/freedesktop/impl/portal/PermissionStore',
  interface: 'org.freedesktop.impl.portal.PermissionStore',
} as const;

describe.skipIf(why !== undefined)(
  `screenshots through the portal of GNOME${why === undefined ? '' : ` (${why})`}`,
  () => {
    let stage: WaylandStage;
    let bus: BusConnection;
    const running: ChildProcess[] = [];
    beforeAll(async () => {
      stage = await WaylandStage.startBareGnome();
      bus = await BusConnection.connect(stage.environment['DBUS_SESSION_BUS_ADDRESS'] ?? '', CALL);
      const hasOwner = async (name: string) => {
        const of = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus' };
        const call = { ...of, interface: 'org.freedesktop.DBus', member: 'NameHasOwner' };
        return (await bus.call({ ...call, signature: 's', args: [name] }, CALL))[0];
      };
      for (const [program, name] of PROGRAMS) {
        running.push(spawn(`${LIBEXEC}/${program}`, [], { env: stage.environment, stdio: 'ignore' }));
        await vi.waitFor(async () => {
          if ((await hasOwner(name)) !== true) throw new Error(`${program} does not answer`);
        }, 20_000);
      }
    }, 120_000);
    afterAll(async () => {
      bus?.close();
      for (const each of running) each.kill();
      await stage?.stop();
    });

    const take = (deadlineMs: number) => stage.desktop.capture({ kind: 'screen' }, { deadlineMs });
    const files = () =>
      readdirSync(stage.place.home, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.png'),
      );

    it('do not wait for a dialog longer than the call may take, and say that it is there', async () => {
      const begin = performance.now();
      await expect(take(3000)).rejects.toMatchObject({
        code: 'PERM_DENIED',
        retryable: true,
        message: expect.stringContaining('a dialog may be asking'),
      });
      expect(performance.now() - begin).toBeLessThan(4000);
    });

    it('are taken once the person has allowed them, without a file that stays', async () => {
      // The dialog begins with "Deny".
      const lease = await stage.desktop.input.take('person', CALL);
      for (const key of ['Tab', 'Return']) await lease.press(parseKeyCombination(key), CALL);
      await lease.endLease();
      expect(await take(20_000)).toMatchObject({
        width: 1280,
        height: 800,
        scale: 1,
        origin: { x: 0, y: 0 },
      });
      const part = { x: 10, y: 20, width: 300, height: 200 };
      const region = await stage.desktop.capture({ kind: 'region', bounds: part }, CALL);
      expect(region).toMatchObject({ width: 300, height: 200, origin: { x: 10, y: 20 } });
      await expect.poll(files).toEqual([]);
    });

    it('are refused when the permission says no', async () => {
      const args = ['screenshot', true, 'screenshot', '', ['no']];
      await bus.call({ ...STORE, member: 'SetPermission', signature: 'sbssas', args }, CALL);
      await expect(take(20_000)).rejects.toMatchObject({
        code: 'ACTION_FAILED',
        message: expect.stringContaining('not allowed earlier'),
      });
    });

    it('show no single window', async () => {
      const target = { kind: 'window', windowId: 'mutter:1.1/a' } as const;
      await expect(stage.desktop.capture(target, CALL)).rejects.toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        suggestion: expect.stringContaining('desk setup gnome'),
      });
    });
  },
);

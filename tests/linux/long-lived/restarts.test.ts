import { spawn } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DesktopEvent } from '../../../src/ports/desktop/events.ts';
import { CALL, codesOf, Stage } from './stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.open();
});

afterEach(async () => {
  await stage.close();
});

async function names(): Promise<string[]> {
  return (await stage.desktop.listApps(CALL)).map((app) => app.name);
}

// An error that nobody handles fails the whole run, so each of these also shows that nothing of it ends the process.
describe('when the display ends', () => {
  it('every pending and every later call reports it', async () => {
    const fixture = await stage.start('gtk3');
    const { root } = await stage.window(fixture.pid);
    await stage.desktop.watch(() => undefined, CALL);
    const underWay = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0 ? stage.desktop.capture({ kind: 'screen' }, CALL) : stage.desktop.listWindows(CALL),
    );
    const outcomes = Promise.allSettled([...underWay, stage.read(root)]);
    stage.kill(/^\S*Xvfb /);
    expect(codesOf(await outcomes).filter((code) => code !== 'DISPLAY_UNAVAILABLE')).toEqual([]);
    const unavailable = { code: 'DISPLAY_UNAVAILABLE' };
    await expect(stage.desktop.listWindows(CALL)).rejects.toMatchObject(unavailable);
    await expect(stage.desktop.capture({ kind: 'screen' }, CALL)).rejects.toMatchObject(unavailable);
    await expect(stage.read(root)).rejects.toMatchObject(unavailable);
    await expect(stage.desktop.watch(() => undefined, CALL)).rejects.toMatchObject(unavailable);
  });

  it('the next call uses its replacement', async () => {
    await stage.desktop.status(CALL);
    const { display, environment } = stage.place;
    stage.kill(/^\S*Xvfb /);
    await expect.poll(() => stage.processes(/^\S*Xvfb /)).toEqual([]);
    // With -displayfd it does not mind the lock that the private desktop holds.
    const args = [display, '-displayfd', '3', '-screen', '0', '800x600x24', '-nolisten', 'tcp'];
    const server = spawn('Xvfb', [...args, '-auth', environment['XAUTHORITY'] ?? ''], {
      env: { ...environment },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    try {
      await new Promise((resolve) => server.stdio[3]?.once('data', resolve));
      expect(await stage.desktop.status(CALL)).toMatchObject({
        display,
        screen: { width: 800, height: 600 },
      });
      const fixture = await stage.start('gtk3', 'after the restart');
      const { root } = await stage.window(fixture.pid);
      expect((await stage.read(root)).nodeCount).toBeGreaterThan(20);
    } finally {
      server.kill('SIGKILL');
    }
  });
});

describe('when a part of the accessibility bus ends', () => {
  it('the registry: at most one call fails, and events continue', async () => {
    const before = await stage.start('gtk3', 'before');
    const heard: DesktopEvent[] = [];
    const stop = await stage.desktop.watch((event) => heard.push(event), CALL);
    stage.kill(/at-spi2-registryd/);
    const first = await Promise.allSettled([stage.desktop.listApps(CALL)]);
    expect(codesOf(first).filter((code) => code !== 'BUS_UNAVAILABLE')).toEqual([]);
    await stage.desktop.listApps(CALL);
    const after = await stage.start('gtk3', 'after');
    const { root } = await stage.window(after.pid);
    heard.length = 0;
    await after.control('rename', { widget: 'press', label: 'renamed' });
    await expect.poll(() => heard.some(({ node }) => node.app === root.app)).toBe(true);
    expect((await stage.read((await stage.window(before.pid)).root)).complete).toBe(true);
    stop();
  });

  it('the bus and its launcher: the next call and all listeners use the new one', async () => {
    const old = await stage.start('gtk3', 'old');
    const { root } = await stage.window(old.pid);
    const generation = await stage.desktop.desktopId(CALL);
    const heard: DesktopEvent[] = [];
    const stop = await stage.desktop.watch((event) => heard.push(event), CALL);
    const underWay = Promise.allSettled([stage.read(root)]);
    stage.kill(/at-spi-bus-launcher/);
    stage.kill(/dbus-daemon.*accessibility\.conf/);
    expect(codesOf(await underWay).filter((code) => code !== 'BUS_UNAVAILABLE')).toEqual([]);
    let failures = 0;
    await expect
      .poll(() => names().catch(() => (failures += 1)), { timeout: 5000 })
      .toEqual(expect.any(Array));
    expect(failures).toBeLessThanOrEqual(1);
    expect(await stage.desktop.desktopId(CALL)).not.toBe(generation);
    await expect(stage.read(root)).rejects.toMatchObject({ code: 'STALE_REF' });
    const fixture = await stage.start('gtk3', 'new');
    heard.length = 0;
    await fixture.control('rename', { widget: 'press', label: 'renamed' });
    await expect.poll(() => heard.length, { timeout: 3000 }).toBeGreaterThan(0);
    stop();
    heard.length = 0;
    await fixture.control('rename', { widget: 'press', label: 'again' });
    await stage.desktop.listApps(CALL);
    expect(heard).toEqual([]);
  });

  it.for(['gtk3', 'gtk4'] as const)(
    'an application that was on the bus: it is said why it has no tree now: %s',
    async (kind) => {
      const fixture = await stage.start(kind);
      stage.kill(/dbus-daemon.*accessibility\.conf/);
      await expect
        .poll(
          async () => {
            const [window] = await stage.desktop.listWindows({ ...CALL, pid: fixture.pid }).catch(() => []);
            return window?.reason;
          },
          { timeout: 5000 },
        )
        .toContain('The accessibility bus ended while this application was running');
    },
  );

  it('a launcher that was replaced: applications on the new bus are found', async () => {
    await stage.start('gtk3', 'on the old bus');
    stage.kill(/at-spi-bus-launcher/);
    const fixture = await stage.start('gtk3', 'on the new bus');
    expect(
      (await stage.desktop.listApps(CALL)).some((app) => app.pid === fixture.pid && app.accessible),
    ).toBe(true);
  });
});

describe('when the session bus ends', () => {
  it('every call reports it', async () => {
    const fixture = await stage.start('qt6');
    await stage.window(fixture.pid);
    const underWay = Promise.allSettled([stage.desktop.listWindows(CALL), stage.desktop.listApps(CALL)]);
    stage.kill(/dbus-daemon/);
    expect(codesOf(await underWay).filter((code) => code !== 'BUS_UNAVAILABLE')).toEqual([]);
    await expect(stage.desktop.listWindows(CALL)).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
    await expect(stage.desktop.status(CALL)).rejects.toMatchObject({ code: 'BUS_UNAVAILABLE' });
  });
});

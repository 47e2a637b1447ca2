import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { BusConnection } from '../../../src/platform/linux/dbus/index.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { isAlive } from '../../../src/platform/paths.ts';
import { descendants, sessionMembers } from '../../../src/platform/linux/process/facts.ts';
import { launchApp } from '../../../src/platform/linux/process/launch.ts';
import { terminateProcess } from '../../../src/platform/linux/process/terminate.ts';
import type { LaunchedApp } from '../../../src/ports/desktop/windows.ts';

const REGISTRY = 'org.a11y.atspi.Registry';
const ROOT = '/org/a11y/atspi/accessible/root';
const Children = z.tuple([z.array(z.tuple([z.string(), z.string()]))]);

let desktop: PrivateDesktop;
let bus: BusConnection;

beforeAll(async () => {
  desktop = await PrivateDesktop.start({ deadlineMs: 20_000 });
  bus = await BusConnection.connect(desktop.accessibilityBusAddress, { deadlineMs: 2000 });
});

afterAll(async () => {
  bus.close();
  await desktop.stop();
});

function launch(app: string, args: readonly string[] = [], cwd = '/tmp'): Promise<LaunchedApp> {
  return launchApp(
    { app, args, cwd, deadlineMs: 5000 },
    { environment: desktop.environment, privateDesktop: desktop },
  );
}

/** Process ids of everything on the accessibility bus. */
async function accessiblePids(): Promise<number[]> {
  const settings = { deadlineMs: 5000 };
  const call = {
    destination: REGISTRY,
    path: ROOT,
    interface: 'org.a11y.atspi.Accessible',
    member: 'GetChildren',
  };
  const [children] = Children.parse(await bus.call(call, settings));
  const pids = children.map(async ([name]) => {
    const owner = await bus.call(
      {
        destination: 'org.freedesktop.DBus',
        path: '/org/freedesktop/DBus',
        interface: 'org.freedesktop.DBus',
        member: 'GetConnectionUnixProcessID',
        signature: 's',
        args: [name],
      },
      settings,
    );
    return z.tuple([z.number()]).parse(owner)[0];
  });
  return await Promise.all(pids);
}

async function becomesAccessible(app: LaunchedApp, limitMs: number): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (performance.now() < end) {
    const family = new Set([app.pid, ...descendants(app.pid), ...sessionMembers(app.pid)]);
    if ((await accessiblePids()).some((pid) => family.has(pid))) return true;
    await sleep(100);
  }
  return false;
}

describe('applications in a private desktop', () => {
  it.each([
    ['galculator', [], 10_000],
    ['org.xfce.mousepad', [], 10_000],
    ['org.gnome.Calculator', [], 15_000],
    ['KCalc', [], 15_000],
    ['featherpad', [], 15_000],
    ['LibreOffice Calc', [], 40_000],
    ['firefox-esr', ['about:blank'], 40_000],
    ['chromium', ['about:blank'], 40_000],
  ])('can read %s', async (app, args, limitMs) => {
    const launched = await launch(app, args);
    try {
      expect(isAlive(launched.pid)).toBe(true);
      expect(await becomesAccessible(launched, limitMs)).toBe(true);
    } finally {
      if (isAlive(launched.pid)) await terminateProcess(launched.pid, { deadlineMs: 8000, force: true });
    }
    expect(isAlive(launched.pid)).toBe(false);
  });

  it('reports what it added', async () => {
    const chromium = await launch('chromium', ['about:blank']);
    expect(chromium.adjustments).toContain('--force-renderer-accessibility');
    expect(chromium.command.at(-1)).toBe('about:blank');
    await terminateProcess(chromium.pid, { deadlineMs: 8000, force: true });
    await chromium.exited;
    await expect.poll(() => sessionMembers(chromium.pid), { timeout: 3000 }).toEqual([]);
  });
});

describe('launchApp', () => {
  it('starts the program in its own session with the desktop’s environment and the folder', async () => {
    const app = await launch('sh', ['-c', 'pwd; sleep 30'], '/usr');
    const stat = readFileSync(`/proc/${app.pid}/stat`, 'utf8').split(' ');
    expect(stat[5]).toBe(`${app.pid}`);
    const environment = readFileSync(`/proc/${app.pid}/environ`, 'utf8').split('\0');
    expect(environment).toContain(`DISPLAY=${desktop.display}`);
    expect(environment).toContain(`DESKTERITY_PRIVATE_DESKTOP=${desktop.id}`);
    expect(readlinkSync(`/proc/${app.pid}/cwd`)).toBe('/usr');
    expect(await terminateProcess(app.pid, { deadlineMs: 2000, force: false })).toEqual({
      via: 'signal:SIGTERM',
    });
    expect(await app.exited).toBe('SIGTERM');
  });

  it('reports a program that exits at once with an error, with its last lines', async () => {
    await expect(launch('sh', ['-c', 'echo one; echo two >&2; exit 3'])).rejects.toMatchObject({
      code: 'ACTION_FAILED',
      message: '"sh" exited at once with exit code 3.',
      platformDetail: 'one\ntwo',
    });
    await expect(launch('sh', ['-c', 'kill -SEGV $$'])).rejects.toMatchObject({ code: 'ACTION_FAILED' });
  });

  it('accepts a program that exits at once with success', async () => {
    const app = await launch('true');
    expect(await app.exited).toBe('0');
  });

  it('reports failures with error codes', async () => {
    await expect(launch('no-such-program-at-all')).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
    await expect(launch('/etc/passwd')).rejects.toMatchObject({ code: 'PERM_DENIED' });
    await expect(launch('sh', [], '/no/such/folder')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const cancelled = launchApp(
      { app: 'sleep', args: ['30'], cwd: '/', deadlineMs: 1000, signal: AbortSignal.timeout(50) },
      { environment: desktop.environment, privateDesktop: desktop },
    );
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});

describe('terminateProcess', () => {
  it('kills a process that ignores TERM, and its descendants', async () => {
    const app = await launch('sh', ['-c', "trap '' TERM; sleep 1010 & sleep 1011 & wait; wait; sleep 1012"]);
    const family = [app.pid, ...descendants(app.pid)];
    expect(family.length).toBe(3);
    expect(await terminateProcess(app.pid, { deadlineMs: 2000, force: true })).toEqual({
      via: 'signal:SIGKILL',
    });
    expect(family.filter((pid) => isAlive(pid))).toEqual([]);
  });

  it('refuses itself, its ancestors and missing processes', async () => {
    const options = { deadlineMs: 500, force: true };
    for (const pid of [process.pid, process.ppid, 1, 0, -5]) {
      await expect(terminateProcess(pid, options)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    }
    await expect(terminateProcess(2 ** 22 + 1, options)).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
  });
});

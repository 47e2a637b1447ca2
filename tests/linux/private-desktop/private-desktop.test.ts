import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BusConnection } from '../../../src/platform/linux/dbus/index.ts';
import { currentOwner } from '../../../src/platform/linux/private-desktop/owner.ts';
import { PrivateDesktop } from '../../../src/platform/linux/private-desktop/private-desktop.ts';
import { NOTHING, Owner, taggedProcesses, useOwnerProgram } from './support.ts';

useOwnerProgram();
const START = { deadlineMs: 20_000 };

function run(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): string {
  return execFileSync(program, args, {
    env: { ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/** Folders of this process; other test files start and remove desktops at the same time. */
function ownFolders(): string[] {
  return readdirSync('/tmp').filter(
    (name) => name.startsWith('deskterity-desktop-') && ownerOf(name).includes(`"pid":${process.pid},`),
  );
}

function ownerOf(folder: string): string {
  try {
    return readFileSync(`/tmp/${folder}/owner`, 'utf8');
  } catch {
    return '';
  }
}

describe('a private desktop', () => {
  let desktop: PrivateDesktop;
  beforeAll(async () => {
    desktop = await PrivateDesktop.start({ ...START, width: 1280, height: 800 });
  });
  afterAll(() => desktop.stop());

  it('has a window manager and a screen of the requested size when it is ready', () => {
    const root = run(
      'xprop',
      ['-root', '_NET_SUPPORTING_WM_CHECK', '_NET_NUMBER_OF_DESKTOPS', 'AT_SPI_BUS'],
      desktop.environment,
    );
    expect(root).toMatch(/_NET_SUPPORTING_WM_CHECK\(WINDOW\): window id # 0x[1-9a-f]/);
    expect(root).toContain(desktop.accessibilityBusAddress.split(',')[0]);
    expect(run('xwininfo', ['-root'], desktop.environment)).toMatch(/Width: 1280\s+Height: 800/);
    expect(desktop.screen).toEqual({ width: 1280, height: 800 });
    expect(desktop.readyInMs).toBeGreaterThan(0);
  });

  it('refuses clients without a cookie or with that of another desktop', async () => {
    await using other = await PrivateDesktop.start(START);
    const { XAUTHORITY: cookie = '' } = desktop.environment;
    const { XAUTHORITY: otherCookie = '' } = other.environment;
    const ask = (authority: string): string =>
      run('xprop', ['-root', '_NET_NUMBER_OF_DESKTOPS'], { ...desktop.environment, XAUTHORITY: authority });
    expect(ask(cookie)).toContain('2');
    expect(() => ask(otherCookie)).toThrow(/xprop/);
    expect(() => ask('/nonexistent')).toThrow(/xprop/);
    expect(statSync(cookie).mode & 0o777).toBe(0o600);
  });

  it('has accessibility enabled before anything starts', async () => {
    const bus = await BusConnection.connect(desktop.environment['DBUS_SESSION_BUS_ADDRESS'] ?? '', {
      deadlineMs: 2000,
    });
    const settings = { deadlineMs: 2000 };
    expect(
      await bus.getProperty('org.a11y.Bus', '/org/a11y/bus', 'org.a11y.Status', 'IsEnabled', settings),
    ).toBe(true);
    bus.close();
  });

  it('does not start services that would reach outside', async () => {
    const bus = await BusConnection.connect(desktop.environment['DBUS_SESSION_BUS_ADDRESS'] ?? '', {
      deadlineMs: 2000,
    });
    for (const name of ['org.freedesktop.portal.Desktop', 'org.freedesktop.systemd1', 'org.gtk.vfs.Daemon']) {
      const call = { destination: name, path: '/', interface: 'org.freedesktop.DBus.Peer', member: 'Ping' };
      await expect(bus.call(call, { deadlineMs: 2000 })).rejects.toMatchObject({
        errorName: expect.stringContaining('org.freedesktop.DBus.Error.Spawn'),
      });
    }
    bus.close();
  });

  it('has private folders', () => {
    for (const name of ['XDG_RUNTIME_DIR', 'TMPDIR', 'HOME']) {
      expect(statSync(desktop.environment[name] ?? '').mode & 0o777).toBe(0o700);
    }
  });
});

describe('starting and stopping', () => {
  it('runs several at once without conflicts, and leaves nothing behind', async () => {
    const desktops = await Promise.all([1, 2, 3, 4].map(() => PrivateDesktop.start(START)));
    for (const pick of [
      (d: PrivateDesktop) => d.id,
      (d: PrivateDesktop) => d.display,
      (d: PrivateDesktop) => d.accessibilityBusAddress,
    ]) {
      expect(new Set(desktops.map((desktop) => pick(desktop))).size).toBe(4);
    }
    await Promise.all(desktops.map((desktop) => desktop.stop()));
    for (const desktop of desktops) {
      expect(taggedProcesses(`DESKTERITY_PRIVATE_DESKTOP=${desktop.id}`)).toEqual([]);
      expect(existsSync(path.dirname(desktop.environment['HOME'] ?? ''))).toBe(false);
      expect(existsSync(`/tmp/.X${desktop.display.slice(1)}-lock`)).toBe(false);
      expect(existsSync(`/tmp/.X11-unix/X${desktop.display.slice(1)}`)).toBe(false);
    }
  });

  it('can be stopped twice, and without its supervisor', async () => {
    const desktop = await PrivateDesktop.start(START);
    const supervisors = run(
      'pgrep',
      ['-f', `deskterity-desktop-supervisor ${desktop.id} `],
      desktop.environment,
    );
    process.kill(Number(supervisors.trim()), 'SIGKILL');
    await Promise.all([desktop.stop(), desktop.stop()]);
    await desktop.stop();
    expect(taggedProcesses(`DESKTERITY_PRIVATE_DESKTOP=${desktop.id}`)).toEqual([]);
    expect(existsSync(path.dirname(desktop.environment['HOME'] ?? ''))).toBe(false);
  });

  it('keeps a given HOME', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'kept-'));
    const desktop = await PrivateDesktop.start({ ...START, home });
    expect(desktop.environment['HOME']).toBe(home);
    await desktop.stop();
    expect(existsSync(path.join(home, '.config/gtk-3.0/settings.ini'))).toBe(true);
    rmSync(home, { recursive: true });
  });

  it('refuses the HOME of another one while that runs, by any of its paths', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'kept-'));
    const link = `${home}-link`;
    symlinkSync(home, link);
    const first = await PrivateDesktop.start({ ...START, home, session: 'first' });
    try {
      for (const same of [home, link])
        await expect(PrivateDesktop.start({ ...START, home: same, session: 'second' })).rejects.toMatchObject(
          {
            code: 'CONFLICT',
            message: `The folder ${same} is the HOME of session "first", which is running.`,
          },
        );
      expect(ownFolders().map((name) => `/tmp/${name}/home`)).not.toContain(home);
    } finally {
      await first.stop();
    }
    const second = await PrivateDesktop.start({ ...START, home: link, session: 'second' });
    await second.stop();
    rmSync(link);
    rmSync(home, { recursive: true });
  });

  it('takes the HOME of one whose process was killed', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'kept-'));
    const dead = spawnSync('true').pid;
    const left = `/tmp/deskterity-desktop-${randomBytes(5).toString('hex')}`;
    mkdirSync(left, { mode: 0o700 });
    const owner = { ...currentOwner({ home, session: 'dead' }), pid: dead };
    writeFileSync(path.join(left, 'owner'), JSON.stringify(owner));
    const desktop = await PrivateDesktop.start({ ...START, home });
    expect(desktop.home).toBe(home);
    await desktop.stop();
    rmSync(left, { recursive: true, force: true });
    rmSync(home, { recursive: true });
  });

  it('leaves nothing behind when it is late or cancelled', async () => {
    const before = new Set(ownFolders());
    await expect(PrivateDesktop.start({ deadlineMs: 20 })).rejects.toMatchObject({
      code: 'TIMEOUT',
      retryable: true,
    });
    const cancelled = PrivateDesktop.start({ ...START, signal: AbortSignal.timeout(40) });
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(ownFolders().filter((name) => !before.has(name))).toEqual([]);
  });

  it('works with a TMPDIR that is too long for sockets', async () => {
    const long = path.join(mkdtempSync(path.join(tmpdir(), 'long-')), 'x'.repeat(120));
    mkdirSync(long);
    const owner = await Owner.start([], { env: { ...process.env, TMPDIR: long } });
    const { environment } = await owner.ready();
    expect(environment['XDG_RUNTIME_DIR']).toMatch(/^\/tmp\/deskterity-desktop-/);
    owner.process.kill('SIGKILL');
    expect(await owner.gone(3000)).toEqual(NOTHING);
    rmSync(path.dirname(long), { recursive: true });
  });
});

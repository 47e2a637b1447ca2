import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptsConnections } from '../../../src/platform/linux/machine/live-displays.ts';
import { processVariables } from '../../../src/platform/linux/machine/process-environments.ts';
import type { UserDesktopSearch } from '../../../src/platform/linux/machine/user-desktop.ts';
import { findUserDesktop, otherLiveDisplays } from '../../../src/platform/linux/desktops.ts';

const BARE = { HOME: '/home/me', PATH: '/usr/bin', TERM: 'xterm' };

describe.skipIf(process.platform !== 'linux')('the desktop of the user (on Linux only)', () => {
  let folder = '';
  let runtime = '';
  let asked: string[] = [];
  let closed: readonly string[] = [];
  let nextPid = 100;
  const servers: Server[] = [];

  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'user-')));
    runtime = path.join(folder, 'run');
    for (const name of ['proc', 'X', 'run', 'runs']) mkdirSync(path.join(folder, name));
    asked = [];
    closed = [];
    await listen(path.join(runtime, 'bus'));
  });

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 50 });
  });

  async function listen(file: string): Promise<void> {
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(file, resolve));
  }

  /** A socket whose server has ended without removing it. */
  async function dead(file: string): Promise<void> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(`${file}-before`, resolve));
    renameSync(`${file}-before`, file);
    await new Promise((resolve) => server.close(resolve));
  }

  const displays = (...numbers: readonly number[]) =>
    Promise.all(numbers.map((number) => listen(path.join(folder, 'X', `X${number}`))));

  function runs(
    variables: Readonly<Record<string, string>> | string,
    program = 'program',
    mounts?: string,
  ): void {
    const place = path.join(folder, 'proc', String(nextPid++));
    mkdirSync(path.join(place, 'ns'), { recursive: true });
    const text =
      typeof variables === 'string'
        ? variables
        : Object.entries(variables)
            .map(([name, value]) => `${name}=${value}\0`)
            .join('');
    writeFileSync(path.join(place, 'environ'), text);
    writeFileSync(path.join(place, 'comm'), `${program}\n`);
    if (mounts !== undefined) symlinkSync(mounts, path.join(place, 'ns', 'mnt'));
  }

  const search = (changes: UserDesktopSearch = {}): UserDesktopSearch => ({
    procFolder: path.join(folder, 'proc'),
    x11Folder: path.join(folder, 'X'),
    runtimeFolder: path.join(folder, 'runs'),
    privateDisplays: new Set(),
    canConnect: async (display, xauthority) => {
      asked.push(`${display} ${xauthority ?? '-'}`);
      return !closed.includes(`${display} ${xauthority ?? '-'}`);
    },
    ...changes,
  });

  const desktop = (display = ':0') => ({
    DISPLAY: display,
    XAUTHORITY: '/home/me/key',
    XDG_RUNTIME_DIR: runtime,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtime}/bus`,
    XDG_SESSION_TYPE: 'x11',
    XDG_CURRENT_DESKTOP: 'XFCE',
  });

  it('is found through its programs’ environments, without reading other variables', async () => {
    await displays(0);
    runs({ ...desktop(), SECRET: 'hidden', PATH: '/elsewhere', LD_PRELOAD: '/x.so' });
    expect(await findUserDesktop(BARE, search())).toEqual({ ...desktop(), WAYLAND_DISPLAY: undefined });
  });

  it('adds missing variables to an environment with only a display', async () => {
    await displays(0, 5);
    runs(desktop(':0'));
    runs({ ...desktop(':5'), XAUTHORITY: '/other/key' });
    const { XDG_RUNTIME_DIR, DBUS_SESSION_BUS_ADDRESS } = desktop();
    const named = await findUserDesktop({ ...BARE, DISPLAY: ':5.0', XDG_SESSION_TYPE: 'mine' }, search());
    expect(named).toEqual({
      XDG_RUNTIME_DIR,
      DBUS_SESSION_BUS_ADDRESS,
      XDG_CURRENT_DESKTOP: 'XFCE',
      XAUTHORITY: '/other/key',
      WAYLAND_DISPLAY: undefined,
    });
    for (const elsewhere of [':1', 'far:5', 'localhost:5', 'x'])
      expect(await findUserDesktop({ ...BARE, DISPLAY: elsewhere }, search())).toBeUndefined();
  });

  it('is not searched if the environment names one', async () => {
    await displays(0);
    runs(desktop());
    for (const named of [
      { DISPLAY: ':0', DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x' },
      { WAYLAND_DISPLAY: 'wayland-7' },
      { DESKTERITY_PRIVATE_DESKTOP: '0123456789' },
    ])
      expect(await findUserDesktop({ ...BARE, ...named }, search())).toBeUndefined();
    expect(asked).toEqual([]);
    expect(await findUserDesktop({ ...BARE, DISPLAY: '' }, search())).toMatchObject({ DISPLAY: ':0' });
  });

  it('is one display, however it is written', async () => {
    await displays(0);
    for (const name of [':0', ':0.0', 'unix:0', ':00']) runs({ ...desktop(), DISPLAY: name });
    expect(await findUserDesktop(BARE, search())).toMatchObject({ DISPLAY: ':0' });
  });

  it('is undefined if there are several, which are all named', async () => {
    await displays(0, 5);
    for (const name of [':0', ':0', ':0', ':5']) runs(desktop(name));
    expect(await findUserDesktop(BARE, search())).toBeUndefined();
    expect(await otherLiveDisplays(BARE, search())).toEqual(expect.arrayContaining([':0', ':5']));
  });

  it('is not one whose server has exited, refuses us or is remote', async () => {
    await displays(0, 2, 10);
    writeFileSync(path.join(folder, 'X', 'X3'), '');
    for (const name of [':0', ':1', ':2', ':3', 'localhost:10.0', 'far:0', '/tmp/x:0', ':123456', 'x'])
      runs(desktop(name));
    closed = [':2 /home/me/key', ':2 -'];
    expect(await findUserDesktop(BARE, search())).toMatchObject({ DISPLAY: ':0' });
    expect(asked.toSorted()).toEqual([':0 /home/me/key', ':2 -', ':2 /home/me/key']);
  });

  it('is not a private one, even with an unmarked program on it', async () => {
    await displays(201, 202);
    runs({ ...desktop(':201'), DESKTERITY_PRIVATE_DESKTOP: '0123456789' });
    runs(desktop(':201'));
    runs(desktop(':202'));
    expect(await findUserDesktop(BARE, search({ privateDisplays: new Set([':202']) }))).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('is not one of programs in a container', async () => {
    await displays(0, 1);
    mkdirSync(path.join(folder, 'proc', 'self', 'ns'), { recursive: true });
    symlinkSync('mnt:[1]', path.join(folder, 'proc', 'self', 'ns', 'mnt'));
    runs(desktop(':0'), 'program', 'mnt:[1]');
    runs(desktop(':1'), 'program', 'mnt:[2]');
    expect(await findUserDesktop(BARE, search())).toMatchObject({ DISPLAY: ':0' });
  });

  it.skipIf(process.getuid?.() !== 0)("is not one of another user's (as root only)", async () => {
    await displays(0, 1);
    runs(desktop(':0'));
    chownSync(path.join(folder, 'proc', String(nextPid - 1)), 12_345, 12_345);
    runs(desktop(':1'));
    expect(await findUserDesktop(BARE, search())).toMatchObject({ DISPLAY: ':1' });
    chownSync(path.join(folder, 'X', 'X1'), 12_345, 12_345);
    expect(await findUserDesktop(BARE, search())).toBeUndefined();
  });

  it('is not one of another session', async () => {
    await displays(0);
    runs(desktop());
    const own = { ...BARE, XDG_RUNTIME_DIR: path.join(folder, 'runs') };
    expect(await findUserDesktop(own, search())).toBeUndefined();
    expect(await findUserDesktop({ ...BARE, XDG_RUNTIME_DIR: `${runtime}/` }, search())).toBeDefined();
  });

  it('has the variables of its session manager, otherwise of most programs', async () => {
    await displays(0);
    const other = {
      ...desktop(),
      XAUTHORITY: '/other/key',
      DBUS_SESSION_BUS_ADDRESS: 'unix:abstract=/tmp/other',
    };
    runs(desktop());
    runs(other);
    runs(other);
    expect(await findUserDesktop(BARE, search())).toMatchObject(other);
    runs(other);
    runs(desktop(), 'xfce4-session');
    expect(await findUserDesktop(BARE, search())).toMatchObject(desktop());
  });

  it('has a working authority file', async () => {
    await displays(0);
    runs({ ...desktop(), XAUTHORITY: '/stale/key' });
    runs({ ...desktop(), XAUTHORITY: '/stale/key' });
    runs(desktop());
    closed = [':0 /stale/key'];
    expect(await findUserDesktop(BARE, search())).toMatchObject({ XAUTHORITY: '/home/me/key' });
    closed = [':0 /stale/key', ':0 /home/me/key'];
    expect(await findUserDesktop(BARE, search())).toMatchObject({ XAUTHORITY: undefined });
  });

  it('has the usual runtime folder and bus if programs name none that exist', async () => {
    await displays(0);
    const usual = path.join(folder, 'runs', String(process.getuid?.()));
    mkdirSync(usual);
    runs({
      DISPLAY: ':0',
      XDG_RUNTIME_DIR: '/nowhere/at/all',
      DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus',
      XDG_SESSION_TYPE: 'tty',
    });
    const found = { DISPLAY: ':0', XDG_RUNTIME_DIR: usual, XDG_SESSION_TYPE: undefined };
    const bus = 'unix:path=/the/callers/own';
    expect(await findUserDesktop({ ...BARE, DBUS_SESSION_BUS_ADDRESS: bus }, search())).toMatchObject({
      ...found,
      DBUS_SESSION_BUS_ADDRESS: bus,
    });
    await listen(path.join(usual, 'bus'));
    expect(await findUserDesktop(BARE, search())).toMatchObject({
      ...found,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${usual}/bus`,
    });
  });

  it('includes its compositor; one without an X server counts but is not chosen', async () => {
    await displays(0);
    await listen(path.join(runtime, 'wayland-0'));
    const both = { ...desktop(), WAYLAND_DISPLAY: 'wayland-0', XDG_SESSION_TYPE: 'wayland' };
    runs(both);
    runs({ XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: 'wayland-0' });
    runs({ XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: 'wayland-gone' });
    await dead(path.join(runtime, 'wayland-7'));
    runs({ XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: 'wayland-7' });
    await listen(path.join(runtime, 'wayland-8'));
    runs({
      XDG_RUNTIME_DIR: runtime,
      WAYLAND_DISPLAY: 'wayland-8',
      DESKTERITY_PRIVATE_DESKTOP: '0123456789',
    });
    expect(await findUserDesktop(BARE, search())).toEqual(both);
    await listen(path.join(runtime, 'wayland-1'));
    runs({ XDG_RUNTIME_DIR: runtime, WAYLAND_DISPLAY: 'wayland-1' });
    expect(await findUserDesktop(BARE, search())).toBeUndefined();
    expect(await otherLiveDisplays(BARE, search())).toEqual(expect.arrayContaining([':0', 'wayland-1']));
  });

  it('is undefined if processes are hidden, exit or have invalid variables', async () => {
    await displays(0);
    expect(await findUserDesktop(BARE, search({ procFolder: path.join(folder, 'missing') }))).toBeUndefined();
    mkdirSync(path.join(folder, 'proc', '7'));
    writeFileSync(path.join(folder, 'proc', '8'), '');
    runs('');
    runs('\0\0=\0DISPLAY\0DISPLAY=\0=:0\0');
    runs(`DISPLAY=:0\n\0`);
    runs({ DISPLAY: `:${'0'.repeat(5000)}` });
    // The part that is read may end anywhere.
    runs(`FILL=${'x'.repeat(256 * 1024 - 16)}\0DISPLAY=:0`);
    expect(await findUserDesktop(BARE, search())).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('is found although this process is kept from working for longer than an answer may take', async () => {
    runs(desktop());
    let turns = 0;
    const block = (): void => {
      const end = performance.now() + 170;
      while (performance.now() < end);
      if (++turns < 5) setImmediate(block);
    };
    setImmediate(block);
    const wanted = new Set(['DISPLAY']);
    const found = await processVariables({ wanted, folder: path.join(folder, 'proc'), limitMs: 60_000 });
    expect(found).toHaveLength(1);
    turns = 3;
    setImmediate(block);
    expect(await acceptsConnections(path.join(runtime, 'bus'))).toBe(true);
  });

  it('is undefined if there was no time to read all processes', async () => {
    runs(desktop());
    const wanted = new Set(['DISPLAY']);
    const proc = path.join(folder, 'proc');
    expect(await processVariables({ wanted, folder: proc, limitMs: 0 })).toBeUndefined();
    expect(await processVariables({ wanted, folder: proc })).toEqual([
      { program: 'program', variables: { DISPLAY: ':0' } },
    ]);
  });
});

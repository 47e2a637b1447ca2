import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, Socket, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { liveDisplays } from '../../src/platform/linux/machine/live-displays.ts';
import { desktopKey, otherLiveDisplays } from '../../src/platform/linux/desktops.ts';
import { createPlatform } from '../../src/platform/select.ts';

describe('a platform that is not supported yet', () => {
  const real = process.platform;
  beforeEach(() => Object.defineProperty(process, 'platform', { value: 'win32' }));
  afterEach(() => Object.defineProperty(process, 'platform', { value: real }));

  it('refuses every call with an error code and a suggestion', async () => {
    const platform = createPlatform();
    const workerFile = '/nowhere';
    await expect(platform.desktops.open({})).rejects.toMatchObject({ code: 'PLATFORM_UNSUPPORTED' });
    await expect(platform.processIdentity()).rejects.toMatchObject({ code: 'PLATFORM_UNSUPPORTED' });
    expect(await platform.sockets.isConfined(new Socket())).toBe(false);
    await expect(platform.sandbox({ workerFile })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: 'Programs cannot be confined on win32 yet.',
      suggestion: expect.stringContaining('Linux'),
    });
  });
});

describe('desktopKey', () => {
  const user = {
    DISPLAY: ':1',
    HOME: '/home/me',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
    PATH: '/usr/bin',
  };
  const same: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    ['another screen of the display', { ...user, DISPLAY: ':1.0' }],
    ['the display by its transport', { ...user, DISPLAY: 'unix:1' }],
    ['the authority file that is used anyway', { ...user, XAUTHORITY: '/home/me/.Xauthority' }],
    [
      'the guid of the bus',
      { ...user, DBUS_SESSION_BUS_ADDRESS: `${user.DBUS_SESSION_BUS_ADDRESS},guid=0a1b` },
    ],
    ['anything else', { ...user, PATH: '/bin', LANG: 'de', AT_SPI_BUS_ADDRESS: 'unix:path=/x' }],
  ];
  it.each(same)('is the same with %s', (_, environment) => {
    expect(desktopKey(environment)).toBe(desktopKey(user));
  });

  const different: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    ['another display', { ...user, DISPLAY: ':10' }],
    ['a display elsewhere', { ...user, DISPLAY: 'host:1' }],
    ['no display', { ...user, DISPLAY: undefined }],
    ['another authority file', { ...user, XAUTHORITY: '/tmp/authority' }],
    ['another bus', { ...user, DBUS_SESSION_BUS_ADDRESS: 'unix:path=/tmp/bus' }],
    ['a private desktop', { ...user, DESKTERITY_PRIVATE_DESKTOP: '0123456789' }],
    [
      'parts that only look alike when they are put together',
      { ...user, DISPLAY: ':1","/home/me/.Xauthority' },
    ],
  ];
  it.each(different)('differs with %s', (_, environment) => {
    expect(desktopKey(environment)).not.toBe(desktopKey(user));
  });

  it('keeps unknown forms of a display unchanged', () => {
    const keys = ['', 'x', ':', ':x', ':1.', ':1.0.0', '1', ':-1'].map((DISPLAY) => desktopKey({ DISPLAY }));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe.skipIf(process.platform !== 'linux')('live displays (on Linux only)', () => {
  let folder: string;
  let runtime: string;
  let x11Folder: string;
  const servers: Server[] = [];

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'displays-'));
    runtime = path.join(folder, 'run');
    x11Folder = path.join(folder, 'X');
    mkdirSync(runtime);
    mkdirSync(x11Folder);
  });

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
    rmSync(folder, { recursive: true });
  });

  /** No process of this machine says anything. */
  const search = () => ({ x11Folder, procFolder: path.join(folder, 'proc') });

  async function listen(file: string): Promise<void> {
    const server = createServer((socket) => socket.destroy());
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(file, resolve));
  }

  it('are those that accept connections, by number, compositors last', async () => {
    await listen(path.join(x11Folder, 'X10'));
    await listen(path.join(x11Folder, 'X2'));
    await listen(path.join(x11Folder, 'X2-not'));
    await listen(path.join(runtime, 'wayland-1'));
    writeFileSync(path.join(x11Folder, 'X3'), '');
    writeFileSync(path.join(runtime, 'wayland-1.lock'), '');
    const environment = { XDG_RUNTIME_DIR: runtime };
    expect(await otherLiveDisplays(environment, search())).toEqual([':2', ':10', 'wayland-1']);
    expect(await otherLiveDisplays({ ...environment, DISPLAY: '' }, search())).toHaveLength(3);
    expect(await otherLiveDisplays({ ...environment, DISPLAY: ':7' }, search())).toEqual([]);
  });

  it('exclude those whose server has exited', async () => {
    const script =
      'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
    const { spawnSync } = await import('node:child_process');
    spawnSync(process.execPath, ['-e', script, path.join(x11Folder, 'X4')]);
    await listen(path.join(x11Folder, 'X5'));
    expect(await otherLiveDisplays({ XDG_RUNTIME_DIR: runtime }, search())).toEqual([':5']);
  });

  it('exclude those of private desktops', async () => {
    const desktop = path.join(folder, 'deskterity-desktop-0123456789');
    mkdirSync(desktop);
    writeFileSync(path.join(desktop, 'notes'), 'service 1:2\ndisplay 205\nprocess 3:4\n');
    await listen(path.join(x11Folder, 'X205'));
    await listen(path.join(x11Folder, 'X206'));
    const options = { x11Folder, desktopFolders: [folder] };
    expect(await liveDisplays({ XDG_RUNTIME_DIR: runtime }, options)).toEqual([':206']);
  });

  it('are empty without any sockets', async () => {
    const environment = { XDG_RUNTIME_DIR: path.join(folder, 'missing') };
    expect(
      await otherLiveDisplays(environment, { ...search(), x11Folder: path.join(folder, 'missing') }),
    ).toEqual([]);
  });
});

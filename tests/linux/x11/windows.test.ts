import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DisplayWindowEvent } from '../../../src/platform/linux/display/display.ts';
import { windowIdOf } from '../../../src/platform/linux/display/x11/windows/window-id.ts';
import { openGtk } from './gtk-window.ts';
import { TestConnection, type TestWindow } from './x-connection.ts';
import { activeWindow, TestServer } from './x-server.ts';
import { until } from '../../until.ts';

describe('windows of an X display', () => {
  let server: TestServer;
  let connection: TestConnection;
  let gtk: { id: number; pid: number };
  let message: { id: number; pid: number };

  beforeAll(async () => {
    server = await TestServer.start();
    gtk = await openGtk(server, {
      title: 'Grüße € 日本',
      x: 90,
      y: 70,
      width: 420,
      height: 260,
      colour: '#cc0000',
      popup: { x: 700, y: 500, width: 120, height: 80 },
    });
    message = await server.open('plain', 'xmessage', [
      '-title',
      'plain',
      '-geometry',
      '300x200+300+200',
      'text',
    ]);
    connection = await TestConnection.connect(server.display, { deadlineMs: 5000 });
  });

  afterAll(() => {
    connection.close();
    server.stop();
  });

  const find = (id: number): Promise<TestWindow | undefined> => connection.find(id);

  it('agree with xdotool, wmctrl and xwininfo', async () => {
    const windows = await connection.listWindows();
    const listed = server.run('wmctrl', '-l').split('\n');
    expect(new Set(windows.map(({ id }) => id))).toEqual(
      new Set(listed.map((line) => Number(line.split(' ')[0]))),
    );
    for (const window of windows) {
      const id = String(window.id);
      expect(window.title).toBe(server.run('xdotool', 'getwindowname', id));
      const info = server.run('xwininfo', '-id', id);
      const number = (label: string): number => Number(new RegExp(`${label}: +(-?\\d+)`).exec(info)?.[1]);
      expect(window.bounds).toEqual({
        x: number('Absolute upper-left X'),
        y: number('Absolute upper-left Y'),
        width: number('Width'),
        height: number('Height'),
      });
    }
  });

  it('carry process, class and type', async () => {
    const window = await find(gtk.id);
    expect(window).toMatchObject({
      title: 'Grüße € 日本',
      pid: gtk.pid,
      isUserWindow: true,
      minimized: false,
    });
    expect(window?.className).not.toBe('');
    // xmessage sets only ICCCM properties; its process is known to the server.
    expect(await find(message.id)).toMatchObject({
      title: 'plain',
      pid: message.pid,
      className: 'Xmessage',
    });
  });

  it('are in stacking order, and one is active', async () => {
    for (const id of [gtk.id, message.id]) {
      server.run('wmctrl', '-i', '-a', String(id));
      await until(async () => (await activeWindow(connection)) === id, 'activation');
      const windows = await connection.listWindows();
      expect(windows.at(-1)).toMatchObject({ id, active: true, stacking: windows.length - 1 });
      expect(windows.filter(({ active }) => active)).toHaveLength(1);
    }
  });

  it('show their states', async () => {
    server.run('wmctrl', '-i', '-r', String(gtk.id), '-b', 'add,maximized_vert,maximized_horz');
    await until(async () => (await find(gtk.id))?.maximized === true, 'maximized');
    server.run('wmctrl', '-i', '-r', String(gtk.id), '-b', 'remove,maximized_vert,maximized_horz');
    await until(async () => (await find(gtk.id))?.maximized === false, 'not maximized');
    server.run('xdotool', 'windowminimize', String(gtk.id));
    await until(async () => (await find(gtk.id))?.minimized === true, 'minimized');
    server.run('wmctrl', '-i', '-a', String(gtk.id));
    await until(async () => (await find(gtk.id))?.minimized === false, 'restored');
    expect(await find(gtk.id)).toMatchObject({ maximized: false, fullscreen: false, modal: false });
  });

  it('tell whether anything of them is on the screen', async () => {
    expect(await find(gtk.id)).toMatchObject({ isHidden: false });
    server.run('xdotool', 'set_desktop_for_window', String(gtk.id), '1');
    await until(async () => (await find(gtk.id))?.isHidden === true, 'on another workspace');
    expect(await find(message.id)).toMatchObject({ isHidden: false });
    server.run('xdotool', 'set_desktop_for_window', String(gtk.id), '0');
    await until(async () => (await find(gtk.id))?.isHidden === false, 'on this one again');
    server.run('xdotool', 'windowminimize', String(gtk.id));
    await until(async () => (await find(gtk.id))?.isHidden === true, 'minimized');
    server.run('wmctrl', '-i', '-a', String(gtk.id));
    await until(async () => (await find(gtk.id))?.isHidden === false, 'restored');
  });

  it('include popups that no window manager placed', async () => {
    const popups = await connection.x11.windows.popups({ deadlineMs: 5000 });
    expect(popups).toHaveLength(1);
    expect(popups[0]).toMatchObject({
      pid: gtk.pid,
      isTooltip: false,
      transientFor: windowIdOf(gtk.id),
      bounds: { x: 700, y: 500, width: 120, height: 80 },
    });
    expect((await connection.listWindows()).map(({ id }) => windowIdOf(id))).not.toContain(popups[0]?.id);
  });

  it('can be located one by one', async () => {
    const place = (id: number) => connection.x11.windows.place(windowIdOf(id), { deadlineMs: 5000 });
    // Openbox and GTK may go on moving a window that was maximized and minimized before; xmessage stays where it is.
    expect((await place(message.id))?.bounds).toEqual((await find(message.id))?.bounds);
    expect(await place(0x7ff_ffff)).toBeUndefined();
  });

  it('are reported when they open, become active and close, without polling', async () => {
    const events: DisplayWindowEvent[] = [];
    const stop = await connection.watchWindows((event) => events.push(event));
    const opened = await openGtk(server, {
      title: 'short',
      x: 10,
      y: 10,
      width: 100,
      height: 60,
      colour: 'blue',
    });
    const saw = (kind: DisplayWindowEvent['kind']): boolean =>
      events.some((event) => event.kind === kind && event.id === windowIdOf(opened.id));
    await until(() => saw('window-opened') && saw('active-changed'), 'opened');
    expect((await connection.controlWindow(opened.id, { kind: 'close' })).via).toBe('x11:_NET_CLOSE_WINDOW');
    await until(() => saw('window-closed'), 'closed');
    expect(events.filter(({ kind }) => kind === 'window-opened')).toHaveLength(1);
    expect(events.filter(({ kind }) => kind === 'window-closed')).toHaveLength(1);
    stop();
    const count = events.length;
    server.run('wmctrl', '-i', '-a', String(message.id));
    await until(async () => (await activeWindow(connection)) === message.id, 'activation');
    expect(events).toHaveLength(count);
  });

  it('are reported when their title changes, including existing ones', async () => {
    const events: DisplayWindowEvent[] = [];
    const stop = await connection.watchWindows((event) => events.push(event));
    server.run('wmctrl', '-i', '-r', String(message.id), '-N', 'another title');
    const isReported = (): boolean =>
      events.some(({ kind, id }) => kind === 'window-changed' && id === windowIdOf(message.id));
    await until(isReported, 'the new title');
    expect((await find(message.id))?.title).toBe('another title');
    stop();
  });

  it('refuse to close a nonexistent window', async () => {
    await expect(connection.controlWindow(0x7ff_ffff, { kind: 'close' })).rejects.toMatchObject({
      code: 'WINDOW_NOT_FOUND',
    });
  });

  it('survive windows that come and go while they are listed', async () => {
    for (let round = 0; round < 4; round += 1) {
      const child = server.spawn('xmessage', ['-title', `gone${round}`, 'text']);
      const end = Date.now() + 700;
      while (Date.now() < end) {
        const windows = await connection.listWindows();
        expect(windows.map(({ id }) => id)).toContain(gtk.id);
        const gone = windows.find(({ title }) => title === `gone${round}`);
        if (gone !== undefined) {
          child.kill('SIGKILL');
          await connection.captureWindow(gone.id).catch(() => undefined);
        }
      }
    }
  });

  it('are read from the window tree when the window manager has exited', async () => {
    const own = await TestServer.start({ manager: false });
    try {
      const manager = await own.startManager();
      const window = await openGtk(own, {
        title: 'orphan',
        x: 50,
        y: 40,
        width: 200,
        height: 100,
        colour: 'green',
      });
      const client = await TestConnection.connect(own.display, { deadlineMs: 5000 });
      const manages = async () => (await client.x11.facts({ deadlineMs: 5000 })).windowManager;
      expect(await manages()).toBe('Openbox');
      manager.kill('SIGKILL');
      await until(async () => (await manages()) === undefined, 'the end of openbox');
      expect(await activeWindow(client)).toBeUndefined();
      const windows = await client.listWindows();
      expect(windows.map(({ id }) => id)).toEqual([window.id]);
      expect(windows[0]).toMatchObject({ title: 'orphan', pid: window.pid, active: false });
      expect((await client.controlWindow(window.id, { kind: 'close' })).via).toBe('x11:WM_DELETE_WINDOW');
      await until(async () => (await client.listWindows()).length === 0, 'the window to close');
      client.close();
    } finally {
      own.stop();
    }
  });

  it('come with facts about the screen', async () => {
    expect((await connection.x11.facts({ deadlineMs: 5000 })).screen).toEqual({ width: 1280, height: 800 });
  });
});

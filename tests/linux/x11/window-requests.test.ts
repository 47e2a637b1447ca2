import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WindowRequest } from '../../../src/ports/desktop/windows.ts';
import { openGtk } from './gtk-window.ts';
import { TestConnection } from './x-connection.ts';
import { TestServer } from './x-server.ts';

const COLOUR = { colour: '#00aa00' };

/** The client area as reported by xwininfo. */
function boundsOf(server: TestServer, id: number): { x: number; y: number; width: number; height: number } {
  const info = server.run('xwininfo', '-id', String(id));
  const number = (label: string): number => Number(new RegExp(`${label}: +(-?\\d+)`).exec(info)?.[1]);
  return {
    x: number('Absolute upper-left X'),
    y: number('Absolute upper-left Y'),
    width: number('Width'),
    height: number('Height'),
  };
}

/** The states as reported by xprop. */
function statesOf(server: TestServer, id: number): string {
  return server.run('xprop', '-id', String(id), '_NET_WM_STATE', 'WM_STATE');
}

function activeWindow(server: TestServer): number {
  return Number(/0x[0-9a-f]+/.exec(server.run('xprop', '-root', '_NET_ACTIVE_WINDOW'))?.[0]);
}

async function failure(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => 'no failure',
    (error: unknown) => error,
  );
}

describe('requests to the window manager', () => {
  let server: TestServer;
  let connection: TestConnection;
  let framed: number;
  let other: number;

  beforeAll(async () => {
    server = await TestServer.start();
    ({ id: framed } = await openGtk(server, {
      title: 'framed',
      x: 90,
      y: 70,
      width: 420,
      height: 260,
      ...COLOUR,
    }));
    ({ id: other } = await openGtk(server, {
      title: 'other',
      x: 600,
      y: 70,
      width: 200,
      height: 160,
      ...COLOUR,
    }));
    connection = await TestConnection.connect(server.display, { deadlineMs: 5000 });
    await until(() => activeWindow(server) === other, 'the second window to be active');
  });

  afterAll(() => {
    connection.close();
    server.stop();
  });

  const ask = (id: number, request: WindowRequest) => connection.controlWindow(id, request);

  it('resizes a window where it was opened, and it returns there when it is restored', async () => {
    const { x, y } = boundsOf(server, framed);
    await ask(framed, { kind: 'resize', width: 430, height: 270 });
    await until(() => boundsOf(server, framed).width === 430, 'resizing');
    expect(boundsOf(server, framed)).toEqual({ x, y, width: 430, height: 270 });
    await ask(framed, { kind: 'move', x: 333, y: 222 });
    await until(() => boundsOf(server, framed).x === 333, 'moving');
    await ask(framed, { kind: 'maximize' });
    await until(() => /MAXIMIZED/.test(statesOf(server, framed)), 'maximizing');
    await ask(framed, { kind: 'restore' });
    await until(() => boundsOf(server, framed).width === 430, 'restoring');
    expect(boundsOf(server, framed)).toEqual({ x: 333, y: 222, width: 430, height: 270 });
    await ask(framed, { kind: 'resize', width: 420, height: 260 });
    await until(() => boundsOf(server, framed).width === 420, 'resizing again');
  });

  it('moves and resizes the client area regardless of the frame', async () => {
    await ask(framed, { kind: 'move', x: 344, y: 211 });
    await until(() => boundsOf(server, framed).x === 344, 'moving');
    expect(boundsOf(server, framed)).toEqual({ x: 344, y: 211, width: 420, height: 260 });
    await ask(framed, { kind: 'resize', width: 510, height: 305 });
    await until(() => boundsOf(server, framed).width === 510, 'resizing');
    expect(boundsOf(server, framed)).toEqual({ x: 344, y: 211, width: 510, height: 305 });
    await ask(framed, { kind: 'move', x: -40, y: 10 });
    await until(() => boundsOf(server, framed).x === -40, 'moving over the edge');
    expect(activeWindow(server)).toBe(other);
  });

  it('minimizes, maximizes and restores', async () => {
    await ask(framed, { kind: 'minimize' });
    await until(() => /HIDDEN/.test(statesOf(server, framed)), 'minimizing');
    expect(statesOf(server, framed)).toContain('window state: Iconic');
    expect(activeWindow(server)).toBe(other);
    await ask(framed, { kind: 'maximize' });
    await until(() => /MAXIMIZED_VERT.*MAXIMIZED_HORZ/.test(statesOf(server, framed)), 'maximizing');
    await until(() => !/HIDDEN/.test(statesOf(server, framed)), 'coming back');
    await ask(framed, { kind: 'restore' });
    await until(() => !/MAXIMIZED/.test(statesOf(server, framed)), 'restoring');
    expect(boundsOf(server, framed)).toMatchObject({ width: 510, height: 305 });
  });

  it('reports which window has the focus', async () => {
    await ask(other, { kind: 'focus' });
    await until(() => activeWindow(server) === other, 'activation');
    await until(() => Number(server.run('xdotool', 'getwindowfocus')) === other, 'the focus to follow');
    const windows = await connection.listWindows();
    expect(windows.filter(({ hasInput }) => hasInput).map(({ id }) => id)).toEqual([other]);
    expect(await connection.find(other)).toMatchObject({ hasInput: true, active: true });
  });

  it('is refused for a window of fixed size', async () => {
    const fixed = await server.open('fixed', '/usr/bin/python3', ['-c', FIXED]);
    expect(await failure(ask(fixed.id, { kind: 'resize', width: 500, height: 500 }))).toMatchObject({
      code: 'ACTION_NOT_SUPPORTED',
      delivered: false,
      message: expect.stringContaining('_NET_WM_ACTION_RESIZE'),
    });
    await ask(fixed.id, { kind: 'move', x: 50, y: 60 });
    await until(() => boundsOf(server, fixed.id).x === 50, 'moving');
  });

  it('reports a window that no longer exists', async () => {
    for (const kind of ['minimize', 'close', 'focus'] as const)
      expect(await failure(ask(0x7ff_ffff, { kind }))).toMatchObject({ code: 'WINDOW_NOT_FOUND' });
  });

  it('sends nothing to a window manager that declares no support, and asks one that declares nothing', async () => {
    const before = server.run('xprop', '-root', '_NET_SUPPORTED').replace(/^.*= /, '');
    const support = (names: string): string =>
      server.run('xprop', '-root', '-f', '_NET_SUPPORTED', '32a', '-set', '_NET_SUPPORTED', names);
    support('_NET_ACTIVE_WINDOW');
    try {
      const requests: WindowRequest[] = [
        { kind: 'move', x: 1, y: 1 },
        { kind: 'resize', width: 100, height: 100 },
        { kind: 'minimize' },
        { kind: 'maximize' },
        { kind: 'restore' },
      ];
      for (const request of requests)
        expect(await failure(ask(framed, request))).toMatchObject({
          code: 'ACTION_NOT_SUPPORTED',
          delivered: false,
          message: expect.stringMatching(/^The window manager cannot \w+ windows: it does not support _NET_/),
        });
      expect((await ask(framed, { kind: 'focus' })).via).toBe('x11:_NET_ACTIVE_WINDOW');
      server.run('xprop', '-root', '-remove', '_NET_SUPPORTED');
      // Undeclared, as where another manager took the place of Openbox, which then removes it.
      await ask(framed, { kind: 'maximize' });
      await expect.poll(() => statesOf(server, framed)).toContain('MAXIMIZED_HORZ');
      await ask(framed, { kind: 'restore' });
      await expect.poll(() => statesOf(server, framed)).not.toContain('MAXIMIZED_HORZ');
    } finally {
      support(before);
    }
  });
});

describe('without a window manager', () => {
  it('requests are refused with the reason', async () => {
    const server = await TestServer.start({ manager: false });
    try {
      const { id } = await openGtk(server, { title: 'bare', x: 9, y: 7, width: 42, height: 26, ...COLOUR });
      const connection = await TestConnection.connect(server.display, { deadlineMs: 5000 });
      expect(await failure(connection.controlWindow(id, { kind: 'maximize' }))).toMatchObject({
        code: 'ACTION_NOT_SUPPORTED',
        message: expect.stringContaining('No window manager'),
        delivered: false,
      });
      // Closing needs no window manager.
      expect((await connection.controlWindow(id, { kind: 'close' })).via).toBe('x11:WM_DELETE_WINDOW');
      connection.close();
    } finally {
      server.stop();
    }
  });
});

const FIXED = `
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="fixed")
window.set_resizable(False)
window.set_size_request(240, 120)
window.show_all()
Gtk.main()
`;
import { until } from '../../until.ts';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareImages } from '../../image/compare-images.ts';
import { crop } from '../../../src/image/crop.ts';
import { decodePng } from '../../image/decode-png.ts';
import { intersect } from '../../../src/model/tree/bounds.ts';
import type { RawImage } from '../../../src/image/raw-image.ts';
import { openGtk } from './gtk-window.ts';
import { TestConnection } from './x-connection.ts';
import { activeWindow, TestServer, sleep } from './x-server.ts';
import { until } from '../../until.ts';

const RED = 0xcc_00_00;
const GREEN = 0x00_99_00;

/** How much of an image has a colour, 0 to 1. */
function shareOf(image: RawImage, colour: number): number {
  let count = 0;
  for (let at = 0; at < image.bgrx.length; at += 4) {
    const [blue = 0, green = 0, red = 0] = image.bgrx.subarray(at, at + 3);
    if (((red << 16) | (green << 8) | blue) === colour) count += 1;
  }
  return count / (image.width * image.height);
}

describe('capture', () => {
  let server: TestServer;
  let connection: TestConnection;
  let red: { id: number; pid: number };
  let green: { id: number; pid: number };
  let transparent: { id: number; pid: number };

  beforeAll(async () => {
    server = await TestServer.start();
    const size = { width: 400, height: 300 };
    red = await openGtk(server, { title: 'red', x: 100, y: 100, ...size, colour: '#cc0000' });
    transparent = await openGtk(server, {
      title: 'clear',
      x: 200,
      y: 300,
      ...size,
      colour: '#009900',
      alpha: true,
    });
    green = await openGtk(server, { title: 'green', x: 150, y: 150, ...size, colour: '#009900' });
    connection = await TestConnection.connect(server.display, { deadlineMs: 5000 });
    // No event reports that a window has been painted.
    await sleep(500);
  });

  afterAll(() => {
    connection.close();
    server.stop();
  });

  const oracle = (window: string): RawImage =>
    decodePng(server.runBinary('import', '-window', window, 'png24:-'));
  const activate = async (id: number): Promise<void> => {
    await until(async () => {
      // Requested again: a window that is just being mapped may take the focus afterwards.
      server.run('wmctrl', '-i', '-a', String(id));
      return (await activeWindow(connection)) === id;
    }, 'activation');
    // No event reports that the uncovered part has been painted.
    await sleep(300);
  };

  it('reports where the screen is painted, once until it is asked', async () => {
    const watched = await TestConnection.connect(server.display, { deadlineMs: 5000 });
    let calls = 0;
    const watch = await watched.x11.watchPicture(() => (calls += 1), { deadlineMs: 5000 });
    try {
      await watch.takeAreas({ deadlineMs: 5000 });
      calls = 0;
      server.run('xsetroot', '-solid', 'navy');
      await until(() => calls === 1, 'the report');
      server.run('xsetroot', '-solid', 'black');
      // Nothing reports that nothing is reported.
      await sleep(200);
      expect(calls).toBe(1);
      const areas = await watch.takeAreas({ deadlineMs: 5000 });
      expect(areas.length).toBeGreaterThan(0);
      const outside = { x: 1000, y: 700, width: 10, height: 10 };
      expect(areas.some((area) => intersect(area, outside) !== undefined)).toBe(true);
      expect(await watch.takeAreas({ deadlineMs: 5000 })).toEqual([]);
      server.run('xsetroot', '-solid', 'grey');
      await until(() => calls === 2, 'the next report');
    } finally {
      watch.end();
      watched.close();
    }
  });

  it('of the screen has the same pixels as ImageMagick', async () => {
    const image = await connection.captureScreen();
    expect([image.width, image.height, image.origin, image.scale]).toEqual([1280, 800, { x: 0, y: 0 }, 1]);
    expect(compareImages(image, oracle('root')).changedPixels).toBe(0);
  });

  it('of a region is that part of the screen, clipped to it', async () => {
    const screen = await connection.captureScreen();
    for (const area of [
      { x: 110, y: 120, width: 20, height: 10 },
      { x: 90, y: 90, width: 600, height: 500 },
    ]) {
      const region = await connection.captureRegion(area);
      expect(region.origin).toEqual({ x: area.x, y: area.y });
      expect(compareImages(region, crop(screen, area)).changedPixels).toBe(0);
    }
    const corner = await connection.captureRegion({ x: -50, y: 700, width: 100, height: 300 });
    expect([corner.width, corner.height, corner.origin]).toEqual([50, 100, { x: 0, y: 700 }]);
    await expect(connection.captureRegion({ x: 2000, y: 0, width: 10, height: 10 })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('of a monitor is its part of the screen', async () => {
    const screen = await connection.captureScreen();
    expect(compareImages(await connection.captureMonitor(0), screen).changedPixels).toBe(0);
    await expect(connection.captureMonitor(1)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      suggestion: 'The only monitor is 0.',
    });
    server.run('xrandr', '--setmonitor', 'left', '800/200x600/150+0+0', 'screen');
    server.run('xrandr', '--setmonitor', 'right', '480/100x600/150+800+100', 'none');
    try {
      const right = await connection.captureMonitor(1);
      const bounds = { x: 800, y: 100, width: 480, height: 600 };
      expect({ ...right.origin, width: right.width, height: right.height }).toEqual(bounds);
      expect(compareImages(right, crop(screen, bounds)).changedPixels).toBe(0);
      await expect(connection.captureMonitor(2)).rejects.toMatchObject({
        suggestion: 'There are 2; choose one from 0 to 1.',
      });
    } finally {
      for (const name of ['left', 'right']) server.run('xrandr', '--delmonitor', name);
    }
  });

  it('of a window in front is its client area', async () => {
    await activate(green.id);
    const image = await connection.captureWindow(green.id);
    const window = await connection.find(green.id);
    expect({ ...image.origin, width: image.width, height: image.height }).toEqual(window?.bounds);
    expect(compareImages(image, oracle(String(green.id))).changedPixels).toBe(0);
    expect(shareOf(image, GREEN)).toBe(1);
  });

  it('of a window as it is shown names what covers it, and makes nobody paint', async () => {
    await activate(green.id);
    const [below, above] = [await connection.find(red.id), await connection.find(green.id)];
    const shown = await connection.captureWindow(red.id, true);
    expect({ ...shown.origin, width: shown.width, height: shown.height }).toEqual(below?.bounds);
    const place = above?.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(shown.covered?.some((part) => intersect(part, place) !== undefined)).toBe(true);
    const left = { ...shown.origin, width: 20, height: 20 };
    expect(shareOf(crop(shown, left), RED)).toBe(1);
    const front = await connection.captureWindow(green.id, true);
    expect([front.covered, shareOf(front, GREEN)]).toEqual([[], 1]);
  });

  it('of a covered window shows the window and not what covers it, the first time and later', async () => {
    await activate(green.id);
    const onScreen = crop(
      await connection.captureScreen(),
      (await connection.find(red.id))?.bounds ?? { x: 0, y: 0, width: 1, height: 1 },
    );
    expect(shareOf(onScreen, RED)).toBeLessThan(0.5);
    expect(shareOf(await connection.captureWindow(red.id), RED)).toBe(1);
    expect(shareOf(await connection.captureWindow(red.id), RED)).toBe(1);
    // Also after it was brought to the front and back.
    await activate(red.id);
    expect(shareOf(await connection.captureWindow(red.id), RED)).toBe(1);
    expect(compareImages(await connection.captureScreen(), oracle('root')).changedPixels).toBe(0);
    await activate(green.id);
    expect(shareOf(await connection.captureWindow(red.id), RED)).toBe(1);
  });

  it('of a covered window is refused if its application hangs', async () => {
    const size = { width: 300, height: 200 };
    const hung = await openGtk(server, { title: 'hung', x: 700, y: 100, ...size, colour: '#cc0000' });
    await sleep(300);
    process.kill(hung.pid, 'SIGSTOP');
    const cover = await openGtk(server, { title: 'cover', x: 750, y: 150, ...size, colour: '#009900' });
    await sleep(300);
    await expect(connection.captureWindow(hung.id)).rejects.toMatchObject({ code: 'APP_UNRESPONSIVE' });
    await expect(connection.captureWindow(hung.id)).rejects.toMatchObject({ code: 'APP_UNRESPONSIVE' });
    process.kill(hung.pid, 'SIGCONT');
    expect(shareOf(await connection.captureWindow(hung.id), RED)).toBe(1);
    process.kill(hung.pid, 'SIGKILL');
    process.kill(cover.pid, 'SIGKILL');
  });

  it('of a covered window with transparency works without repainting', async () => {
    await activate(red.id);
    expect(shareOf(await connection.captureWindow(transparent.id), GREEN)).toBe(1);
  });

  it('of a window partly off-screen is the part on the screen', async () => {
    server.run('xdotool', 'windowmove', String(green.id), '1100', '600');
    await until(async () => ((await connection.find(green.id))?.bounds.x ?? 0) >= 1100, 'the window to move');
    await sleep(300);
    const bounds = (await connection.find(green.id))?.bounds ?? { x: 0, y: 0, width: 0, height: 0 };
    const image = await connection.captureWindow(green.id);
    expect(image.origin).toEqual({ x: bounds.x, y: bounds.y });
    expect([image.width, image.height]).toEqual([1280 - bounds.x, 800 - bounds.y]);
    expect(shareOf(image, GREEN)).toBe(1);
    server.run('xdotool', 'windowmove', String(green.id), '150', '150');
  });

  it('of a minimized window is a typed error, and works again after it is restored', async () => {
    server.run('xdotool', 'windowminimize', String(red.id));
    await until(async () => (await connection.find(red.id))?.minimized === true, 'minimized');
    await expect(connection.captureWindow(red.id)).rejects.toMatchObject({
      code: 'NOT_ACTIONABLE',
      suggestion: 'Restore it first.',
    });
    await activate(red.id);
    expect(shareOf(await connection.captureWindow(red.id), RED)).toBe(1);
  });

  it('of a nonexistent window is a typed error', async () => {
    await expect(connection.captureWindow(0x7ff_ffff)).rejects.toMatchObject({ code: 'WINDOW_NOT_FOUND' });
  });

  it('survives windows that vanish meanwhile', async () => {
    for (let round = 0; round < 3; round += 1) {
      const title = `brief${round}`;
      const window = await openGtk(server, {
        title,
        x: 300,
        y: 200,
        width: 500,
        height: 400,
        colour: 'blue',
      });
      await activate(red.id);
      process.kill(window.pid, 'SIGKILL');
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => connection.captureWindow(window.id)),
      );
      const codes = results
        .filter((result) => result.status === 'rejected')
        .map(({ reason }): unknown => (reason instanceof Error && 'code' in reason ? reason.code : reason));
      expect(codes.filter((code) => code !== 'WINDOW_NOT_FOUND' && code !== 'NOT_ACTIONABLE')).toEqual([]);
      await until(async () => (await connection.find(window.id)) === undefined, 'its end');
      await expect(connection.captureWindow(window.id)).rejects.toMatchObject({ code: 'WINDOW_NOT_FOUND' });
    }
    expect(shareOf(await connection.captureWindow(red.id), RED)).toBe(1);
  });

  it('of a 16-bit screen is refused', async () => {
    const own = await TestServer.start({ manager: false, screen: '800x600x16' });
    try {
      const client = await TestConnection.connect(own.display, { deadlineMs: 5000 });
      await expect(client.captureScreen()).rejects.toMatchObject({ code: 'PLATFORM_UNSUPPORTED' });
      client.close();
    } finally {
      own.stop();
    }
  });

  it('works without shared memory, compositing and damage reports', async () => {
    const own = await TestServer.start({ without: ['MIT-SHM', 'Composite', 'DAMAGE'] });
    try {
      const window = await openGtk(own, {
        title: 'bare',
        x: 20,
        y: 30,
        width: 500,
        height: 300,
        colour: '#cc0000',
      });
      const client = await TestConnection.connect(own.display, { deadlineMs: 5000 });
      await until(
        async () => shareOf(await client.captureWindow(window.id), RED) === 1,
        'the window to paint',
      );
      const oracle = decodePng(own.runBinary('import', '-window', 'root', 'png24:-'));
      expect(compareImages(await client.captureScreen(), oracle).changedPixels).toBe(0);
      client.close();
    } finally {
      own.stop();
    }
  });

  it('handles many concurrent requests in turn', async () => {
    const images = await Promise.all(Array.from({ length: 6 }, () => connection.captureScreen()));
    for (const image of images.slice(1)) {
      expect(image.bgrx.buffer).not.toBe(images[0]?.bgrx.buffer);
      expect(image.bgrx.length).toBe(1280 * 800 * 4);
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import type { Fixture } from '../../../fixtures/driver.ts';
import { crop } from '../../../src/image/crop.ts';
import type { CapturedImage } from '../../../src/ports/desktop/capture.ts';
import { CALL, WaylandStage } from './stage.ts';

let stage: WaylandStage;
let fixture: Fixture;
beforeAll(async () => {
  stage = await WaylandStage.start();
  fixture = await stage.fixture('gtk3');
});
afterAll(() => stage.stop());

/** The picture of grim as rows of red, green, blue. */
function grim(...args: readonly string[]): Buffer {
  const file = execFileSync('grim', [...args, '-t', 'ppm', '-'], {
    env: { ...stage.place.environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  // P6, the size and the largest value, one line each.
  let at = 0;
  for (let line = 0; line < 3; line++) at = file.indexOf(0x0a, at) + 1;
  return file.subarray(at);
}

function rgb({ bgrx, width, height }: Pick<CapturedImage, 'bgrx' | 'width' | 'height'>): Buffer {
  const out = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    for (let part = 0; part < 3; part++) out[pixel * 3 + part] = bgrx[pixel * 4 + 2 - part] ?? 0;
  return out;
}

describe('pictures of sway', () => {
  it('of the screen equal those of grim', async () => {
    const image = await stage.desktop.capture({ kind: 'screen' }, CALL);
    expect(image).toMatchObject({ width: 1280, height: 800, origin: { x: 0, y: 0 }, scale: 1 });
    expect(rgb(image).equals(grim())).toBe(true);
  });

  it('of a window and a region are parts of it', async () => {
    const { id, bounds = { x: 0, y: 0, width: 0, height: 0 } } = await stage.window(fixture);
    const image = await stage.desktop.capture({ kind: 'window', windowId: id }, CALL);
    const { x, y, width, height } = bounds;
    expect(image).toMatchObject({ width, height, origin: { x, y }, scale: 1 });
    expect(rgb(image).equals(grim('-g', `${x},${y} ${width}x${height}`))).toBe(true);
    const region = { x: x + 7, y: y + 9, width: 33, height: 21 };
    const part = await stage.desktop.capture({ kind: 'region', bounds: region }, CALL);
    expect(rgb(part).equals(grim('-g', `${x + 7},${y + 9} 33x21`))).toBe(true);
  });

  it('of a covered window are refused, or say what is covered', async () => {
    const other = await stage.fixture('gtk4');
    const { id } = await stage.window(fixture);
    await expect(stage.desktop.capture({ kind: 'window', windowId: id }, CALL)).rejects.toMatchObject({
      code: 'NOT_ACTIONABLE',
      message: expect.stringContaining('covered'),
    });
    const shown = await stage.desktop.capture({ kind: 'window', windowId: id, asShown: true }, CALL);
    expect(shown.covered).toHaveLength(1);
    await stage.desktop.controlWindow(id, { kind: 'focus' }, CALL);
    expect(await stage.desktop.capture({ kind: 'window', windowId: id }, CALL)).toBeDefined();
    await other.stop();
  });

  it('of a minimized window, a missing one or monitor, and beyond the screen are refused', async () => {
    const { id } = await stage.window(fixture);
    await stage.desktop.controlWindow(id, { kind: 'minimize' }, CALL);
    const windowId = id;
    await expect(stage.desktop.capture({ kind: 'window', windowId }, CALL)).rejects.toMatchObject({
      code: 'NOT_ACTIONABLE',
    });
    await stage.desktop.controlWindow(id, { kind: 'restore' }, CALL);
    await expect(
      stage.desktop.capture({ kind: 'window', windowId: 'sway:99999' }, CALL),
    ).rejects.toMatchObject({ code: 'WINDOW_NOT_FOUND' });
    await expect(stage.desktop.capture({ kind: 'screen', monitor: 3 }, CALL)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    const bounds = { x: 5000, y: 0, width: 10, height: 10 };
    await expect(stage.desktop.capture({ kind: 'region', bounds }, CALL)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('are told of when something is painted, and where', async () => {
    let count = 0;
    const watch = await stage.desktop.watchPicture(() => count++, CALL);
    await watch.takeAreas(CALL);
    await fixture.control('rename', { widget: 'press', label: 'Painted' });
    await expect.poll(() => count, { timeout: 5000 }).toBeGreaterThan(0);
    const areas = await watch.takeAreas(CALL);
    const { bounds = { x: 0, y: 0, width: 0, height: 0 } } = await stage.window(fixture);
    expect(areas.length).toBeGreaterThan(0);
    for (const { x, y, width, height } of areas) {
      expect(x).toBeGreaterThanOrEqual(bounds.x);
      expect(y).toBeGreaterThanOrEqual(bounds.y);
      expect(x + width).toBeLessThanOrEqual(bounds.x + bounds.width);
      expect(y + height).toBeLessThanOrEqual(bounds.y + bounds.height);
    }
    watch.end();
    const before = count;
    await fixture.control('rename', { widget: 'press', label: 'Unseen' });
    await stage.desktop.capture({ kind: 'screen' }, CALL);
    expect(count).toBe(before);
  });

  it('span screens of different scales and negative places', async () => {
    stage.addScreens();
    await expect
      .poll(async () => (await stage.desktop.status(CALL)).screen, { timeout: 5000 })
      .toEqual({
        width: 3240,
        height: 1200,
        monitors: [
          { x: 0, y: 0, width: 1280, height: 800, scale: 1 },
          { x: -960, y: -100, width: 960, height: 800, scale: 2 },
          { x: 1280, y: 300, width: 1000, height: 800, scale: 1.5 },
        ],
      });
    const { bgrx: _, ...screen } = await stage.desktop.capture({ kind: 'screen' }, CALL);
    expect(screen).toEqual({ origin: { x: -960, y: -100 }, scale: 2, width: 6480, height: 2400 });
    const second = await stage.desktop.capture({ kind: 'screen', monitor: 1 }, CALL);
    expect(second).toMatchObject({ origin: { x: -960, y: -100 }, scale: 2, width: 1920, height: 1600 });
    expect(rgb(second).equals(grim('-o', 'HEADLESS-2'))).toBe(true);
    const gap = { x: 1300, y: 0, width: 50, height: 50 };
    await expect(stage.desktop.capture({ kind: 'region', bounds: gap }, CALL)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('of a screen whose scale is not whole show each pixel where it is', async () => {
    const { id } = await stage.window(fixture);
    await stage.desktop.controlWindow(id, { kind: 'move', x: 1290, y: 310 }, CALL);
    const bounds = { x: 1303, y: 317, width: 302, height: 152 };
    const differing = async (): Promise<readonly string[]> => {
      const whole = await stage.desktop.capture({ kind: 'screen', monitor: 2 }, CALL);
      expect(whole).toMatchObject({ origin: { x: 1280, y: 300 }, scale: 1.5, width: 1500, height: 1200 });
      const part = await stage.desktop.capture({ kind: 'region', bounds }, CALL);
      expect(part).toMatchObject({ origin: { x: 1303, y: 317 }, scale: 1.5 });
      const isWhole = rgb(whole).equals(grim('-o', 'HEADLESS-3', '-s', '1.5'));
      const isPart = rgb(part).equals(rgb(crop(whole, bounds)));
      return [...(isWhole ? [] : ['whole']), ...(isPart ? [] : ['part'])];
    };
    // The application paints anew for another scale.
    await expect.poll(differing, { timeout: 10_000 }).toEqual([]);
  });
});

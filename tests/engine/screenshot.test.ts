import { describe, expect, it, vi } from 'vitest';
import type { ScreenshotRequest, ScreenshotResult } from '../../src/engine/requests/reading.ts';
import { decodePng } from '../image/decode-png.ts';
import { intersect, type Bounds } from '../../src/model/tree/bounds.ts';
import type { CapturedImage, CaptureTarget } from '../../src/ports/desktop/capture.ts';
import { app, button, DEADLINE, failureOf, refsByName, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const SCREEN = { x: 0, y: 0, width: 640, height: 400 };
const AREA = { x: 100, y: 50, width: 300, height: 200 };
const SAVE = { x: 120, y: 60, width: 40, height: 20 };
const QUIT = { x: 200, y: 60, width: 40, height: 20 };

/** A picture in which every pixel encodes its position on the screen. */
function picture(bounds: Bounds, scale: number): CapturedImage {
  const [width, height] = [bounds.width * scale, bounds.height * scale];
  const bgrx = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++)
      bgrx.set(
        [(bounds.x + Math.floor(x / scale)) % 251, (bounds.y + Math.floor(y / scale)) % 241, 7, 255],
        (y * width + x) * 4,
      );
  }
  return { width, height, bgrx, origin: { x: bounds.x, y: bounds.y }, scale };
}

async function open(scale = 1): Promise<Stage & { captured: CaptureTarget[] }> {
  const captured: CaptureTarget[] = [];
  const on = await stage([
    app({
      windows: [
        windowWith(
          [
            button('save', 'Save', { bounds: SAVE }),
            button('quit', 'Quit', { bounds: QUIT }),
            button('gone', 'Gone', { bounds: SAVE, states: ['offscreen'] }),
            { id: 'note', role: 'text', name: 'A note', bounds: SAVE },
          ],
          { id: 'x11:0x1', title: 'Front', bounds: AREA },
        ),
      ],
    }),
    app({
      id: 'other',
      name: 'Other',
      pid: 2,
      windows: [
        windowWith([button('under', 'Under', { bounds: SAVE })], {
          id: 'x11:0x2',
          title: 'Behind',
          bounds: { x: 0, y: 0, width: 20, height: 20 },
          minimized: true,
        }),
      ],
    }),
  ]);
  on.desktop.capture = async (target) => {
    captured.push(target);
    if (target.kind === 'window') return picture(AREA, scale);
    const shown = target.kind === 'screen' ? SCREEN : intersect(target.bounds, SCREEN);
    if (shown === undefined) throw new Error('nothing of it is on the screen');
    return picture(shown, scale);
  };
  return { ...on, captured };
}

function take(on: Stage, request: Partial<ScreenshotRequest>): Promise<ScreenshotResult> {
  return on.engine.screenshot({
    ...DEADLINE,
    annotate: false,
    format: 'png',
    quality: 80,
    screen: false,
    ...request,
  });
}

/** The screen position that the first pixel encodes. */
function corner({ bytes }: ScreenshotResult): { x: number; y: number } {
  const { bgrx } = decodePng(bytes);
  return { x: bgrx[0] ?? -1, y: bgrx[1] ?? -1 };
}

describe('a picture taken again at once', () => {
  const again = { debounceMs: 100 };

  it('is the same within the time given, and only of the same thing', async () => {
    const on = await open();
    const captures = async (request: Parameters<typeof take>[1]): Promise<number> => {
      const before = on.captured.length;
      await take(on, request);
      return on.captured.length - before;
    };
    // A picture is kept only while nothing else needs its memory.
    await vi.waitFor(async () => {
      await on.world.clock.sleep(100);
      expect([await captures(again), await captures({ ...again, format: 'jpg' })]).toEqual([1, 0]);
    });
    expect(await captures({ ...again, screen: true })).toBe(1);
    expect(await captures({})).toBe(1);
    await on.world.clock.sleep(100);
    expect(await captures(again)).toBe(1);
  });

  it('is a new one once something else may be in it', async () => {
    const on = await open();
    const rules = { pictured: {} };
    Object.assign(on.desktop, { picturedFor: () => rules.pictured });
    await vi.waitFor(async () => {
      await on.world.clock.sleep(100);
      await take(on, again);
      const before = on.captured.length;
      await take(on, again);
      expect(on.captured.length).toBe(before);
    });
    const before = on.captured.length;
    rules.pictured = {};
    await take(on, again);
    expect(on.captured.length).toBe(before + 1);
  });

  it('is a new one after an act, even if that failed, and after a wait', async () => {
    const on = await open();
    const quit = (await refsByName(on.engine)).get('Quit') ?? '';
    const acts = [
      () => on.engine.click({ ...DEADLINE, ref: quit }),
      () => failureOf(on.engine.click({ ...DEADLINE, ref: '@e999' })),
      () => failureOf(on.engine.waitForElement({ deadlineMs: 1, element: 'role:button[name="No"]' })),
    ];
    for (const act of acts) {
      await take(on, again);
      const before = on.captured.length;
      await act();
      const after = on.captured.length;
      await take(on, again);
      expect([before, on.captured.length - after]).toEqual([before, 1]);
    }
  });

  it('is a new one once the window was read, and if what is in it is cut out or labelled, which is of now', async () => {
    const on = await open();
    const quit = (await refsByName(on.engine)).get('Quit') ?? '';
    await take(on, again);
    await refsByName(on.engine);
    await take(on, again);
    await take(on, { ...again, annotate: true });
    await take(on, { ...again, element: quit });
    expect(on.captured).toHaveLength(4);
  });
});

describe('a picture', () => {
  it('is of the whole screen or of a window: the given one, else the active one', async () => {
    const on = await open();
    const screen = await take(on, { screen: true });
    expect([screen.width, screen.height, corner(screen)]).toEqual([640, 400, { x: 0, y: 0 }]);
    expect(await take(on, {})).toMatchObject({ width: 300, clipped: false });
    const window = await take(on, { window: 'Front' });
    expect([window.width, window.height, window.origin]).toEqual([300, 200, { x: 100, y: 50 }]);
    await take(on, { app: 'Editor', screen: true });
    expect(on.captured).toEqual([
      { kind: 'screen' },
      { kind: 'window', windowId: 'x11:0x1' },
      { kind: 'window', windowId: 'x11:0x1' },
      { kind: 'screen' },
    ]);
  });

  it('is of one monitor', async () => {
    const on = await open();
    await take(on, { monitor: 1 });
    expect(on.captured).toEqual([{ kind: 'screen', monitor: 1 }]);
  });

  it('of a region reports if a part of it is not on the screen', async () => {
    const on = await open();
    const inside = await take(on, { region: { x: 10, y: 20, width: 30, height: 40 } });
    expect([inside.width, inside.height, corner(inside), inside.clipped]).toEqual([
      30,
      40,
      { x: 10, y: 20 },
      false,
    ]);
    const across = await take(on, { region: { x: 600, y: -10, width: 100, height: 50 }, annotate: true });
    expect(across).toMatchObject({
      width: 40,
      height: 40,
      origin: { x: 600, y: 0 },
      clipped: true,
      labels: [],
    });
  });

  it.each([
    [{ scale: 0.5 }, 150, 100, 0.5],
    [{ maxSize: 100 }, 100, 67, 0.3333],
    [{ scale: 0.25, maxSize: 200 }, 75, 50, 0.25],
    [{ scale: 0.9, maxSize: 100 }, 100, 67, 0.3333],
    [{ maxSize: 1000 }, 300, 200, 1],
  ])('scaled by %j still maps to screen positions', async (how, width, height, scale) => {
    const on = await open();
    const small = await take(on, { window: 'Front', annotate: true, ...how });
    expect(small).toMatchObject({ width, height, scale, origin: { x: 100, y: 50 } });
    // Bounds of labels are screen positions, whatever the picture.
    expect(small.labels.map(({ bounds }) => bounds)).toEqual([SAVE, QUIT]);
    const { bgrx } = decodePng((await take(on, { window: 'Front', ...how })).bytes);
    const [x, y] = [Math.floor(width / 4), Math.floor(height / 4)];
    const [blue = 0, green = 0] = bgrx.subarray((y * width + x) * 4);
    // The middle of the area that the pixel covers.
    expect(Math.abs(blue - (100 + (x + 0.5) / scale - 0.5))).toBeLessThan(1);
    expect(Math.abs(green - (50 + (y + 0.5) / scale - 0.5))).toBeLessThan(1);
  });

  it('with a scale is relative to the screen, even if the display is scaled', async () => {
    const on = await open(2);
    expect(await take(on, { window: 'Front', scale: 1 })).toMatchObject({ width: 300, scale: 1 });
    expect(await take(on, { window: 'Front' })).toMatchObject({ width: 600, scale: 2 });
  });

  it.each([1, 2])('of an element is cropped from its window at scale %i', async (scale) => {
    const on = await open(scale);
    const element = (await refsByName(on.engine)).get('Quit');
    const shot = await take(on, { element });
    expect(on.captured).toEqual([{ kind: 'window', windowId: 'x11:0x1' }]);
    expect(shot).toMatchObject({ width: 40 * scale, height: 20 * scale, scale, origin: { x: 200, y: 60 } });
    expect(corner(shot)).toEqual({ x: 200, y: 60 });
  });

  it('of an element is cropped from the screen if the display cannot capture its window', async () => {
    const on = await open();
    const window = on.world.apps[0]?.windows[0];
    if (window) window.isTreeOnly = true;
    const element = (await refsByName(on.engine)).get('Quit');
    const shot = await take(on, { element });
    expect(on.captured).toEqual([{ kind: 'screen' }]);
    expect(shot).toMatchObject({ width: 40, height: 20, origin: { x: 200, y: 60 } });
  });

  it('of an element that is not on screen is refused', async () => {
    const on = await open();
    const { matches } = await on.engine.find({
      ...DEADLINE,
      by: 'exact',
      query: 'Gone',
      limit: 1,
      wholeTree: true,
    });
    expect(await failureOf(take(on, { element: matches[0]?.ref }))).toMatchObject({ code: 'NOT_ACTIONABLE' });
    expect(on.captured).toEqual([]);
  });

  it('is a JPEG if requested', async () => {
    const { bytes } = await take(await open(), { format: 'jpg' });
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  });

  it('is a WebP if requested', async () => {
    const { bytes } = await take(await open(), { format: 'webp', quality: 30 });
    expect(Buffer.from(bytes).toString('latin1', 8, 12)).toBe('WEBP');
  });
});

describe('labels', () => {
  it('are the refs of the snapshot for elements in the picture', async () => {
    const on = await open();
    const refs = await refsByName(on.engine);
    const { labels } = await take(on, { annotate: true, window: 'Front' });
    expect(labels).toEqual([
      { ref: refs.get('Save'), role: 'button', name: 'Save', bounds: SAVE },
      { ref: refs.get('Quit'), role: 'button', name: 'Quit', bounds: QUIT },
    ]);
    for (const { ref } of labels) await on.engine.describe({ ...DEADLINE, ref });
  });

  it('leave out minimised windows and elements outside a crop', async () => {
    const on = await open();
    const screen = await take(on, { annotate: true, screen: true });
    expect(screen.labels.map(({ name }) => name)).toEqual(['Save', 'Quit']);
    const element = screen.labels[0]?.ref;
    const crop = await take(on, { annotate: true, element });
    expect(crop.labels.map(({ name }) => name)).toEqual(['Save']);
  });

  it('change the pixels and nothing else', async () => {
    const on = await open();
    const [plain, marked] = [
      await take(on, { window: 'Front' }),
      await take(on, { window: 'Front', annotate: true }),
    ];
    expect([marked.width, marked.height, marked.origin]).toEqual([plain.width, plain.height, plain.origin]);
    expect(Buffer.from(marked.bytes).equals(Buffer.from(plain.bytes))).toBe(false);
  });

  it('of an application that does not answer are missing, not fatal', async () => {
    const on = await open();
    on.world.freeze('app', 60_000);
    expect((await take(on, { annotate: true, window: 'Front' })).labels).toEqual([]);
  });
});

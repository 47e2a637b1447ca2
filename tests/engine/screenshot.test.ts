import { describe, expect, it } from 'vitest';
import type { ScreenshotRequest, ScreenshotResult } from '../../src/engine/engine.ts';
import { decodePng } from '../../src/image/png-decode.ts';
import type { Bounds } from '../../src/model/bounds.ts';
import type { CapturedImage, CaptureTarget } from '../../src/ports/desktop.ts';
import { app, button, DEADLINE, failureOf, refsByName, stage, windowWith } from './support/stage.ts';
import type { Stage } from './support/stage.ts';

const AREA = { x: 100, y: 50, width: 300, height: 200 };
const SAVE = { x: 120, y: 60, width: 40, height: 20 };
const QUIT = { x: 200, y: 60, width: 40, height: 20 };

/** A picture in which every pixel tells its place on the screen. */
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
    return picture(target.kind === 'screen' ? { x: 0, y: 0, width: 640, height: 400 } : AREA, scale);
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

/** The place on the screen that the first pixel tells. */
function corner({ bytes }: ScreenshotResult): { x: number; y: number } {
  const { bgrx } = decodePng(bytes);
  return { x: bgrx[0] ?? -1, y: bgrx[1] ?? -1 };
}

describe('a picture', () => {
  it('is of the whole screen when nothing is named, and of the window that is', async () => {
    const on = await open();
    const screen = await take(on, {});
    expect([screen.width, screen.height, corner(screen)]).toEqual([640, 400, { x: 0, y: 0 }]);
    const window = await take(on, { window: 'Front' });
    expect([window.width, window.height, window.origin]).toEqual([300, 200, { x: 100, y: 50 }]);
    await take(on, { app: 'Editor', screen: true });
    expect(on.captured).toEqual([
      { kind: 'screen' },
      { kind: 'window', windowId: 'x11:0x1' },
      { kind: 'screen' },
    ]);
  });

  it.each([1, 2])('of an element is cut out of its window at scale %i', async (scale) => {
    const on = await open(scale);
    const element = (await refsByName(on.engine)).get('Quit');
    const shot = await take(on, { element });
    expect(on.captured).toEqual([{ kind: 'window', windowId: 'x11:0x1' }]);
    expect(shot).toMatchObject({ width: 40 * scale, height: 20 * scale, scale, origin: { x: 200, y: 60 } });
    expect(corner(shot)).toEqual({ x: 200, y: 60 });
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

  it('is a JPEG when asked for', async () => {
    const { bytes } = await take(await open(), { format: 'jpg' });
    expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  });
});

describe('labels', () => {
  it('are the refs of the snapshot, of what is in the picture', async () => {
    const on = await open();
    const refs = await refsByName(on.engine);
    const { labels } = await take(on, { annotate: true, window: 'Front' });
    expect(labels).toEqual([
      { ref: refs.get('Save'), role: 'button', name: 'Save', bounds: SAVE },
      { ref: refs.get('Quit'), role: 'button', name: 'Quit', bounds: QUIT },
    ]);
    for (const { ref } of labels) await on.engine.describe({ ...DEADLINE, ref });
  });

  it('leave out minimised windows and what a crop does not show', async () => {
    const on = await open();
    const screen = await take(on, { annotate: true });
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

import { describe, expect, it } from 'vitest';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Album } from '../../scripts/demo/album.ts';
import { encodeApng } from '../../scripts/demo/apng.ts';
import { lit } from '../../scripts/demo/light.ts';
import { page } from '../../scripts/demo/page.ts';
import { stringifyCommand } from '../../scripts/demo/shell-words.ts';
import { summary } from '../../scripts/demo/summary.ts';
import { encodePng, readChunks, writeChunks } from '../../src/image/png.ts';
import type { RawImage } from '../../src/image/raw-image.ts';
import { decodePng } from '../image/decode-png.ts';

describe('the command line shown for a step', () => {
  it.each([
    ['launch', { app: 'kcalc', wait: true }, 'desk launch kcalc --wait'],
    [
      'launch',
      { app: 'mousepad', wait: true, args: ['a b.txt'] },
      "desk launch mousepad --wait -- 'a b.txt'",
    ],
    ['find', { query: '×', app: 'kcalc', exact: true }, "desk find '×' --app kcalc --exact"],
    ['set-value', { ref: '@e3', value: "it's 42" }, String.raw`desk set-value @e3 'it'\''s 42'`],
    ['snapshot', { app: 'kcalc', max_depth: 2, compact: false }, 'desk snapshot --app kcalc --max-depth 2'],
  ])('%s %j', (command, input, expected) => {
    expect(stringifyCommand(command, input)).toBe(expected);
  });
});

describe('what the demo writes', () => {
  const story = {
    ok: false,
    version: '0.1.0',
    toolkits: ['Qt (5.15.8)'],
    totalMs: 5200,
    steps: [
      {
        what: 'Press | (button)',
        command: 'desk click @e1',
        effect: 'failed',
        evidence: ['a window called <script>alert("1")</script>'],
        before: '01-press-before.png',
        after: '01-press.png',
        milliseconds: 12,
      },
    ],
  };

  it('keeps text of applications from becoming markup', () => {
    const html = page(story);
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });

  it('says when it did not work, and embeds the pictures', () => {
    const text = summary(story);
    expect(text).toContain('did **not** work');
    expect(text).toContain('![Press | (button)](01-press.png)');
    expect(text).toContain(String.raw`| 1 | Press \| (button) | failed | 12 |`);
  });

  it('folds the steps, except the one that failed, and shows before and after', () => {
    const [failed] = story.steps;
    if (failed === undefined) throw new Error('no step');
    const html = page({ ...story, steps: [{ ...failed, effect: 'confirmed' }, failed] });
    expect(html.match(/<details>/g)).toHaveLength(1);
    expect(html.match(/<details open>/g)).toHaveLength(1);
    expect(html).toContain('<img src="01-press-before.png"');
    expect(html).toContain('prefers-color-scheme: dark');
  });
});

describe('the animation', () => {
  it('begins with the last picture, for viewers that show only the first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'album-'));
    const size = { width: 40, height: 30 };
    const plain = (grey: number): RawImage => ({
      ...size,
      bgrx: Buffer.alloc(size.width * size.height * 4, grey),
      origin: { x: 0, y: 0 },
      scale: 1,
    });
    const greys = [0, 90, 200];
    const album = new Album(folder, async (path) =>
      writeFileSync(path, encodePng(plain(greys.shift() ?? 0))),
    );
    for (const name of ['one', 'two', 'three']) await album.add(name, undefined, undefined);
    await album.finish();
    const [shown] = decodePng(readFileSync(join(folder, 'story.png'))).bgrx;
    rmSync(folder, { recursive: true });
    expect(shown).toBe(200);
  });

  const plain = (colour: number, patch?: { x: number; y: number; colour: number }): RawImage => {
    const pixels = new Uint32Array(12 * 8).fill(colour);
    if (patch !== undefined) for (const dx of [0, 1, 2]) pixels[patch.y * 12 + patch.x + dx] = patch.colour;
    return { width: 12, height: 8, bgrx: new Uint8Array(pixels.buffer), origin: { x: 0, y: 0 }, scale: 1 };
  };
  const FRAMES = [
    plain(0x11_22_33),
    plain(0x11_22_33, { x: 4, y: 2, colour: 0xff_00_00 }),
    plain(0x11_22_33, { x: 7, y: 6, colour: 0x00_ff_00 }),
    plain(0x11_22_33, { x: 7, y: 6, colour: 0x00_ff_00 }),
  ];

  it('shows every frame as it was, though it stores only what differs', () => {
    const file = encodeApng(FRAMES.map((image, index) => ({ image, milliseconds: 100 + index })));
    const chunks = readChunks(file);
    expect(chunks.slice(0, 3).map(({ type }) => type)).toEqual(['IHDR', 'acTL', 'fcTL']);
    const shown: RawImage[] = [];
    let at = { width: 0, height: 0, x: 0, y: 0 };
    const delays: number[] = [];
    for (const { type, data } of chunks) {
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      const [width, height, x, y] = [4, 8, 12, 16].map((offset) =>
        type === 'fcTL' ? view.getUint32(offset) : 0,
      );
      if (type === 'fcTL') {
        at = { width: width ?? 0, height: height ?? 0, x: x ?? 0, y: y ?? 0 };
        delays.push(view.getUint16(20));
      }
      if (type !== 'IDAT' && type !== 'fdAT') continue;
      const header = Buffer.from(chunks[0]?.data ?? []);
      header.writeUInt32BE(at.width, 0);
      header.writeUInt32BE(at.height, 4);
      const part = decodePng(
        writeChunks([
          { type: 'IHDR', data: header },
          { type: 'IDAT', data: type === 'IDAT' ? data : data.subarray(4) },
          { type: 'IEND', data: new Uint8Array(0) },
        ]),
      );
      shown.push(painted(shown.at(-1), part, at));
    }
    expect(delays).toEqual([100, 101, 102, 103]);
    const colours = ({ bgrx }: RawImage) => bgrx.filter((_, index) => index % 4 !== 3);
    expect(shown.map(colours)).toEqual(FRAMES.map(colours));
    // The third frame differs from the second in two patches only.
    expect(file.length).toBeLessThan(600);
  });

  it('lights what was pressed without covering it', () => {
    const before = plain(0x80_80_80);
    const after = new Uint32Array(lit(before, { x: 5, y: 4, width: 2, height: 1 }).bgrx.buffer);
    expect((after[4 * 12 + 5] ?? 0) & 0xff_ff_ff).toBe(0xa4_8d_5c);
    expect((after[4 * 12 + 3] ?? 0) & 0xff_ff_ff).toBe(0xff_b0_00);
    expect(before).toEqual(plain(0x80_80_80));
  });
});

function painted(
  under: RawImage | undefined,
  part: RawImage,
  { x, y }: { readonly x: number; readonly y: number },
): RawImage {
  if (under === undefined) return part;
  const bgrx = under.bgrx.slice();
  for (let row = 0; row < part.height; row += 1)
    bgrx.set(
      part.bgrx.subarray(row * part.width * 4, (row + 1) * part.width * 4),
      ((y + row) * under.width + x) * 4,
    );
  return { ...under, bgrx };
}

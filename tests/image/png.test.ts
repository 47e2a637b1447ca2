import { deflateSync } from 'node:zlib';
import { assert, constantFrom, integer, property, tuple, uint8Array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePng, writeChunks, type Chunk } from '../../src/image/png.ts';
import { DeskterityError } from '../../src/model/effects/errors.ts';
import { decodePng } from './decode-png.ts';
import { anyImage, coloursOf, plainImage, SEEDED } from './images.ts';

interface Raw {
  readonly width: number;
  readonly height: number;
  readonly colour: number;
  readonly depth?: number;
  readonly interlace?: number;
  readonly rows: readonly number[];
  readonly extra?: readonly Chunk[];
}

function file({ width, height, colour, depth = 8, interlace = 0, rows, extra = [] }: Raw): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlace], 8);
  return writeChunks([
    { type: 'IHDR', data: header },
    ...extra,
    { type: 'IDAT', data: deflateSync(Uint8Array.from(rows)) },
    { type: 'IEND', data: new Uint8Array(0) },
  ]);
}

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof DeskterityError ? error.code : String(error);
  }
  return 'none';
}

describe('encodePng and decodePng', () => {
  it('give back every colour, at any level and size', () => {
    assert(
      property(anyImage(), integer({ min: 0, max: 9 }), (image, level) => {
        const decoded = decodePng(encodePng(image, { level }));
        expect([decoded.width, decoded.height]).toEqual([image.width, image.height]);
        expect(coloursOf(decoded)).toEqual(coloursOf(image));
      }),
      SEEDED,
    );
  });

  it('take pixels that do not start at a multiple of four bytes', () => {
    const image = plainImage(3, 2, 0x12_34_56);
    const shifted = new Uint8Array(image.bgrx.length + 1);
    shifted.set(image.bgrx, 1);
    const decoded = decodePng(encodePng({ ...image, bgrx: shifted.subarray(1) }));
    expect(coloursOf(decoded)).toEqual(Array.from({ length: 6 }, () => 0x12_34_56));
  });

  it('refuse sizes that do not fit the pixels', () => {
    expect(codeOf(() => encodePng({ ...plainImage(2, 2), width: 3 }))).toBe('INVALID_ARGUMENT');
    expect(codeOf(() => encodePng({ ...plainImage(2, 2), width: 0 }))).toBe('INVALID_ARGUMENT');
  });
});

describe('decodePng', () => {
  it('undoes all five row filters', () => {
    const rows = [0, 10, 20, 30, 1, 10, 5, 5, 2, 1, 1, 1, 3, 9, 9, 9, 4, 2, 2, 2];
    const decoded = decodePng(file({ width: 3, height: 5, colour: 0, rows }));
    const gray = coloursOf(decoded).map((colour) => colour & 0xff);
    // Worked out by hand from the PNG specification.
    expect(gray).toEqual([10, 20, 30, 10, 15, 20, 11, 16, 21, 14, 24, 31, 16, 26, 33]);
  });

  it('reads gray with alpha, RGB with alpha and palettes over white', () => {
    const grayAlpha = file({ width: 2, height: 1, colour: 4, rows: [0, 100, 255, 100, 0] });
    expect(coloursOf(decodePng(grayAlpha))).toEqual([0x64_64_64, 0xff_ff_ff]);
    const rgba = file({ width: 1, height: 1, colour: 6, rows: [0, 255, 0, 0, 128] });
    expect(coloursOf(decodePng(rgba))).toEqual([0xff_7f_7f]);
    const extra = [
      { type: 'PLTE', data: Uint8Array.of(1, 2, 3, 4, 5, 6) },
      { type: 'tRNS', data: Uint8Array.of(0) },
    ];
    const palette = file({ width: 2, height: 1, colour: 3, rows: [0, 0, 1], extra });
    expect(coloursOf(decodePng(palette))).toEqual([0xff_ff_ff, 0x04_05_06]);
  });

  it.each([
    ['nothing', new Uint8Array(0)],
    ['text', Buffer.from('this is not a picture at all')],
    ['a cut file', encodePng(plainImage(9, 9)).subarray(0, 40)],
    ['16 bits', file({ width: 1, height: 1, colour: 0, depth: 16, rows: [0, 0, 0] })],
    ['interlacing', file({ width: 1, height: 1, colour: 0, interlace: 1, rows: [0, 0] })],
    ['an unknown colour type', file({ width: 1, height: 1, colour: 7, rows: [0, 0] })],
    ['an unknown filter', file({ width: 1, height: 1, colour: 0, rows: [9, 0] })],
    ['too few rows', file({ width: 4, height: 4, colour: 0, rows: [0, 1, 2, 3, 4] })],
    ['too many rows', file({ width: 1, height: 1, colour: 0, rows: Array.from({ length: 99 }, () => 0) })],
    ['a giant', file({ width: 0xffff_ffff, height: 0xffff_ffff, colour: 2, rows: [0] })],
    ['no size', file({ width: 0, height: 1, colour: 2, rows: [0] })],
    ['a missing palette', file({ width: 1, height: 1, colour: 3, rows: [0, 0] })],
    [
      'a colour outside the palette',
      file({
        width: 1,
        height: 1,
        colour: 3,
        rows: [0, 7],
        extra: [{ type: 'PLTE', data: Uint8Array.of(1, 2, 3) }],
      }),
    ],
  ])('refuses %s', (_name, bytes) => {
    expect(codeOf(() => decodePng(bytes))).toBe('INVALID_ARGUMENT');
  });

  it('answers damaged files with a typed error or a picture, never anything else', () => {
    const good = encodePng(plainImage(12, 7, 0x33_66_99));
    const damage = tuple(integer({ min: 0, max: good.length - 1 }), integer({ min: 0, max: 255 }));
    assert(
      property(
        damage,
        uint8Array({ maxLength: 60 }),
        constantFrom(true, false),
        ([at, value], noise, cut) => {
          const bad = Buffer.from(good);
          bad[at] = value;
          const bytes = cut ? Buffer.concat([bad.subarray(0, at), noise]) : bad;
          expect(['none', 'INVALID_ARGUMENT']).toContain(codeOf(() => decodePng(bytes)));
        },
      ),
      SEEDED,
    );
  });
});

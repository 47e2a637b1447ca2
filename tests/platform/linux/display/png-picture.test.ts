import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readPng } from '../../../../src/platform/linux/display/png-picture.ts';
import { encodePng } from '../../../../src/image/png.ts';

function chunk(name: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}

interface Facts {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colour?: number;
  readonly interlace?: number;
}

function file(
  { width, height, depth = 8, colour = 2, interlace = 0 }: Facts,
  rows: readonly number[],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlace], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Buffer.from(rows));
  // In two parts, as large files are.
  const parts = [data.subarray(0, 3), data.subarray(3)].map((part) => chunk('IDAT', part));
  return Buffer.concat([signature, chunk('IHDR', header), ...parts, chunk('IEND', Buffer.alloc(0))]);
}

it('reads what our own encoder writes', async () => {
  const bgrx = new Uint8Array(7 * 5 * 4).map((_, at) => (at % 4 === 3 ? 255 : (at * 37) % 256));
  const read = await readPng(encodePng({ width: 7, height: 5, bgrx, origin: { x: 0, y: 0 }, scale: 1 }));
  expect(read).toEqual({ width: 7, height: 5, bgrx });
});

it('undoes each filter, with and without transparency', async () => {
  const pixel = [10, 20, 30];
  const rows = [
    [0, ...pixel, 11, 22, 33],
    [1, ...pixel, 1, 2, 3],
    [2, 0, 0, 0, 1, 1, 1],
    [3, 5, 10, 15, 1, 1, 1],
    [4, 1, 1, 1, 1, 1, 1],
  ];
  const read = await readPng(file({ width: 2, height: 5 }, rows.flat()));
  const colours = Array.from({ length: 10 }, (_, at) =>
    [...(read?.bgrx.subarray(at * 4, at * 4 + 3) ?? [])].toReversed(),
  );
  expect(colours).toEqual([
    [10, 20, 30],
    [11, 22, 33],
    [10, 20, 30],
    [11, 22, 33],
    [10, 20, 30],
    [12, 23, 34],
    [10, 20, 30],
    [12, 22, 33],
    [11, 21, 31],
    [13, 23, 34],
  ]);
  const clear = await readPng(file({ width: 1, height: 1, colour: 6 }, [0, 1, 2, 3, 0]));
  expect([...(clear?.bgrx ?? [])]).toEqual([3, 2, 1, 255]);
});

it('reads no other file, and none that says another size than it has', async () => {
  const fits = [0, 1, 2, 3];
  for (const odd of [
    Buffer.from('no picture'),
    file({ width: 1, height: 1, depth: 16 }, fits),
    file({ width: 1, height: 1, colour: 3 }, fits),
    file({ width: 1, height: 1, interlace: 1 }, fits),
    file({ width: 1, height: 2 }, fits),
    file({ width: 1, height: 1 }, [...fits, 0]),
    file({ width: 1, height: 1 }, [9, 1, 2, 3]),
    file({ width: 0, height: 1 }, [0]),
    file({ width: 40_000, height: 40_000 }, fits),
    file({ width: 1, height: 1 }, fits).subarray(0, 40),
  ])
    expect(await readPng(odd)).toBeUndefined();
});

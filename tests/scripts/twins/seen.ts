import type { Box, Seen, SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import type { Files } from '../../../scripts/proof/twins/look/files.ts';
import type { View } from '../../../scripts/proof/twins/look/compare.ts';
import { pictureOf, type Picture } from '../../../scripts/proof/twins/look/picture.ts';
import type { Frame } from '../../../scripts/proof/twins/side/frame.ts';

const SIZE = 64;
const TILE = 8;

export function node(role: string, name: string, more: Partial<SeenNode> = {}): SeenNode {
  return {
    role,
    name,
    states: ['sensitive', 'showing'],
    box: [0, 0, 20, 10],
    index: 0,
    children: [],
    ...more,
  };
}

/** One application with one window of 64 × 64 pixels. */
export function seen(children: readonly SeenNode[], title = 'Window'): Seen {
  const numbered = children.map((child, index) => ({ ...child, index }));
  const frame = node('frame', title, { box: [0, 0, SIZE, SIZE], children: numbered });
  return {
    applications: [{ name: 'app', pid: 7, toolkit: 'gtk', version: '3', windows: [frame] }],
    windows: [{ id: 1, title, pid: 7, box: [0, 0, SIZE, SIZE], managed: true }],
    complete: true,
  };
}

/** A grey screen, with a square of another colour if wanted. */
export function frame(colour = 0x80_80_80, [x, y, width, height] = [0, 0, 0, 0]): Frame {
  const pixels = new Uint32Array(SIZE * SIZE).fill(0x80_80_80);
  for (let row = y; row < y + height; row++) pixels.fill(colour, row * SIZE + x, row * SIZE + x + width);
  return { width: SIZE, height: SIZE, pixels };
}

export function view(of: Seen, picture = frame(), files: Files = new Map()): View {
  return { seen: of, frame: picture, files };
}

/** A picture that differs in all squares of some boxes, on a screen that is 640 pixels wide. */
export function pictured(...boxes: Box[]): Picture {
  const width = 640;
  const tiles = boxes.flatMap(([left, top, across, down]) =>
    Array.from({ length: Math.ceil(across / TILE) * Math.ceil(down / TILE) }, (_, index) => {
      const perLine = Math.ceil(across / TILE);
      const row = Math.floor(top / TILE) + Math.floor(index / perLine);
      return row * (width / TILE) + Math.floor(left / TILE) + (index % perLine);
    }),
  );
  const picture = pictureOf(new Set(tiles), width);
  if (picture === undefined) throw new Error('a box has squares');
  return picture;
}

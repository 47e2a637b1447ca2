import { describe, expect, it } from 'vitest';
import { areasIn } from '../../../scripts/proof/reading/areas.ts';
import type { Box, SeenNode } from '../../../scripts/proof/twins/look/tree.ts';
import { node, seen } from '../twins/seen.ts';

const SIZE = 200;
const FRAME = {
  width: SIZE,
  height: SIZE,
  pixels: Uint32Array.from({ length: SIZE * SIZE }, (_, index) => index),
};

/** The areas in one window that fills the screen. */
function areas(children: SeenNode[]): ReturnType<typeof areasIn> {
  const small = seen(children);
  const box: Box = [0, 0, SIZE, SIZE];
  const applications = small.applications.map((application) => ({
    ...application,
    windows: application.windows.map((window) => ({ ...window, box })),
  }));
  return areasIn(
    { ...small, applications, windows: small.windows.map((window) => ({ ...window, box })) },
    FRAME,
  );
}

const row = (y: number): SeenNode => node('label', `at ${y}`, { box: [10, y, 100, 10] });

describe('areas that may be scrolled', () => {
  it('are boxes with more in them than they show, and the way to it', () => {
    const long = node('panel', 'long', { box: [0, 0, 190, 90], children: [row(5), row(300)] });
    const wide = node('panel', 'wide', {
      box: [0, 100, 190, 90],
      children: [node('label', 'far', { box: [400, 110, 50, 10] })],
    });
    const short = node('panel', 'short', { box: [0, 0, 190, 90], children: [row(5)] });
    const named = areas([long, wide]).map(({ key, way }) => [key.name, way]);
    expect(named).toStrictEqual([
      ['wide', 'right'],
      ['long', 'down'],
    ]);
    expect(areas([short])).toStrictEqual([]);
  });

  it('are lists and texts, too, which may make their rows when they are seen', () => {
    const list = node('list', 'rows', { box: [0, 0, 190, 90] });
    const line = node('text', 'line', { box: [0, 100, 190, 90] });
    expect(areas([list, line]).map(({ key }) => key.name)).toStrictEqual(['rows']);
  });

  it('are scrolled where the wheel sets nothing', () => {
    const slider = node('slider', 'volume', { box: [0, 0, 190, 60] });
    const list = node('list', 'rows', { box: [0, 0, 190, 120], children: [slider, row(400)] });
    expect(areas([list])[0]?.point.y).toBeGreaterThanOrEqual(60);
  });
});

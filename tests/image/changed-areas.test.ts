import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { emptyFrame, fewAreas, partOf, updateFrame } from '../../src/image/changed-areas.ts';
import { intersect, type Bounds } from '../../src/model/tree/bounds.ts';

const SIZE = { width: 300, height: 170 };
const WHOLE = { x: 0, y: 0, ...SIZE };
const place = fc.record({ x: fc.nat(SIZE.width - 1), y: fc.nat(SIZE.height - 1) });
const dot = fc.record({ at: place, shade: fc.nat(3) });

function picture(area: Bounds, pixelAt: (x: number, y: number) => number): Uint8Array {
  const words = new Uint32Array(area.width * area.height);
  for (let y = 0; y < area.height; y += 1)
    for (let x = 0; x < area.width; x += 1) words[y * area.width + x] = pixelAt(area.x + x, area.y + y);
  return new Uint8Array(words.buffer);
}

it('the areas contain every pixel that changed, and the frame is what was captured', () => {
  fc.assert(
    fc.property(fc.array(dot, { maxLength: 8 }), fc.array(dot, { maxLength: 8 }), (before, after) => {
      const at = (dots: typeof before) => (x: number, y: number) =>
        dots.findLast((one) => one.at.x === x && one.at.y === y)?.shade ?? 0;
      const frame = emptyFrame(SIZE);
      expect(fewAreas(updateFrame(frame, WHOLE, picture(WHOLE, at(before))))).toEqual([WHOLE]);
      const areas = fewAreas(updateFrame(frame, WHOLE, picture(WHOLE, at(after))));
      const missed = [...before, ...after].filter(({ at: { x, y } }) => {
        const isSame = at(before)(x, y) === at(after)(x, y);
        return !isSame && !areas.some((area) => intersect(area, { x, y, width: 1, height: 1 }));
      });
      expect(missed).toEqual([]);
      for (const area of areas) expect(partOf(frame, area)).toEqual(picture(area, at(after)));
    }),
    { numRuns: 40 },
  );
});

it('ignores the unused byte, and updates only the part that was captured', () => {
  const frame = emptyFrame(SIZE);
  updateFrame(
    frame,
    WHOLE,
    picture(WHOLE, () => 0x11_2233),
  );
  expect(
    updateFrame(
      frame,
      WHOLE,
      picture(WHOLE, () => 0xff11_2233),
    ),
  ).toEqual([]);
  const part = { x: 200, y: 100, width: 50, height: 40 };
  const change = (x: number): number => (x === 210 ? 1 : 0x11_2233);
  expect(fewAreas(updateFrame(frame, part, picture(part, change)))).toEqual([{ ...part, x: 210, width: 1 }]);
});

it('distant changes stay apart, and many become one', () => {
  const far = [
    { x: 0, y: 0, width: 2, height: 2 },
    { x: 290, y: 160, width: 2, height: 2 },
  ];
  expect(fewAreas(far)).toEqual(far);
  const many = Array.from({ length: 20 }, (_, index) => ({ x: index * 10, y: index, width: 1, height: 1 }));
  expect(fewAreas(many)).toEqual([{ x: 0, y: 0, width: 191, height: 20 }]);
});

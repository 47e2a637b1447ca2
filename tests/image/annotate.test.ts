import { array, assert, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { annotate } from '../../src/image/annotate.ts';
import { placeLabels } from '../../src/image/label-layout.ts';
import { intersect } from '../../src/model/tree/bounds.ts';
import { SEEDED, anyImage, coloursOf, pixelAt, plainImage } from './images.ts';

const anyBox = record({
  x: integer({ min: -30, max: 220 }),
  y: integer({ min: -30, max: 170 }),
  width: integer({ min: 0, max: 120 }),
  height: integer({ min: 0, max: 90 }),
});

describe('annotate', () => {
  it('keeps size and origin and leaves the given image alone', () => {
    assert(
      property(anyImage(), array(anyBox, { maxLength: 8 }), (image, boxes) => {
        const before = image.bgrx.slice();
        const annotated = annotate(
          image,
          boxes.map((bounds, index) => ({ label: `@e${index}`, bounds })),
        );
        expect(annotated.bgrx.length).toBe(image.bgrx.length);
        expect([annotated.width, annotated.height, annotated.origin]).toEqual([
          image.width,
          image.height,
          image.origin,
        ]);
        expect(image.bgrx).toEqual(before);
      }),
      SEEDED,
    );
  });

  it('draws two pixels of outline around an element and nothing inside it', () => {
    const image = plainImage(200, 150);
    const annotated = annotate(image, [{ label: '@e1', bounds: { x: 60, y: 60, width: 40, height: 30 } }]);
    const outline = pixelAt(annotated, 58, 75);
    expect(outline).not.toBe(0xff_ff_ff);
    expect([pixelAt(annotated, 59, 75), pixelAt(annotated, 100, 75), pixelAt(annotated, 101, 75)]).toEqual([
      outline,
      outline,
      outline,
    ]);
    expect([pixelAt(annotated, 57, 75), pixelAt(annotated, 102, 75)]).toEqual([0xff_ff_ff, 0xff_ff_ff]);
    for (let y = 60; y < 90; y += 1) {
      for (let x = 60; x < 100; x += 1) expect(pixelAt(annotated, x, y)).toBe(0xff_ff_ff);
    }
  });

  it('leaves out what is not in the image and says so', () => {
    const annotated = annotate({ ...plainImage(50, 50), origin: { x: 100, y: 0 } }, [
      { label: '@e1', bounds: { x: 0, y: 0, width: 20, height: 20 } },
      { label: '@e2', bounds: { x: 110, y: 10, width: 20, height: 20 } },
    ]);
    expect(annotated.drawn).toEqual(['@e2']);
  });

  it('never hides a tiny element: its pixels stay', () => {
    const image = plainImage(200, 150, 0x12_34_56);
    const tiny = Array.from({ length: 12 }, (_, index) => ({
      x: 90 + (index % 4) * 4,
      y: 70 + Math.floor(index / 4) * 4,
      width: 3,
      height: 3,
    }));
    const corner = { x: 0, y: 0, width: 2, height: 2 };
    const annotated = annotate(
      image,
      [...tiny, corner].map((bounds, index) => ({ label: `@e${index + 1}`, bounds })),
    );
    for (const { x, y, width, height } of [...tiny, corner]) {
      const inside = Array.from({ length: width * height }, (_, at) =>
        pixelAt(annotated, x + (at % width), y + Math.floor(at / width)),
      );
      expect(inside).toContain(0x12_34_56);
    }
  });

  it('draws different refs differently', () => {
    const bounds = { x: 60, y: 60, width: 40, height: 30 };
    const drawn = (label: string): string =>
      coloursOf(annotate(plainImage(200, 150), [{ label, bounds }])).join();
    expect(new Set(['@e1', '@e2', '@w1', '@t1', '@e12', '@e1+'].map(drawn)).size).toBe(6);
  });
});

describe('placeLabels', () => {
  it('keeps labels inside the image', () => {
    const image = { width: 200, height: 150 };
    const whole = { x: 0, y: 0, ...image };
    assert(
      property(array(anyBox, { maxLength: 30 }), (boxes) => {
        const requests = boxes
          .map((box) => intersect(box, whole))
          .filter((box) => box !== undefined)
          .map((box) => ({ box, width: 28, height: 13 }));
        for (const place of placeLabels(requests, image)) expect(intersect(place, whole)).toEqual(place);
      }),
      SEEDED,
    );
  });

  it('keeps the labels of a keypad apart, each at its own key', () => {
    const requests = Array.from({ length: 30 }, (_, index) => ({
      box: { x: 100 + (index % 6) * 44, y: 60 + Math.floor(index / 6) * 34, width: 42, height: 32 },
      width: 28,
      height: 13,
    }));
    const places = placeLabels(requests, { width: 500, height: 300 });
    for (const [index, place] of places.entries()) {
      const others = places.filter((_, other) => other !== index);
      expect(others.every((other) => intersect(other, place) === undefined)).toBe(true);
      const box = requests[index]?.box ?? place;
      const reach = { x: box.x - 3, y: box.y - 3, width: box.width + 6, height: box.height + 6 };
      expect(intersect(reach, place)).toBeDefined();
    }
  });

  it('keeps the labels of ten tiny neighbours apart', () => {
    const requests = Array.from({ length: 10 }, (_, index) => ({
      box: { x: 100 + index * 14, y: 100, width: 10, height: 10 },
      width: 42,
      height: 13,
    }));
    const places = placeLabels(requests, { width: 400, height: 200 });
    for (const [index, place] of places.entries()) {
      for (const other of places.slice(index + 1)) expect(intersect(place, other)).toBeUndefined();
    }
  });
});

import { describe, expect, it } from 'vitest';
import type { Bounds } from '../../../src/model/tree/bounds.ts';
import { NATIVE } from '../../../src/platform/linux/atspi/tree/roles.ts';
import type { Placeable } from '../../../src/platform/linux/atspi/tree/read-plan.ts';
import { drawnByLibreOffice, inPopovers } from '../../../src/platform/linux/desktop/window-parts.ts';

const box = (x: number, y: number, width: number, height: number): Bounds => ({ x, y, width, height });
const at = (extents: Bounds, nativeRole = 0): Placeable => ({ extents, nativeRole });
const plain = (extents: Bounds): Bounds => extents;

describe('popovers of GTK 4', () => {
  const scaled = ({ x, y, width, height }: Bounds): Bounds =>
    box(1 + 2 * x, 20 + 2 * y, 2 * width, 2 * height);

  it('are at the position of their X window, including the margin', () => {
    const combo = at(box(410, 532, 201, 34));
    const rule = inPopovers([box(-2, 42, 82, 108), box(408, 584, 207, 126)]);
    const toBounds = rule?.(at(box(410, 538, 207, 120)), combo, plain);
    expect(toBounds?.(box(410, 538, 207, 120))).toEqual(box(408, 590, 207, 120));
    expect(toBounds?.(box(422, 557, 183, 16))).toEqual(box(420, 609, 183, 16));
  });

  it('are at that position at scale 2, above their opener', () => {
    const rule = inPopovers([box(814, 610, 414, 252)]);
    const toBounds = rule?.(at(box(410, 423, 207, 120)), at(box(410, 417, 201, 34)), scaled);
    expect(toBounds?.(box(410, 423, 207, 120))).toEqual(box(814, 622, 414, 240));
    expect(toBounds?.(box(422, 442, 183, 16))).toEqual(box(838, 660, 366, 32));
  });

  it('are not recognised with another size or far from their opener', () => {
    const around = at(box(9, 24, 23, 16));
    const popup = box(-2, 42, 82, 108);
    expect(inPopovers([popup])?.(at(box(9, 24, 82, 110)), around, plain)).toBe(plain);
    expect(inPopovers([box(900, 900, 82, 108)])?.(at(box(9, 24, 82, 108)), around, plain)).toBe(plain);
    expect(inPopovers([])).toBeUndefined();
  });
});

describe('LibreOffice’s own drawing', () => {
  const rule = drawnByLibreOffice(plain);
  const panel = at(box(0, 44, 1920, 1036), NATIVE.PANEL);
  const rootPane = at(box(0, 19, 1920, 1036), NATIVE.ROOT_PANE);
  const drawn = rule(rootPane, panel, plain);

  it('begins at its GTK parent', () => {
    expect(drawn(box(328, 60, 33, 35))).toEqual(box(328, 85, 33, 35));
    expect(rule(at(box(0, 58, 1391, 39)), rootPane, drawn)).toBe(drawn);
  });

  it('contains GTK widgets with correct coordinates', () => {
    const around = at(box(1870, 99, 48, 932), NATIVE.PANEL);
    expect(rule(at(box(1870, 124, 48, 932), NATIVE.PANEL), around, drawn)).toBe(plain);
    expect(rule(at(box(1870, 99, 48, 932), NATIVE.PANEL), around, drawn)).toBe(drawn);
  });

  it('contains pop-ups, whose coordinates are those of the screen', () => {
    const button = at(box(1247, 58, 44, 35));
    expect(rule(at(box(1247, 94, 137, 242), NATIVE.FRAME), button, drawn)).toBe(plain);
    expect(rule(at(box(1247, 94, 137, 242), NATIVE.PANEL), button, drawn)).toBe(plain);
    expect(rule(at(box(1250, 60, 30, 30), NATIVE.PANEL), button, drawn)).toBe(drawn);
  });

  it('is correct without a menu bar above it', () => {
    expect(rule(rootPane, at(box(0, 19, 1920, 1061), NATIVE.PANEL), plain)).toBe(plain);
  });
});

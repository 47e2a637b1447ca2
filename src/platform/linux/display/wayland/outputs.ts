import { DeskterityError } from '../../../../model/effects/errors.ts';
import { mentionParameter } from '../../../../model/text/mention.ts';
import { intersect, type Bounds } from '../../../../model/tree/bounds.ts';
import type { DesktopStatus } from '../../../../ports/desktop/desktop.ts';
import type { Point } from '../../../../ports/input.ts';
import { OUTPUT, OUTPUT_PLACE, OUTPUT_PLACES } from './wire/interfaces.ts';
import type { WaylandObject } from './wire/object-table.ts';
import type { Global, WaylandWire } from './wire/wayland-wire.ts';

/** Version from which an output can be released. */
const RELEASABLE = 3;
/** Compositors scale by whole parts of this, as the fractional-scale protocol defines. */
const SCALE_STEPS = 120;

/** A screen. */
export interface Output {
  /** Of the protocol. */
  readonly object: number;
  /** In the layout, whose unit is a pixel at scale 1. */
  readonly bounds: Bounds;
  /** Pixels of its own for each of the layout. */
  readonly scale: number;
  /** It is turned or mirrored. */
  readonly isTransformed: boolean;
}

interface Bound {
  readonly global: Global;
  readonly output: WaylandObject<typeof OUTPUT>;
  readonly place: WaylandObject<typeof OUTPUT_PLACE> | undefined;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Of the mode, in its own pixels, before it is turned. */
  pixels: { readonly width: number; readonly height: number };
  transform: number;
}

/** The screens of a display, as they are now. */
export class Outputs {
  readonly #wire: WaylandWire;
  readonly #bound = new Map<number, Bound>();
  #places: WaylandObject<typeof OUTPUT_PLACES> | undefined;

  constructor(wire: WaylandWire) {
    this.#wire = wire;
  }

  /** In the order in which they were plugged in. */
  async list(): Promise<readonly Output[]> {
    this.#places ??= this.#wire.bind(OUTPUT_PLACES);
    const globals = this.#wire.globals.filter((global) => global.interface === OUTPUT.name);
    for (const global of globals) if (!this.#bound.has(global.number)) this.#bind(global);
    for (const [number, bound] of this.#bound)
      if (!globals.some((global) => global.number === number)) this.#forget(number, bound);
    await this.#wire.synced();
    return [...this.#bound.values()]
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ output, x, y, width, height, pixels, transform }) => ({
        object: output.id,
        bounds: { x, y, width, height },
        scale: scaleOf(pixels, { width, height }),
        isTransformed: transform !== 0,
      }));
  }

  #bind(global: Global): void {
    const output = this.#wire.bindGlobal(OUTPUT, global);
    const place = this.#places && this.#wire.create(OUTPUT_PLACE);
    const pixels = { width: 0, height: 0 };
    const bound: Bound = { global, output, place, x: 0, y: 0, ...pixels, pixels, transform: 0 };
    this.#bound.set(global.number, bound);
    output.on('geometry', (x, y, _width, _height, _subpixel, _make, _model, transform) => {
      bound.transform = transform;
      if (place === undefined) Object.assign(bound, { x, y });
    });
    output.on('mode', (flags, width, height) => {
      const isCurrent = (flags & 1) !== 0;
      if (isCurrent) bound.pixels = { width, height };
      // Without a place, its size is all that is known.
      if (isCurrent && place === undefined) Object.assign(bound, { width, height });
    });
    place?.on('logical_position', (x, y) => Object.assign(bound, { x, y }));
    place?.on('logical_size', (width, height) => Object.assign(bound, { width, height }));
    if (place) this.#places?.send('get_xdg_output', place.id, output.id);
  }

  #forget(number: number, { global, output, place }: Bound): void {
    this.#bound.delete(number);
    place?.end('destroy');
    if (global.version >= RELEASABLE) output.end('release');
  }
}

/** The size of a layout is rounded to whole pixels, the scale is not: the longer side, which turning does not change, tells it best. */
function scaleOf(
  pixels: { readonly width: number; readonly height: number },
  { width, height }: { readonly width: number; readonly height: number },
): number {
  const ratio = Math.max(pixels.width, pixels.height) / Math.max(width, height);
  return Math.round(ratio * SCALE_STEPS) / SCALE_STEPS || 1;
}

/** The screens as `status` reports them. */
export function screenOf(outputs: readonly Pick<Output, 'bounds' | 'scale'>[]): DesktopStatus['screen'] {
  const { x, y, width, height } = layoutOf(outputs);
  if (outputs.length < 2 && x === 0 && y === 0) return { width, height };
  return { width, height, monitors: outputs.map(({ bounds, scale }) => ({ ...bounds, scale })) };
}

/** The smallest box around all screens. */
export function layoutOf(outputs: readonly Pick<Output, 'bounds'>[]): Bounds {
  const boxes = outputs.map(({ bounds }) => bounds);
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** The smallest box around what the screens show of an area; `undefined` if that is nothing. */
export function onScreens(area: Bounds, outputs: readonly Pick<Output, 'bounds'>[]): Bounds | undefined {
  const parts = outputs.flatMap(({ bounds }) => {
    const part = intersect(area, bounds);
    return part === undefined ? [] : [{ bounds: part }];
  });
  return parts.length === 0 ? undefined : layoutOf(parts);
}

/** For what is impossible while every screen is unplugged or off. */
export function noScreen(): DeskterityError {
  return new DeskterityError('NOT_ACTIONABLE', 'No screen is on: all were turned off or unplugged.', {
    suggestion: `Turn one on, then repeat the command. Elements are read and operated without a screen, with ${mentionParameter('mode', 'background')}.`,
    delivered: false,
    retryable: true,
  });
}

/**
 * The whole pixel of the screens that is nearest to a point: between screens of different sizes there are gaps.
 * @throws DeskterityError NOT_ACTIONABLE without any screen: the pointer would stay where it was
 */
export function nearestOn(outputs: readonly Pick<Output, 'bounds'>[], point: Point): Point {
  const onEach = outputs.map(({ bounds }) => nearestIn(bounds, point));
  const distance = ({ x, y }: Point): number => Math.hypot(x - point.x, y - point.y);
  const [nearest] = onEach.toSorted((a, b) => distance(a) - distance(b));
  if (nearest === undefined) throw noScreen();
  return nearest;
}

/** The whole pixel of an area that is nearest to a point. */
function nearestIn({ x, y, width, height }: Bounds, point: Point): Point {
  const within = (value: number, from: number, length: number): number =>
    Math.min(from + Math.max(1, length) - 1, Math.max(from, Math.round(value)));
  return { x: within(point.x, x, width), y: within(point.y, y, height) };
}

import type { Bounds } from '../../../../../../model/tree/bounds.ts';

/** Conventions of toolkits for what they count as a window; `other` is anything else. */
export type Drawing = 'gtk3' | 'gtk4' | 'qt' | 'other';

/** A window as its application reports it: its size is right, its place is not. */
export interface ReportedBox {
  readonly drawing: Drawing;
  readonly bounds: Bounds;
}

/** Where the window of an application is, and how wide the shadow around it. */
export interface ContentBox {
  /** With the shadow where the application counts it as part of the window. */
  readonly bounds: Bounds;
  /** The sizes agree to the pixel, as the toolkit's own theme makes them. */
  readonly isExact: boolean;
}

/** What a client draws around its window: a shadow, or a border with a title bar. No theme has more. */
const MOST_AROUND_PX = 100;
/** What toolkits draw around a window with their own themes. A shadow falls down, so it is lower at the top. */
const KNOWN: Readonly<Record<Drawing, readonly Around[]>> = {
  gtk3: [],
  gtk4: [{ across: 28, down: 29, left: 14, top: 12 }],
  qt: [
    { across: 6, down: 33, left: 3, top: 30 },
    { across: 22, down: 60, left: 11, top: 49 },
  ],
  other: [],
};

interface Around {
  readonly across: number;
  readonly down: number;
  readonly left: number;
  readonly top: number;
}

/**
 * The place of a window in what Mutter shows for it, the buffer of its client; `undefined` if their sizes do not fit.
 * GTK 3 counts its shadow as part of the window; GTK 4 does not. Qt draws borders of the same width at both sides and below, and a title bar above.
 */
export function contentIn(
  { drawing, bounds: { width, height } }: ReportedBox,
  buffer: Bounds,
): ContentBox | undefined {
  const across = buffer.width - width;
  const down = buffer.height - height;
  if (width <= 0 || height <= 0) return undefined;
  if (across === 0 && down === 0) return { bounds: buffer, isExact: true };
  if (drawing === 'gtk3' || drawing === 'other') return undefined;
  const known = KNOWN[drawing].find((each) => each.across === across && each.down === down);
  const around = known ?? guessed(drawing, across, down);
  if (around === undefined) return undefined;
  const { left, top } = around;
  return { bounds: { x: buffer.x + left, y: buffer.y + top, width, height }, isExact: known !== undefined };
}

/** Of another theme: some pixels off at most, where nothing tells how far a shadow falls. */
function guessed(drawing: Drawing, across: number, down: number): Around | undefined {
  if (across < 0 || down < 0 || across > MOST_AROUND_PX || down > MOST_AROUND_PX) return undefined;
  const left = Math.floor(across / 2);
  const top = drawing === 'qt' ? down - left : Math.floor(down / 2);
  if (top < 0 || (drawing === 'qt' && across % 2 !== 0)) return undefined;
  return { across, down, left, top };
}

/** Whether an X11 client lies in its buffer: it knows its place, and Mutter draws the frame around it. */
export function placedIn({ bounds }: ReportedBox, buffer: Bounds): ContentBox | undefined {
  const { x, y, width, height } = bounds;
  const around = [
    x - buffer.x,
    y - buffer.y,
    buffer.x + buffer.width - x - width,
    buffer.y + buffer.height - y - height,
  ];
  const fits = width > 0 && height > 0 && around.every((each) => each >= 0 && each <= MOST_AROUND_PX);
  return fits ? { bounds, isExact: true } : undefined;
}

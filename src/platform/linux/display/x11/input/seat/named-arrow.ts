import type { X11Wire } from '../../wire.ts';
import type { TextExtents } from '../../x11-requests.ts';

/** Every X server has it, whatever fonts are installed. */
const FONT = 'fixed';
/** With alpha. */
const DEPTH = 32;
const NOTHING = 0x0000_0000;
const WHITE = 0xffff_ffff;
const RED = 0xffb0_0020;
const NONCONVEX = 1;
const FROM_TOP_LEFT = 0;
/** An arrow that points to the top left, and what is red in it. */
const OUTLINE = [0, 0, 0, 18, 4, 15, 7, 21, 11, 20, 8, 14, 14, 14];
const INSIDE = [1, 3, 1, 16, 5, 13, 8, 19, 9, 18, 6, 12, 11, 12];
const ARROW = { width: 14, height: 21 };
const PADDING = { x: 4, y: 2 };
/** What does not fit is cut off: the name must not hide what is worked on. */
const MOST_CHARACTERS = 40;

/** Where the name is, as seen from what the arrow points at. */
export interface NameSide {
  readonly isLeft: boolean;
  readonly isAbove: boolean;
}

export interface NamedArrow {
  readonly cursor: number;
  /** From what the arrow points at to the end of the name, in pixels. */
  readonly reach: { readonly x: number; readonly y: number };
}

/**
 * A cursor: an arrow with a name beside it. The server draws cursors over all windows: what is under them need not be painted anew, no click meets them, and
 * pictures of the screen do not show them.
 * @returns undefined if the server cannot draw one
 */
export async function createNamedArrow(
  wire: X11Wire,
  name: string,
  side: NameSide,
): Promise<NamedArrow | undefined> {
  const [render, fixes] = await Promise.all([wire.extension('render'), wire.extension('fixes')]);
  const format = render?.rgba32;
  if (render === undefined || fixes === undefined || format === undefined) return undefined;
  const text = inAscii(name);
  const font = wire.allocateId();
  try {
    const opening = wire.call('OpenFont', font, FONT);
    const [extents] = await Promise.all([wire.call('QueryTextExtents', font, text), opening]);
    const place = placed(extents, side);
    const pixmap = await drawn(wire, { text, font, ...place });
    const [picture, cursor] = [wire.allocateId(), wire.allocateId()];
    wire.send(() => {
      render.CreatePicture(picture, pixmap, format);
      render.CreateCursor(cursor, picture, place.tip.x, place.tip.y);
      render.FreePicture(picture);
      fixes.SetCursorName(cursor, name);
    });
    await wire.call('FreePixmap', pixmap);
    return { cursor, reach: place.reach };
  } finally {
    await wire.tryCall('CloseFont', font);
  }
}

function placed({ fontAscent, fontDescent, overallWidth }: TextExtents, { isLeft, isAbove }: NameSide) {
  const chip = { width: overallWidth + 2 * PADDING.x, height: fontAscent + fontDescent + 2 * PADDING.y };
  const tip = { x: isLeft ? chip.width : 0, y: isAbove ? chip.height : 0 };
  return {
    tip,
    chip: { ...chip, x: isLeft ? 0 : ARROW.width, y: isAbove ? 0 : ARROW.height },
    width: chip.width + ARROW.width,
    height: chip.height + ARROW.height,
    baseline: (isAbove ? 0 : ARROW.height) + PADDING.y + fontAscent,
    reach: { x: ARROW.width + chip.width, y: ARROW.height + chip.height },
  };
}

interface Drawing extends Omit<ReturnType<typeof placed>, 'reach'> {
  readonly text: string;
  readonly font: number;
}

/** Resolves with a pixmap. */
async function drawn(
  wire: X11Wire,
  { text, font, tip, chip, width, height, baseline }: Drawing,
): Promise<number> {
  const [pixmap, gc] = [wire.allocateId(), wire.allocateId()];
  const fill = (foreground: number, ...rectangle: readonly number[]) => [
    wire.call('ChangeGC', gc, { foreground }),
    wire.call('PolyFillRectangle', pixmap, gc, rectangle),
  ];
  const arrow = (foreground: number, corners: readonly number[]) => [
    wire.call('ChangeGC', gc, { foreground }),
    wire.call(
      'FillPoly',
      pixmap,
      gc,
      NONCONVEX,
      FROM_TOP_LEFT,
      corners.map((at, index) => at + (index % 2 === 0 ? tip.x : tip.y)),
    ),
  ];
  await Promise.all([
    wire.call('CreatePixmap', pixmap, wire.root, DEPTH, width, height),
    wire.call('CreateGC', gc, pixmap, { background: RED, font }),
    ...fill(NOTHING, 0, 0, width, height),
    ...fill(RED, chip.x, chip.y, chip.width, chip.height),
    ...arrow(WHITE, OUTLINE),
    ...arrow(RED, INSIDE),
    wire.call('ChangeGC', gc, { foreground: WHITE }),
    wire.call('ImageText8', pixmap, gc, chip.x + PADDING.x, baseline, text),
    wire.call('FreeGC', gc),
  ]);
  return pixmap;
}

function inAscii(name: string): string {
  return name.slice(0, MOST_CHARACTERS).replaceAll(/[^\x20-\x7e]/g, '?');
}

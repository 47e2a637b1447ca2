import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { X11Wire } from '../wire.ts';

/** @throws DeskterityError PLATFORM_UNSUPPORTED unless the server's pixels of this depth are four bytes, blue first. */
export function requireBgrx(wire: X11Wire, depth: number): void {
  const format = wire.greeting.format[depth];
  const visuals = Object.values(wire.screen.depths[depth] ?? {});
  const isBgrx =
    (depth === 24 || depth === 32) &&
    wire.greeting.image_byte_order === 0 &&
    format?.bits_per_pixel === 32 &&
    format.scanline_pad === 32 &&
    visuals.every((visual) => visual.red_mask === 0xff_0000 && visual.blue_mask === 0xff);
  if (isBgrx) return;
  throw new DeskterityError(
    'PLATFORM_UNSUPPORTED',
    `Pixels of depth ${depth} cannot be read from the X display "${wire.display}".`,
    {
      suggestion:
        'Use an X server with 24-bit colour, such as the private desktop: npm run desktop -- COMMAND.',
      platformDetail: `${format?.bits_per_pixel ?? 0} bits per pixel, byte order ${wire.greeting.image_byte_order}`,
    },
  );
}

import { mentionCommand } from '../../../../../model/text/mention.ts';
import type { Bounds } from '../../../../../model/tree/bounds.ts';
import { DeskterityError } from '../../../../../model/effects/errors.ts';
import type { X11Wire } from '../wire.ts';
import type { Extensions, ShmSegment } from '../x11-library.ts';
import { XProtocolError } from '../x11-errors.ts';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffff_ffff;
/** Below this size the two extra system calls for shared memory cost more than they save. */
const SHM_FROM_BYTES = 256 * 1024;

/**
 * Reads pixels of drawables, through shared memory if available. One segment is kept and grows as needed; reads through
 * it take turns.
 */
export class PixelReader {
  readonly #wire: X11Wire;
  #segment: ShmSegment | undefined;
  #isShmUsable = true;
  #turn: Promise<void> = Promise.resolve();

  constructor(wire: X11Wire) {
    this.#wire = wire;
  }

  /** The pixels of `area`, in the drawable's coordinates. Rejects with XProtocolError if the server refuses. */
  async read(drawable: number, area: Bounds): Promise<Uint8Array> {
    const bytes = area.width * area.height * 4;
    if (this.#isShmUsable && bytes >= SHM_FROM_BYTES) {
      const shared = this.#turn.then(() => this.#readShared(drawable, area, bytes));
      const isOver = (): void => undefined;
      // A promise keeps its value: the next turn must not hold on to this picture.
      this.#turn = shared.then(isOver, isOver);
      const pixels = await shared;
      if (pixels !== undefined) return pixels;
    }
    const reply = await this.#wire.call(
      'GetImage',
      Z_PIXMAP,
      drawable,
      area.x,
      area.y,
      area.width,
      area.height,
      ALL_PLANES,
    );
    requireBgrx(this.#wire, reply.depth);
    return reply.data.subarray(0, bytes);
  }

  /** `undefined` if shared memory does not work here; plain reads are then used permanently. */
  async #readShared(drawable: number, area: Bounds, bytes: number): Promise<Uint8Array | undefined> {
    const segment = await this.#segmentOf(bytes);
    if (segment === undefined) {
      this.#isShmUsable = false;
      return undefined;
    }
    const reply = await this.#wire.request<{ readonly depth: number; readonly size: number }>((_, done) => {
      segment.getImage(drawable, area.x, area.y, area.width, area.height, ALL_PLANES, Z_PIXMAP, 0, done);
    });
    requireBgrx(this.#wire, reply.depth);
    return this.#wire.sharedMemory.take()?.subarray(0, bytes);
  }

  async #segmentOf(bytes: number): Promise<ShmSegment | undefined> {
    if (this.#segment !== undefined && this.#segment.size >= bytes) return this.#segment;
    const old = this.#segment;
    this.#segment = undefined;
    old?.detach(() => {});
    const shm = await this.#wire.extension('shm');
    if (shm === undefined) return undefined;
    this.#segment = await this.#createSegment(shm, bytes);
    return this.#segment;
  }

  async #createSegment(shm: Extensions['shm'], bytes: number): Promise<ShmSegment | undefined> {
    const { pixel_width: width, pixel_height: height } = this.#wire.screen;
    try {
      const isUsable = await this.#wire.request<boolean>((_, done) => {
        shm.usable(done);
      });
      if (!isUsable) return undefined;
      return await this.#wire.request<ShmSegment>((_, done) => {
        shm.createSegment(Math.max(bytes, width * height * 4), done);
      });
    } catch (error) {
      if (error instanceof DeskterityError && this.#wire.isLost) throw error;
      return undefined;
    }
  }
}

/** Whether a read failed because the drawable is gone or currently unreadable, as opposed to a lost connection. */
export function isRefused(error: unknown): error is XProtocolError {
  return error instanceof XProtocolError;
}

/** @throws DeskterityError PLATFORM_UNSUPPORTED unless the server's pixels of this depth are four bytes, blue first. */
function requireBgrx(wire: X11Wire, depth: number): void {
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
      suggestion: `Use a desktop with 24-bit colour, such as a private one: ${mentionCommand('session new', { name: 'NAME', private: true })}.`,
      platformDetail: `${format?.bits_per_pixel ?? 0} bits per pixel, byte order ${wire.greeting.image_byte_order}`,
    },
  );
}

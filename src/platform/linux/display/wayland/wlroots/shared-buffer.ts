import { isKnownFormat } from '../compose.ts';
import { BUFFER, SHM_POOL, type SHM } from '../wire/interfaces.ts';
import { WireError } from '../wire/message.ts';
import type { WaylandObject } from '../wire/object-table.ts';
import type { WaylandWire } from '../wire/wayland-wire.ts';

/** In each direction; the compositor tells the size, and may be hostile. */
const MOST_PIXELS = 32_768;
const MOST_BYTES = 512 * 1024 * 1024;

/** How a compositor gives a picture. */
export interface PictureFormat {
  readonly format: number;
  readonly width: number;
  readonly height: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
}

/** A format that we can read; `undefined` if it is of another kind. @throws WireError for sizes that no picture has */
export function usableFormat(offered: PictureFormat): PictureFormat | undefined {
  const { format, width, height, stride } = offered;
  const isSane =
    Math.max(width, height) <= MOST_PIXELS &&
    Math.min(width, height) > 0 &&
    stride >= width * 4 &&
    stride * height <= MOST_BYTES;
  if (!isSane) throw new WireError(`a picture of ${width}x${height} with rows of ${stride} bytes`);
  return isKnownFormat(format) ? offered : undefined;
}

/** A buffer in memory that the compositor writes to. The memory stays the caller's. */
export function sharedBuffer(
  wire: WaylandWire,
  shm: WaylandObject<typeof SHM>,
  memory: number,
  { format, width, height, stride }: PictureFormat,
): WaylandObject<typeof BUFFER> {
  const pool = wire.create(SHM_POOL);
  shm.send('create_pool', pool.id, wire.descriptors.duplicate(memory), stride * height);
  const buffer = wire.create(BUFFER);
  pool.send('create_buffer', buffer.id, 0, width, height, stride, format);
  pool.end('destroy');
  return buffer;
}

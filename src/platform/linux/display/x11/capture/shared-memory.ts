import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';

/** Memory that the X server writes pixels into: an unlinked file in memory whose descriptor the package sends to the server. */
interface Segment {
  readonly size: number;
  readonly fd: number;
  readonly buffer: Buffer;
}

let serial = 0;

/**
 * The package's shared-memory seam. Ours, and not the package's own, so that each picture is copied once and straight into the buffer
 * the caller keeps, and so that the descriptors are closed when the connection is lost.
 */
export class SharedMemory {
  readonly flavor = 'fd';
  readonly zeroCopy = false;
  readonly #open = new Set<number>();
  #latest: Buffer | undefined;

  create(size: number): Segment {
    const path = `/dev/shm/deskterity-x11-${process.pid}-${serial++}`;
    const fd = openSync(path, 'wx+', 0o600);
    try {
      unlinkSync(path);
      ftruncateSync(fd, size);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    this.#open.add(fd);
    return { size, fd, buffer: Buffer.alloc(0) };
  }

  /** Nothing is ever sent through the segment. */
  commit(): void {}

  /** Called by the package when the server has written a picture. */
  sync(segment: Segment, offset: number, length: number): void {
    const pixels = Buffer.allocUnsafeSlow(length);
    readSync(segment.fd, pixels, 0, length, offset);
    this.#latest = pixels;
  }

  destroy(segment: Segment): void {
    if (this.#open.delete(segment.fd)) closeSync(segment.fd);
  }

  /** The picture that {@link sync} read last; it is given away once. */
  take(): Buffer | undefined {
    const pixels = this.#latest;
    this.#latest = undefined;
    return pixels;
  }

  closeAll(): void {
    for (const fd of this.#open) closeSync(fd);
    this.#open.clear();
  }
}

import { closeSync, ftruncateSync, openSync, readSync, unlinkSync } from 'node:fs';

/** Memory that the X server writes pixels to: an unlinked in-memory file whose descriptor the package sends to the server. */
interface Segment {
  readonly size: number;
  readonly fd: number;
  readonly buffer: Buffer;
}

let serial = 0;

/**
 * Our implementation of the package's shared-memory interface, so that each image is copied once, directly into the
 * caller's buffer, and the descriptors are closed when the connection is lost.
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

  /** We never send through the segment. */
  commit(): void {}

  /** Called by the package when the server has written an image. */
  sync(segment: Segment, offset: number, length: number): void {
    const pixels = Buffer.allocUnsafeSlow(length);
    readSync(segment.fd, pixels, 0, length, offset);
    this.#latest = pixels;
  }

  destroy(segment: Segment): void {
    if (this.#open.delete(segment.fd)) closeSync(segment.fd);
  }

  /** The image that {@link sync} read last; returned once. */
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

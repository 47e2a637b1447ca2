import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';

/** Enough for a few records, whatever the block size. */
const RESERVE_BYTES = 64 * 1024;

/** Disk space that is freed when the disk is full, so that the result of an operation can still be written. */
export class DiskReserve {
  private readonly path: string;
  private kept = false;

  constructor(path: string) {
    this.path = path;
  }

  get isKept(): boolean {
    return this.kept;
  }

  /** Reserves the space, if there is enough. Never throws. */
  async keep(): Promise<void> {
    try {
      // Not zeros, as some file systems do not allocate space for those.
      await writeFile(this.path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
      this.kept = true;
    } catch {
      this.kept = false;
      await rm(this.path, { force: true }).catch(() => undefined);
    }
  }

  /** Frees the space. @returns whether any was reserved */
  async release(): Promise<boolean> {
    const wasKept = this.kept;
    this.kept = false;
    await rm(this.path, { force: true }).catch(() => undefined);
    return wasKept;
  }
}

import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';

/** Room for a few records, whatever the size of a block. */
const RESERVE_BYTES = 64 * 1024;

/** Room on the disk that is given up when there is no other, so that it can still be written how an operation ended. */
export class DiskReserve {
  private readonly path: string;
  private kept = false;

  constructor(path: string) {
    this.path = path;
  }

  get isKept(): boolean {
    return this.kept;
  }

  /** Takes the room, where there is enough. Never throws. */
  async keep(): Promise<void> {
    try {
      // Not zeros: some file systems keep no room for those.
      await writeFile(this.path, randomBytes(RESERVE_BYTES), { mode: 0o600 });
      this.kept = true;
    } catch {
      this.kept = false;
      await rm(this.path, { force: true }).catch(() => undefined);
    }
  }

  /** Gives the room up. @returns whether there was some */
  async release(): Promise<boolean> {
    const wasKept = this.kept;
    this.kept = false;
    await rm(this.path, { force: true }).catch(() => undefined);
    return wasKept;
  }
}

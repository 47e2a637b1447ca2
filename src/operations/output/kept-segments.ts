import { rm } from 'node:fs/promises';
import type { StreamName } from '../../ports/operations.ts';

/** Share of the budget for the beginning of each stream; the rest is for the ends. */
const HEAD_SHARE = 1 / 4;
/** The reduced budget on a full disk, which leaves space for others, such as the final record. */
const SHRUNK_SHARE = 3 / 4;

export interface KeptSegment {
  readonly stream: StreamName;
  readonly start: number;
  readonly path: string;
  bytes: number;
  /** It is complete. */
  isWritten: boolean;
}

/** The segments of one operation on disk, and which to drop when there is no space. */
export class KeptSegments {
  private budgetBytes: number;
  private readonly segments = new Map<StreamName, KeptSegment[]>();
  private bytes = 0;

  constructor(budgetBytes: number) {
    this.budgetBytes = budgetBytes;
  }

  add(stream: StreamName, start: number, path: string): KeptSegment {
    const segment: KeptSegment = { stream, start, path, bytes: 0, isWritten: false };
    const known = this.segments.get(stream);
    if (known === undefined) this.segments.set(stream, [segment]);
    else known.push(segment);
    return segment;
  }

  grow(segment: KeptSegment, bytes: number): void {
    segment.bytes += bytes;
    this.bytes += bytes;
  }

  /** The end of the last kept segment of a stream. */
  endOf(stream: StreamName): number {
    const last = this.segments.get(stream)?.at(-1);
    return last === undefined ? 0 : last.start + last.bytes;
  }

  /** Drops segments until so many further bytes fit the budget. */
  async makeRoom(bytes: number): Promise<void> {
    while (this.bytes + bytes > this.budgetBytes) if (!(await this.dropOldest())) return;
  }

  /** Permanently reduces the budget below the present size. @returns whether anything could be dropped */
  async shrink(): Promise<boolean> {
    const before = this.bytes;
    this.budgetBytes = Math.floor(before * SHRUNK_SHARE);
    await this.makeRoom(0);
    return this.bytes < before;
  }

  /** Drops the oldest segment outside the beginning, of the stream with most such bytes. @returns whether there was one */
  private async dropOldest(): Promise<boolean> {
    let oldest: KeptSegment | undefined;
    let most = 0;
    for (const segments of this.segments.values()) {
      const droppable = segments.filter((segment) => this.isDroppable(segment));
      const sum = droppable.reduce((total, { bytes }) => total + bytes, 0);
      if (oldest !== undefined && sum <= most) continue;
      oldest = droppable[0] ?? oldest;
      most = sum;
    }
    if (oldest === undefined) return false;
    await this.drop(oldest);
    return true;
  }

  async drop(segment: KeptSegment): Promise<void> {
    const segments = this.segments.get(segment.stream) ?? [];
    const index = segments.indexOf(segment);
    if (index === -1) return;
    segments.splice(index, 1);
    this.bytes -= segment.bytes;
    await rm(segment.path, { force: true }).catch(() => undefined);
  }

  private isDroppable({ isWritten, start }: KeptSegment): boolean {
    return isWritten && start >= this.budgetBytes * HEAD_SHARE;
  }
}

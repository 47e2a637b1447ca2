import { ReadStream } from 'node:tty';
import type { OutputPipe } from '../../../ports/process.ts';
import type { Pty } from './pty.ts';

/** The kernel hands out 4 kB at a time; several are put together where they are there already. */
const CHUNK_BYTES = 64 * 1024;
/** More than is ever under way: 12 kB in the kernel, and a chunk that was taken from it and not read. */
const MOST_UNDER_WAY_BYTES = 256 * 1024;

/**
 * What programs write to a terminal. Nothing is taken before it is asked for, so that who writes waits for who reads.
 *
 * It ends when the leader has ended and all that was written until then has been read. The kernel itself says so: that nothing is there it
 * answers only after it has passed on all it had. Where others of the terminal write on without a pause it never does; then it is enough to
 * have read more than can have been under way.
 */
export class TerminalOutput implements OutputPipe {
  private readonly pty: Pty;
  private readonly source: ReadStream;
  private readonly onClose: () => void;
  private readonly scratch = new Uint8Array(CHUNK_BYTES);
  private state: 'open' | 'ended' | 'destroyed' = 'open';
  private hasLeader = true;
  private readSinceLeader = 0;
  private wake: () => void = () => undefined;

  /** @param onClose the master is about to be closed: all has been read, or nobody wants it */
  constructor(pty: Pty, onClose: () => void) {
    this.pty = pty;
    this.onClose = onClose;
    // It waits where this process waits for everything else, on no thread of its own.
    this.source = new ReadStream(pty.master);
    this.source.on('readable', () => this.wake());
    for (const event of ['end', 'error', 'close'] as const) this.source.on(event, () => this.finish('ended'));
  }

  /** What was not written until now does not count. */
  leaderEnded(): void {
    this.hasLeader = false;
    this.wake();
  }

  destroy(): void {
    this.finish('destroyed');
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    while (this.state === 'open') {
      const { bytes, isAll } = this.take();
      const isLast = !this.hasLeader && (isAll || this.readSinceLeader > MOST_UNDER_WAY_BYTES);
      if (bytes.length > 0) yield bytes;
      if (isLast) this.finish('ended');
      else if (bytes.length === 0) await this.news();
    }
    if (this.state === 'destroyed') throw new Error('The terminal was closed.');
  }

  /** Up to a chunk of what is there; `isAll` when there was no more. */
  private take(): { readonly bytes: Uint8Array; readonly isAll: boolean } {
    // What the stream has taken comes first; asking it makes it wait for more.
    const taken: unknown = this.source.read();
    const first = taken instanceof Uint8Array ? taken : new Uint8Array(0);
    const room = Math.max(0, CHUNK_BYTES - first.length);
    let length = 0;
    let isAll = false;
    while (length < room && !isAll) {
      const space = this.scratch.subarray(length, room);
      const count = this.pty.kernel.call('read', this.pty.master, space, space.length);
      if (count > 0) length += count;
      else isAll = true;
    }
    if (!this.hasLeader) this.readSinceLeader += first.length + length;
    return { bytes: Buffer.concat([first, this.scratch.subarray(0, length)]), isAll };
  }

  private async news(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
    });
  }

  private finish(state: 'ended' | 'destroyed'): void {
    if (this.state !== 'open') return;
    this.state = state;
    this.onClose();
    this.source.destroy();
    this.wake();
  }
}

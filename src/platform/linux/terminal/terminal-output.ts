import { ReadStream } from 'node:tty';
import type { OutputPipe } from '../../../ports/process.ts';
import type { Pty } from './pty.ts';

/** The kernel returns 4 kB at a time; available pieces are combined up to this size. */
const CHUNK_BYTES = 64 * 1024;
/** More than can be buffered: 12 kB in the kernel, and one unread chunk. */
const MOST_UNDER_WAY_BYTES = 256 * 1024;

/**
 * The output of a terminal. It is read on demand only, so that writers wait for the reader.
 *
 * It ends once the session leader has exited and everything written before that has been read. The kernel reports an empty buffer only
 * after it has passed on everything. If other programs in the terminal write continuously, it never does; then the output ends after more
 * bytes than can have been buffered.
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

  /** @param onClose called before the master is closed: everything was read, or the output was destroyed */
  constructor(pty: Pty, onClose: () => void) {
    this.pty = pty;
    this.onClose = onClose;
    // A tty stream waits in the event loop, without a thread of its own.
    this.source = new ReadStream(pty.master);
    this.source.on('readable', () => this.wake());
    for (const event of ['end', 'error', 'close'] as const) this.source.on(event, () => this.finish('ended'));
  }

  /** Later output is not part of this stream. */
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
      else if (bytes.length === 0) await new Promise<void>((resolve) => (this.wake = resolve));
    }
    if (this.state === 'destroyed') throw new Error('The terminal was closed.');
  }

  /** Up to a chunk of the available output; `isAll` if there was no more. */
  private take(): { readonly bytes: Uint8Array; readonly isAll: boolean } {
    // Bytes that the stream has read come first; reading from it also makes it wait for more.
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

  private finish(state: 'ended' | 'destroyed'): void {
    if (this.state !== 'open') return;
    this.state = state;
    this.onClose();
    this.source.destroy();
    this.wake();
  }
}

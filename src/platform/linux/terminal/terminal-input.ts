import { setTimeout as sleep } from 'node:timers/promises';
import { DeskterityError } from '../../../model/effects/errors.ts';
import { terminalModes, type Pty } from './pty.ts';

const EAGAIN = 11;
const EINTR = 4;
/** What the kernel accepts at once; before each piece, canonical mode is checked again. */
const PIECE_BYTES = 2048;
/** No event reports free space, so writing is retried. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** Line length in canonical mode; the kernel accepts further bytes but drops them. */
const MOST_LINE_BYTES = 4095;
/** Bytes that end or discard a line: INTR, EOF, line feed, carriage return, KILL, QUIT. */
const LINE_ENDS = new Set([0x03, 0x04, 0x0a, 0x0d, 0x15, 0x1c]);

/** Types into a terminal; concurrent writes are queued. */
export class TerminalInput {
  private readonly pty: Pty;
  private readonly over = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();
  /** Bytes since the last line end. */
  private lineBytes = 0;

  constructor(pty: Pty) {
    this.pty = pty;
  }

  /** Fails all pending writes. */
  close(): void {
    this.over.abort();
  }

  /** @throws DeskterityError ACTION_FAILED, CANCELLED */
  async write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    // The caller may reuse its buffer.
    const own = Uint8Array.from(bytes);
    const before = this.turn;
    const typing = this.unlessOver(before, signal).then(async () => this.type(own, signal));
    this.turn = Promise.allSettled([before, typing]);
    return typing;
  }

  private async type(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    let done = 0;
    let pauseMs = FIRST_PAUSE_MS;
    while (done < bytes.length) {
      if (this.over.signal.aborted) throw ended(done);
      if (signal?.aborted === true) throw cancelled(done, bytes.length);
      const piece = this.nextPiece(bytes, done);
      const count = this.pty.kernel.call('write', this.pty.master, piece, piece.length);
      if (count > 0) {
        this.lineBytes = lengthOfLine(piece.subarray(0, count), this.lineBytes);
        done += count;
        pauseMs = FIRST_PAUSE_MS;
      } else if (count === 0 || count === -EAGAIN || count === -EINTR) {
        await this.unlessOver(sleep(pauseMs), signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      } else throw ended(done);
    }
  }

  /** Waits for something, but only until the write is cancelled or the terminal closes. */
  private async unlessOver(something: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
    const signals = signal === undefined ? [this.over.signal] : [this.over.signal, signal];
    if (signals.some(({ aborted }) => aborted)) return;
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    for (const one of signals) one.addEventListener('abort', stop);
    await Promise.race([something, stopped]);
    for (const one of signals) one.removeEventListener('abort', stop);
  }

  /** @throws DeskterityError ACTION_FAILED if the kernel would drop part of a line */
  private nextPiece(bytes: Uint8Array, from: number): Uint8Array {
    const piece = bytes.subarray(from, from + PIECE_BYTES);
    if (!terminalModes(this.pty).isLineMode) this.lineBytes = 0;
    else if (longestLine(lookAhead(bytes, from), this.lineBytes) > MOST_LINE_BYTES) throw tooLong(from);
    return piece;
  }
}

/** Before anything is typed, all bytes; then the lines that the next piece begins. */
function lookAhead(bytes: Uint8Array, from: number): Uint8Array {
  return from === 0 ? bytes : bytes.subarray(from, from + PIECE_BYTES + MOST_LINE_BYTES);
}

/** Length of the unfinished line, including the bytes before. */
function lengthOfLine(bytes: Uint8Array, before: number): number {
  const end = bytes.findLastIndex((byte) => LINE_ENDS.has(byte));
  return end === -1 ? before + bytes.length : bytes.length - end - 1;
}

function longestLine(bytes: Uint8Array, before: number): number {
  let longest = 0;
  let length = before;
  for (const byte of bytes) {
    length = LINE_ENDS.has(byte) ? 0 : length + 1;
    if (length > longest) longest = length;
  }
  return longest;
}

function ended(done: number): DeskterityError {
  return new DeskterityError('ACTION_FAILED', 'The terminal has ended, so it takes no input.', {
    suggestion: 'Start a new one.',
    delivered: done > 0,
  });
}

function cancelled(done: number, all: number): DeskterityError {
  return new DeskterityError('CANCELLED', `Typing was cancelled after ${done} of ${all} bytes.`, {
    suggestion: 'Check the screen before you type again; the program may not be reading.',
    delivered: done > 0,
  });
}

function tooLong(done: number): DeskterityError {
  return new DeskterityError(
    'ACTION_FAILED',
    `The program reads whole lines, which the kernel limits to ${MOST_LINE_BYTES} bytes; a longer line was not typed.`,
    {
      suggestion: 'Write it to a file for the program to read, or type shorter lines.',
      delivered: done > 0,
    },
  );
}

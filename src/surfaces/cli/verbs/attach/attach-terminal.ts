import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { TIMERS, within } from '../../../../model/within.ts';
import { isTerminal, type Terminal } from '../../arguments/secrets-prompt.ts';
import { tryToWrite, type OutputStream } from '../../printing/output.ts';

/** Time for the last write, as the terminal may have stopped reading. */
const LAST_WRITE_MS = 500;

/** Push and pop the window title. */
const SAVE_TITLE = '\u001B[22;0t';
const RESTORE_TITLE = '\u001B[23;0t';

/**
 * Resets the modes that programs may have set: screen, keys, wrapping, margins, inserting, mouse, focus, paste, cursor,
 * keyboard protocols, character sets, colours, links. Then moves the cursor to the bottom.
 */
const RESET = [
  '\u001B[?1049l',
  '\u001B[?1l\u001B>',
  '\u001B[?7h\u001B[?6l\u001B[r\u001B[4l',
  '\u001B[?9l\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1004l\u001B[?1005l\u001B[?1006l\u001B[?1015l',
  '\u001B[?2004l\u001B[?2026l',
  '\u001B[?25h\u001B[0 q',
  '\u001B[>4m\u001B[=0u',
  '\u001B(B\u000F\u001B[0m\u001B]8;;\u001B\\',
  '\u001B[999;1H\r\n',
].join('');

type ScreenOutput = OutputStream & {
  readonly columns: number;
  readonly rows: number;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
};

/** The user's terminal, in raw mode while a program is attached. */
export class UserTerminal {
  readonly input: Readable;
  private readonly output: ScreenOutput;
  private readonly raw: Terminal;
  private isRaw = false;
  private hasTitle = false;
  private readonly restoreOnExit = (): void => this.restoreNow();

  private constructor(raw: Terminal, output: ScreenOutput) {
    this.raw = raw;
    this.input = raw;
    this.output = output;
  }

  /** `undefined` unless both streams are terminals. */
  static of(stdin: Readable, stdout: OutputStream): UserTerminal | undefined {
    return isTerminal(stdin) && isScreen(stdout) ? new UserTerminal(stdin, stdout) : undefined;
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.output.columns, rows: this.output.rows };
  }

  onResize(listener: () => void): () => void {
    this.output.on('resize', listener);
    return () => void this.output.off('resize', listener);
  }

  enterRawMode(): this {
    if (this.isRaw) return this;
    this.isRaw = true;
    // Also when this process crashes, or exits at a second signal.
    process.once('exit', this.restoreOnExit);
    this.raw.setRawMode(true);
    return this;
  }

  /** Discards typed input that has not been read. */
  discardTyped(): void {
    try {
      const own = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const piece = Buffer.alloc(4096);
        while (readSync(own, piece) > 0);
      } finally {
        closeSync(own);
      }
    } catch {
      // No more input (EAGAIN), or the terminal was closed.
    }
  }

  /** Scrolls the present content out of view, so that it stays in the scrollback. */
  async clear({ keepsTitle }: { readonly keepsTitle: boolean }): Promise<void> {
    this.hasTitle = keepsTitle;
    await tryToWrite(this.output, `${keepsTitle ? SAVE_TITLE : ''}${'\n'.repeat(this.size.rows)}`);
  }

  /** @returns false if the stream is full; `onWritten` is called when the bytes are written or have failed */
  write(bytes: Uint8Array, onWritten: (isWritten: boolean) => void): boolean {
    return this.output.write(bytes, (error) => onWritten(!error));
  }

  /** Restores the terminal's modes. May be called repeatedly. */
  async restore(): Promise<void> {
    if (!this.isRaw) return;
    await within(TIMERS, tryToWrite(this.output, this.restoreSequence()), LAST_WRITE_MS);
    this.leaveRawMode();
  }

  private restoreNow(): void {
    if (!this.isRaw) return;
    try {
      writeSync(1, this.restoreSequence());
    } catch {
      // The terminal was closed or does not read.
    }
    this.leaveRawMode();
  }

  private restoreSequence(): string {
    return `${RESET}${this.hasTitle ? RESTORE_TITLE : ''}`;
  }

  private leaveRawMode(): void {
    this.isRaw = false;
    process.off('exit', this.restoreOnExit);
    try {
      this.raw.setRawMode(false);
    } catch {
      // The terminal was closed.
    }
    this.raw.pause();
  }
}

function isScreen(stream: OutputStream): stream is ScreenOutput {
  const { isTTY, columns } = stream;
  return isTTY === true && columns !== undefined && 'rows' in stream && 'on' in stream && 'off' in stream;
}

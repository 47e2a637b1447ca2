import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { tryToWrite } from '../../printing/output.ts';
import type { OutputStream } from '../../printing/output.ts';

/** For what is written last to reach a terminal that may have stopped taking anything. */
const LAST_WRITE_MS = 500;

/** The name of the window is kept, to be brought back. */
const SAVE_TITLE = '\u001B[22;0t';
const RESTORE_TITLE = '\u001B[23;0t';

/**
 * What programs may have switched in a terminal, as it is in a fresh one: screen, keys, wrapping, margins, inserting, mouse, focus, paste, cursor,
 * keyboard protocols, letters, colours, links. Then the cursor at the end of what is shown.
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

type RawInput = Readable & { setRawMode(isRaw: boolean): unknown };
type ScreenOutput = OutputStream & {
  readonly columns: number;
  readonly rows: number;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
};

/** The terminal that somebody sits in, raw for as long as it is borrowed. */
export class BorrowedTerminal {
  readonly input: Readable;
  private readonly output: ScreenOutput;
  private readonly raw: RawInput;
  private isBorrowed = false;
  private hasTitle = false;
  private readonly giveBackAtOnce = (): void => this.giveBackNow();

  private constructor(raw: RawInput, output: ScreenOutput) {
    this.raw = raw;
    this.input = raw;
    this.output = output;
  }

  /** `undefined` where either stream is none of a terminal. */
  static of(stdin: Readable, stdout: OutputStream): BorrowedTerminal | undefined {
    return isRawInput(stdin) && isScreen(stdout) ? new BorrowedTerminal(stdin, stdout) : undefined;
  }

  get size(): { readonly columns: number; readonly rows: number } {
    return { columns: this.output.columns, rows: this.output.rows };
  }

  onResize(listener: () => void): () => void {
    this.output.on('resize', listener);
    return () => void this.output.off('resize', listener);
  }

  borrow(): this {
    if (this.isBorrowed) return this;
    this.isBorrowed = true;
    // Also where this process ends by a fault, or at a second signal.
    process.once('exit', this.giveBackAtOnce);
    this.raw.setRawMode(true);
    return this;
  }

  /** Throws away what was typed and not read yet. */
  dropTyped(): void {
    try {
      const own = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const piece = Buffer.alloc(4096);
        while (readSync(own, piece) > 0);
      } finally {
        closeSync(own);
      }
    } catch {
      // Nothing more is there (EAGAIN), or the terminal has gone.
    }
  }

  /** What stands there goes up out of sight and can be scrolled back to. */
  async clear({ keepsTitle }: { readonly keepsTitle: boolean }): Promise<void> {
    this.hasTitle = keepsTitle;
    await tryToWrite(this.output, `${keepsTitle ? SAVE_TITLE : ''}${'\n'.repeat(this.size.rows)}`);
  }

  /** @returns whether it was taken at once; `onTaken` is called when it has been, with whether it could be */
  write(bytes: Uint8Array, onTaken: (isWritten: boolean) => void): boolean {
    return this.output.write(bytes, (error) => onTaken(!error));
  }

  /** Leaves it as a program finds it. May be called again. */
  async giveBack(): Promise<void> {
    if (!this.isBorrowed) return;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, LAST_WRITE_MS);
    });
    await Promise.race([tryToWrite(this.output, this.last()), limit]);
    clearTimeout(timer);
    this.returned();
  }

  private giveBackNow(): void {
    if (!this.isBorrowed) return;
    try {
      writeSync(1, this.last());
    } catch {
      // It has gone, or takes nothing.
    }
    this.returned();
  }

  private last(): string {
    return `${RESET}${this.hasTitle ? RESTORE_TITLE : ''}`;
  }

  private returned(): void {
    this.isBorrowed = false;
    process.off('exit', this.giveBackAtOnce);
    try {
      this.raw.setRawMode(false);
    } catch {
      // It has gone.
    }
    this.raw.pause();
  }
}

function isRawInput(stream: Readable): stream is RawInput {
  return 'isTTY' in stream && stream.isTTY === true && 'setRawMode' in stream;
}

function isScreen(stream: OutputStream): stream is ScreenOutput {
  const { isTTY, columns } = stream;
  return isTTY === true && columns !== undefined && 'rows' in stream && 'on' in stream && 'off' in stream;
}

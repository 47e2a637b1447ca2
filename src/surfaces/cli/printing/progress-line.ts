import { fitInto } from '../../../model/text/text-width.ts';
import type { OutputStream } from './output.ts';

const REFRESH_MS = 1000;

export interface ProgressParts {
  readonly stream: OutputStream;
  /** Whether the call has named a step; its mere name is worth no line of a file. */
  readonly isStep: boolean;
  readonly width: number;
  readonly isColoured: boolean;
  /** When the call began, on the clock of `now`. */
  readonly startedAtMs: number;
  /** Monotonic. */
  readonly now: () => number;
}

/** Says on standard error what a call is doing that takes long: on a terminal one line that changes, elsewhere a line for each step. */
export class ProgressLine {
  private readonly parts: ProgressParts;
  private readonly timer: NodeJS.Timeout | undefined;
  private message: string;
  private isShown = false;

  constructor(message: string, parts: ProgressParts) {
    this.parts = parts;
    this.message = message;
    if (parts.isStep || parts.stream.isTTY === true) this.show();
    if (parts.stream.isTTY === true) this.timer = setInterval(() => this.show(), REFRESH_MS);
  }

  /** The call is at another step. */
  say(message: string): void {
    if (message === this.message) return;
    this.message = message;
    this.show();
  }

  /** Removes the line again; what was printed as lines stays. */
  end(): void {
    clearInterval(this.timer);
    if (this.isShown && this.parts.stream.isTTY === true) this.write('\r\u001B[K');
    this.isShown = false;
  }

  private show(): void {
    const { stream, width, isColoured, startedAtMs, now } = this.parts;
    if (stream.isTTY !== true) {
      this.write(`${this.message}\n`);
      return;
    }
    const seconds = Math.floor((now() - startedAtMs) / 1000);
    const text = fitInto(seconds < 1 ? this.message : `${this.message} (${seconds} s)`, width - 1);
    this.write(`\r${isColoured ? `\u001B[2m${text}\u001B[0m` : text}\u001B[K`);
    this.isShown = true;
  }

  private write(text: string): void {
    // A closed reader is no reason to fail.
    this.parts.stream.write(text, () => undefined);
  }
}

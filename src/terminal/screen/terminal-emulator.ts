import { boundedSize } from '../../model/terminals/terminal-bounds.ts';
import { clip } from '../../model/text/untrusted-text.ts';
import type { TerminalCursor, TerminalModes, TerminalSize } from '../../model/terminals/terminal-screen.ts';
import { LineNumbers } from './line-numbers.ts';
import { StreamGuard } from './stream-guard.ts';
import { createXterm, type XtermLine, type XtermTerminal } from './xterm-library.ts';

export const DEFAULT_SCROLLBACK_LINES = 2000;
/** Fewer lines could all be dropped at once, and line numbers would be lost. */
const FEWEST_SCROLLBACK_LINES = 100;

/** Characters processed before other work of the process gets a turn. */
const SLICE_LENGTH = 1024;
/** Buffered replies; a program that keeps querying without reading gets no more. */
const MAX_ANSWER_BYTES = 4096;
const LONGEST_TITLE = 1000;

export interface EmulatorOptions {
  readonly size: TerminalSize;
  /** Lines kept above the screen. Default {@link DEFAULT_SCROLLBACK_LINES}. */
  readonly scrollbackLines?: number | undefined;
}

/**
 * A terminal without a display: turns the bytes of a program into a screen. All input is untrusted: memory and time per byte are bounded for any
 * input.
 */
export class TerminalEmulator {
  private readonly xterm: XtermTerminal;
  private readonly guard: StreamGuard;
  private readonly lines: LineNumbers;
  private readonly sliceLength: number;
  private readonly answers: Uint8Array[] = [];
  private answerBytes = 0;
  private currentTitle = '';
  private isCursorVisible = true;
  private isSgrMouse = false;
  private alternateVisits = 0;

  constructor({ size, scrollbackLines = DEFAULT_SCROLLBACK_LINES }: EmulatorOptions) {
    const scrollback = Math.max(FEWEST_SCROLLBACK_LINES, scrollbackLines);
    this.sliceLength = Math.min(SLICE_LENGTH, scrollback >> 1);
    this.xterm = createXterm(boundedSize(size), scrollback);
    this.guard = new StreamGuard(() => this.size);
    this.lines = new LineNumbers(this.xterm);
    this.listen();
  }

  /**
   * Processes output of a program. Resolves when it is on the screen; wait for that before the next call to bound memory. The bytes may be reused
   * afterwards.
   */
  async feed(bytes: Uint8Array): Promise<void> {
    const text = this.guard.pass(bytes);
    for (let at = 0; at < text.length; at += this.sliceLength) {
      const isLast = at + this.sliceLength >= text.length;
      const slice = text.slice(at, at + this.sliceLength);
      if (isLast) await this.write(slice);
      else void this.write(slice);
    }
  }

  /** Rewraps the text of the normal screen. Lines get new numbers if the width changes. */
  resize(size: TerminalSize): void {
    const { columns, rows } = boundedSize(size);
    if (columns !== this.xterm.cols) this.lines.renumber();
    this.xterm.resize(columns, rows);
    this.lines.follow();
  }

  get size(): TerminalSize {
    return { columns: this.xterm.cols, rows: this.xterm.rows };
  }

  /** Title set by the program; untrusted. */
  get title(): string {
    return this.currentTitle;
  }

  get isAlternate(): boolean {
    return this.xterm.buffer.active.type === 'alternate';
  }

  /** How often the alternate screen was entered; each time it starts empty. */
  get alternateVisit(): number {
    return this.alternateVisits;
  }

  get cursor(): TerminalCursor {
    const { cursorX, cursorY } = this.xterm.buffer.active;
    return {
      row: cursorY,
      column: Math.min(cursorX, this.xterm.cols - 1),
      isVisible: this.isCursorVisible,
    };
  }

  /** The cursor of the normal screen, even if the alternate screen is shown. */
  get normalCursor(): Pick<TerminalCursor, 'row' | 'column'> {
    const { cursorX, cursorY } = this.xterm.buffer.normal;
    return { row: cursorY, column: Math.min(cursorX, this.xterm.cols - 1) };
  }

  get modes(): TerminalModes {
    const modes = this.xterm.modes;
    return {
      isBracketedPaste: modes.bracketedPasteMode,
      isApplicationCursor: modes.applicationCursorKeysMode,
      isApplicationKeypad: modes.applicationKeypadMode,
      mouseTracking: modes.mouseTrackingMode,
      isSgrMouse: this.isSgrMouse,
      isFocusReported: modes.sendFocusMode,
    };
  }

  /** Replies to queries of the program (device attributes, cursor position), to be written to it. Each is returned once. */
  takeAnswers(): Uint8Array {
    const all = new Uint8Array(this.answerBytes);
    let at = 0;
    for (const answer of this.answers.splice(0)) {
      all.set(answer, at);
      at += answer.length;
    }
    this.answerBytes = 0;
    return all;
  }

  /** Number of the oldest kept line. Lines of the normal screen are numbered from 0 and keep their number until they are dropped. */
  get firstLine(): number {
    return this.lines.first;
  }

  /** Number of the line in the first row of the normal screen. */
  get screenLine(): number {
    return this.lines.first + this.xterm.buffer.normal.baseY;
  }

  /** A row of the active screen, counted from 0. */
  row(index: number): XtermLine | undefined {
    const buffer = this.xterm.buffer.active;
    return index >= 0 && index < this.xterm.rows ? buffer.getLine(buffer.baseY + index) : undefined;
  }

  /** A line of the normal screen or above it, by its number. */
  line(number: number): XtermLine | undefined {
    return this.xterm.buffer.normal.getLine(number - this.lines.first);
  }

  dispose(): void {
    this.xterm.dispose();
  }

  private write(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.xterm.write(text, () => {
        this.lines.follow();
        resolve();
      });
    });
  }

  private listen(): void {
    const { parser } = this.xterm;
    this.xterm.onTitleChange((title) => (this.currentTitle = clip(title, LONGEST_TITLE)));
    this.xterm.onData((text) => this.answer(text));
    this.xterm.buffer.onBufferChange((buffer) => {
      if (buffer.type === 'alternate') this.alternateVisits += 1;
    });
    const setModes = (isOn: boolean) => (parameters: (number | number[])[]) => {
      if (parameters.includes(25)) this.isCursorVisible = isOn;
      if (parameters.includes(1006)) this.isSgrMouse = isOn;
      return false;
    };
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, setModes(true));
    parser.registerCsiHandler({ prefix: '?', final: 'l' }, setModes(false));
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => {
      this.isCursorVisible = true;
      return false;
    });
    parser.registerEscHandler({ final: 'c' }, () => {
      this.isCursorVisible = true;
      this.isSgrMouse = false;
      this.lines.renumber();
      return false;
    });
    for (const prefix of [{}, { prefix: '?' }]) {
      parser.registerCsiHandler({ ...prefix, final: 'J' }, ([extent]) => {
        if (extent === 3) this.lines.dropScrollback();
        return false;
      });
    }
    // Otherwise every link would be kept with its address as long as its lines.
    parser.registerOscHandler(8, () => true);
  }

  private answer(text: string): void {
    const bytes = Buffer.from(text, 'latin1');
    if (this.answerBytes + bytes.length > MAX_ANSWER_BYTES) return;
    this.answers.push(bytes);
    this.answerBytes += bytes.length;
  }
}

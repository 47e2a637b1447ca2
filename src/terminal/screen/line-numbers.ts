import type { XtermMarker, XtermTerminal } from './xterm-library.ts';

/**
 * Gives the lines of the normal screen permanent numbers, although the emulator counts from the oldest line it still has. A marker on the last line
 * above the screen tracks the offset: the emulator moves it as old lines are dropped, and programs cannot delete that line.
 */
export class LineNumbers {
  private readonly xterm: XtermTerminal;
  private base = 0;
  private anchor: { readonly marker: XtermMarker; readonly line: number } | undefined;

  constructor(xterm: XtermTerminal) {
    this.xterm = xterm;
  }

  /** Number of the oldest line. */
  get first(): number {
    if (this.anchor !== undefined && !this.anchor.marker.isDisposed)
      this.base = this.anchor.line - this.anchor.marker.line;
    return this.base;
  }

  /** Must run after every slice of output, before all lines above the screen can have been dropped. */
  follow(): void {
    const { active, normal } = this.xterm.buffer;
    if (active.type !== 'normal' || normal.baseY === 0) return;
    const index = normal.baseY - 1;
    const line = this.first + index;
    if (this.anchor?.line === line && !this.anchor.marker.isDisposed) return;
    this.anchor?.marker.dispose();
    const marker = this.xterm.registerMarker(-normal.cursorY - 1);
    this.anchor = marker === undefined ? undefined : { marker, line };
  }

  /** The scrollback is about to be cleared. */
  dropScrollback(): void {
    if (this.xterm.buffer.active.type !== 'normal') return;
    this.startAt(this.first + this.xterm.buffer.normal.baseY);
  }

  /** All lines change identity: later lines get unused numbers. */
  renumber(): void {
    this.startAt(this.first + this.xterm.buffer.normal.length);
  }

  private startAt(line: number): void {
    this.anchor?.marker.dispose();
    this.anchor = undefined;
    this.base = line;
  }
}

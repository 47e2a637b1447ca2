import type { XtermMarker, XtermTerminal } from './xterm-library.ts';

/**
 * Numbers the lines of the normal screen for good, although the emulator counts from the oldest that it still has. It does so by a marker on the
 * youngest line above the screen: the emulator moves it along as old lines go, and programs cannot delete that line.
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

  /** To be called after every slice of output: sooner than all that was above the screen can have gone. */
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

  /** All above the screen is about to go. */
  dropScrollback(): void {
    if (this.xterm.buffer.active.type !== 'normal') return;
    this.startAt(this.first + this.xterm.buffer.normal.baseY);
  }

  /** No line that is there will be the same: those to come get numbers that none had. */
  renumber(): void {
    this.startAt(this.first + this.xterm.buffer.normal.length);
  }

  private startAt(line: number): void {
    this.anchor?.marker.dispose();
    this.anchor = undefined;
    this.base = line;
  }
}

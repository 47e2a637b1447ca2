/** Longest sequence searched for. */
const LONGEST_MODE = 32;
const ESCAPE = '\u{1B}';
const MODE = new RegExp(`${ESCAPE}(?:\\[\\?[\\d;]{1,24}[hl]|[=>])`, 'g');
const UNFINISHED = new RegExp(`${ESCAPE}(?:\\[(?:\\?[\\d;]{0,24})?)?$`);
const PASTE_BRACKETS = /[?;]2004(?:;[\d;]*)?([hl])$/;

/** Finds the mode changes of a line editor in arbitrarily split output: cursor, keypad, bracketed paste. */
export class PrivateModes {
  private held = '';
  private isOn = false;

  /** Whether pasted text must be bracketed now. */
  get isPasteBracketed(): boolean {
    return this.isOn;
  }

  /** @returns only the mode sequences, in order */
  push(chunk: Uint8Array): string[] {
    const text = this.held + Buffer.from(chunk).toString('latin1');
    const modes = text.match(MODE) ?? [];
    for (const mode of modes) {
      const brackets = PASTE_BRACKETS.exec(mode);
      if (brackets !== null) this.isOn = brackets[1] === 'h';
    }
    this.held = UNFINISHED.exec(text.slice(-LONGEST_MODE))?.[0] ?? '';
    return modes;
  }

  /** For when a command has the terminal: its modes are its own. */
  reset(): void {
    this.held = '';
    this.isOn = false;
  }
}

import type { TerminalSize } from '../../model/terminals/terminal-screen.ts';
import xterm from '@xterm/headless';
import type { IBufferLine, IMarker, Terminal } from '@xterm/headless';
import { characterWidth } from '../../model/text/character-width.ts';

export type { IBufferCell as XtermCell } from '@xterm/headless';
export type XtermLine = IBufferLine;
export type XtermMarker = IMarker;
export type XtermTerminal = Terminal;

const WIDTHS = 'deskterity';

/** The only import of npm `@xterm/headless`: a terminal without a display, which counts columns as programs do. */
export function createXterm(size: TerminalSize, scrollbackLines: number): Terminal {
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    scrollback: scrollbackLines,
    allowProposedApi: true,
    logLevel: 'off',
  });
  terminal.unicode.register({
    version: WIDTHS,
    wcwidth: characterWidth,
    charProperties: properties,
  });
  terminal.unicode.activeVersion = WIDTHS;
  return terminal;
}

/** In xterm's encoding: the lowest bit marks a character that joins the one before it, the next two hold the width. */
function properties(codePoint: number, preceding: number): number {
  const width = characterWidth(codePoint);
  const widthBefore = (preceding >> 1) & 3;
  return width === 0 && widthBefore > 0 ? (widthBefore << 1) | 1 : width << 1;
}

import type { TerminalModes } from '../../model/terminals/terminal-screen.ts';

const PASTE_START = '\u001B[200~';
const PASTE_END = '\u001B[201~';

/** Text as it is typed: a line feed is Enter. */
export function typedBytes(text: string): Uint8Array {
  return Buffer.from(withReturns(text));
}

/**
 * Text as it is pasted: where the program asked for it, between marks, so that it does not take it for typed. Control characters are left out:
 * they are no part of a text, would be keys to the program, and without them nothing in the text can be the mark that ends it.
 */
export function pasteBytes(text: string, modes: Pick<TerminalModes, 'isBracketedPaste'>): Uint8Array {
  const harmless = withReturns(text).replaceAll(/[^\P{Cc}\t\r]/gu, '');
  return Buffer.from(modes.isBracketedPaste ? `${PASTE_START}${harmless}${PASTE_END}` : harmless);
}

function withReturns(text: string): string {
  return text.replaceAll(/\r?\n/g, '\r');
}

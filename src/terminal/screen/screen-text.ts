import { revealLines } from '../../model/text/untrusted-text.ts';
import { readLines } from './screen.ts';
import type { TerminalEmulator } from './terminal-emulator.ts';

/**
 * The last lines of the normal screen and its scrollback, without trailing blank lines.
 * @param count maximum number of lines, as the program wrote them
 */
export function lastLines(emulator: TerminalEmulator, count: number): string {
  const { rows } = emulator.size;
  const lines = readLines(emulator, count + rows, emulator.screenLine + rows).map(({ text }) => text);
  while (lines.at(-1) === '') lines.pop();
  return revealLines(lines.slice(Math.max(0, lines.length - count)).join('\n')).replace(/\n+$/, '');
}

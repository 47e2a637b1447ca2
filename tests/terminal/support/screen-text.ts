import { revealLines } from '../../../src/model/text/untrusted-text.ts';
import { readScreen } from '../../../src/terminal/screen/screen.ts';
import type { TerminalEmulator } from '../../../src/terminal/screen/terminal-emulator.ts';

/** The screen as lines without trailing blanks and blank lines; wrapped lines are joined. */
export function screenText(emulator: TerminalEmulator): string {
  return revealLines(
    readScreen(emulator)
      .rows.map(({ text }) => text)
      .join('\n'),
  ).replace(/\n+$/, '');
}

import { lineDiff } from '../../model/text/line-diff.ts';
import { clip, reveal, revealLines } from '../../model/text/untrusted-text.ts';
import { readScreen, readLines } from './screen.ts';
import type { TerminalEmulator } from './terminal-emulator.ts';

const LONGEST_DIFF_LINE = 1000;

/** The screen as lines without blanks at their ends and without blank lines at its end; lines that were too long for a row are whole again. */
export function screenText(emulator: TerminalEmulator): string {
  return toText(readScreen(emulator).rows.map(({ text }) => text));
}

/**
 * The last lines of the normal screen and of what is kept above it. Blank lines at the end do not count.
 * @param count how many lines at most, as the program wrote them
 */
export function lastLines(emulator: TerminalEmulator, count: number): string {
  const { rows } = emulator.size;
  const lines = readLines(emulator, count + rows, emulator.screenLine + rows).map(({ text }) => text);
  while (lines.at(-1) === '') lines.pop();
  return toText(lines.slice(Math.max(0, lines.length - count)));
}

/** What changed between two texts of a screen, as lines with `-` and `+`; empty when nothing did. */
export function screenChanges(before: string, after: string): string {
  return lineDiff(before, after, { context: 1, show: (line) => reveal(clip(line, LONGEST_DIFF_LINE)) });
}

function toText(lines: readonly string[]): string {
  return revealLines(lines.join('\n')).replace(/\n+$/, '');
}

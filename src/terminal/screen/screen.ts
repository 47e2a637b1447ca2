import type {
  Highlight,
  ScreenRow,
  TerminalCursor,
  TerminalScreen,
} from '../../model/terminals/terminal-screen.ts';
import { revealLines } from '../../model/text/untrusted-text.ts';
import type { TerminalEmulator } from './terminal-emulator.ts';
import { readRows, type PhysicalRow } from './screen-rows.ts';

/** Only the end of a longer line is reported: a line may be as long as the whole scrollback. */
const MAX_JOINED_ROWS = 64;

export function readScreen(emulator: TerminalEmulator): TerminalScreen {
  const { size, title, isAlternate, alternateVisit, cursor, modes } = emulator;
  return { size, title, isAlternate, alternateVisit, cursor, modes, rows: joined(emulator, cursor) };
}

/**
 * Complete lines of the normal screen and its scrollback, oldest first.
 * @param most maximum number of lines, counted from the end
 * @param below number of the line before which to end; by default the first of the screen
 */
export function readLines(
  emulator: TerminalEmulator,
  most: number,
  below = emulator.screenLine,
): ScreenRow[] {
  const rows: ScreenRow[] = [];
  let line = below - 1;
  while (line >= emulator.firstLine && emulator.line(line + 1)?.isWrapped === true) line -= 1;
  while (line >= emulator.firstLine && rows.length < most) {
    const whole = wholeLine(emulator, line);
    rows.push({ ...OFF_SCREEN, ...whole, text: whole.text.trimEnd() });
    line = whole.line - 1;
  }
  return rows.toReversed();
}

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

const OFF_SCREEN = {
  top: 0,
  height: 0,
  start: 0,
  end: 0,
  highlight: 'none',
  parts: [],
  hasCursor: false,
} as const;

function joined(emulator: TerminalEmulator, cursor: TerminalCursor): ScreenRow[] {
  const physical = readRows(emulator);
  const groups: PhysicalRow[][] = [];
  for (const row of physical) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && goesOn(before, row, emulator.isAlternate))
      last.push(row);
    else groups.push([row]);
  }
  return groups.map((rows) => toScreenRow(rows, emulator, cursor));
}

/** In full-screen programs a bar never continues the row above, however it was drawn. */
function goesOn(before: PhysicalRow, row: PhysicalRow, isAlternate: boolean): boolean {
  if (!row.isWrapped) return false;
  return !isAlternate || (before.highlight !== 'full' && row.highlight !== 'full');
}

function toScreenRow(
  rows: readonly PhysicalRow[],
  emulator: TerminalEmulator,
  cursor: TerminalCursor,
): ScreenRow {
  const top = rows[0]?.index ?? 0;
  const goesOnFromAbove = !emulator.isAlternate && rows[0]?.isWrapped === true;
  const above = goesOnFromAbove ? wholeLine(emulator, emulator.screenLine - 1) : undefined;
  const withText = rows.filter(({ end }) => end > 0);
  return {
    line: emulator.isAlternate ? top : (above?.line ?? emulator.screenLine + top),
    top,
    height: rows.length,
    text: `${above?.text ?? ''}${rows.map(({ text }) => text).join('')}`.trimEnd(),
    start: withText.length === 0 ? 0 : Math.min(...withText.map(({ start }) => start)),
    end: Math.max(0, ...rows.map(({ end }) => end)),
    highlight: together(withText.length === 0 ? rows : withText),
    parts: rows.length === 1 ? (rows[0]?.parts ?? []) : [],
    hasCursor: cursor.row >= top && cursor.row < top + rows.length,
    ...(emulator.isAlternate && rows.length > 1 ? { shown: rows.map(({ text }) => text.trimEnd()) } : {}),
  };
}

function together(rows: readonly PhysicalRow[]): Highlight {
  const [first] = rows;
  if (first !== undefined && rows.every(({ highlight }) => highlight === first.highlight))
    return first.highlight;
  if (rows.every(({ highlight }) => highlight === 'text' || highlight === 'full')) return 'text';
  return 'part';
}

/** A line of the normal screen up to and including one of its rows, with the number of its first row. */
function wholeLine(
  emulator: TerminalEmulator,
  last: number,
): { readonly line: number; readonly text: string } {
  let line = last;
  const texts: string[] = [];
  for (;;) {
    const row = emulator.line(line);
    if (texts.length <= MAX_JOINED_ROWS) texts.push(row?.translateToString(false) ?? '');
    if (row?.isWrapped !== true || line <= emulator.firstLine)
      return { line, text: texts.toReversed().join('') };
    line -= 1;
  }
}

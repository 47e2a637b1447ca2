import type { MouseTracking, TerminalCursor, TerminalModes } from '../../model/terminals/terminal-screen.ts';
import type { TerminalEmulator } from './terminal-emulator.ts';
import type { XtermCell, XtermLine } from './xterm-library.ts';

const CSI = '\u{1B}[';

const TRACKING: Readonly<Record<MouseTracking, number | undefined>> = {
  none: undefined,
  x10: 9,
  vt200: 1000,
  drag: 1002,
  any: 1003,
};
const ALL_TRACKINGS = [9, 1000, 1002, 1003];

/** The bytes that bring another terminal to the same screen and modes. */
export function drawScreen(emulator: TerminalEmulator): Buffer {
  const { size, modes, cursor, isAlternate, title } = emulator;
  const rowsOf = (line: (index: number) => XtermLine | undefined) =>
    Array.from({ length: size.rows }, (_, index) => line(index));
  const shown = drawRows(rowsOf((index) => emulator.row(index)));
  const below = isAlternate
    ? `${drawRows(rowsOf((index) => emulator.line(emulator.screenLine + index)))}${placed(emulator.normalCursor)}${CSI}?1049h`
    : '';
  // The soft reset (DECSTR) clears margins, attributes and key modes of what it showed before.
  return Buffer.from(
    `${CSI}?1049l${CSI}!p${below}${shown}${switched(modes)}${titled(title)}${placed(cursor)}${CSI}?25${cursor.isVisible ? 'h' : 'l'}`,
  );
}

function drawRows(lines: readonly (XtermLine | undefined)[]): string {
  const rows = lines.map((line, index) => {
    if (line === undefined) return '';
    // A wrapped line is drawn to the edge and continues from there, so that it stays one line.
    const isGoingOn = lines[index + 1]?.isWrapped === true;
    const goesOn = index > 0 && line.isWrapped;
    const text = drawRow(line, isGoingOn ? line.length : lastDrawn(line));
    return text === '' || goesOn ? text : `${CSI}${index + 1};1H${text}`;
  });
  return `${CSI}0m${CSI}H${CSI}2J${rows.join('')}`;
}

function drawRow(line: XtermLine, end: number): string {
  let text = '';
  let looks = '0';
  let cell: XtermCell | undefined;
  for (let column = 0; column < end; column += 1) {
    cell = line.getCell(column, cell);
    // Skips the second half of a wide character.
    if (cell === undefined || cell.getWidth() === 0) continue;
    const next = looksOf(cell);
    if (next !== looks) text += `${CSI}${next}m`;
    looks = next;
    text += cell.getChars() === '' ? ' ' : cell.getChars();
  }
  return looks === '0' ? text : `${text}${CSI}0m`;
}

/** The column after the last cell that differs from a cleared one. */
function lastDrawn(line: XtermLine): number {
  let cell: XtermCell | undefined;
  for (let column = line.length - 1; column >= 0; column -= 1) {
    cell = line.getCell(column, cell);
    if (cell === undefined) continue;
    if (cell.getChars().trim() !== '' || !cell.isAttributeDefault()) return column + 1;
  }
  return 0;
}

function looksOf(cell: XtermCell): string {
  if (cell.isAttributeDefault()) return '0';
  const set: [number, number][] = [
    [cell.isBold(), 1],
    [cell.isDim(), 2],
    [cell.isItalic(), 3],
    [cell.isUnderline(), 4],
    [cell.isBlink(), 5],
    [cell.isInverse(), 7],
    [cell.isInvisible(), 8],
    [cell.isStrikethrough(), 9],
    [cell.isOverline(), 53],
  ];
  const styles = set.filter(([isOn]) => isOn !== 0).map(([, number]) => number);
  const foreground = cell.isFgDefault() ? [] : colour(38, cell.isFgRGB(), cell.getFgColor());
  const background = cell.isBgDefault() ? [] : colour(48, cell.isBgRGB(), cell.getBgColor());
  return [0, ...styles, ...foreground, ...background].join(';');
}

/** SGR parameters of a colour; 38 sets the foreground and 48 the background. */
function colour(code: 38 | 48, isRgb: boolean, value: number): number[] {
  return isRgb ? [code, 2, (value >> 16) & 255, (value >> 8) & 255, value & 255] : [code, 5, value];
}

function switched(modes: TerminalModes): string {
  const mode = (number: number, isOn: boolean) => `${CSI}?${number}${isOn ? 'h' : 'l'}`;
  const tracking = TRACKING[modes.mouseTracking];
  return [
    mode(2004, modes.isBracketedPaste),
    mode(1, modes.isApplicationCursor),
    modes.isApplicationKeypad ? '\u{1B}=' : '\u{1B}>',
    ...ALL_TRACKINGS.map((number) => mode(number, false)),
    tracking === undefined ? '' : mode(tracking, true),
    mode(1006, modes.isSgrMouse),
    mode(1004, modes.isFocusReported),
  ].join('');
}

/** Removes control characters, which could end the title. */
function titled(title: string): string {
  return `\u{1B}]2;${title.replaceAll(/\p{Cc}/gu, '')}\u0007`;
}

function placed({ row, column }: Pick<TerminalCursor, 'row' | 'column'>): string {
  return `${CSI}${row + 1};${column + 1}H`;
}

import type { Highlight, HighlightedPart } from '../../model/terminals/terminal-screen.ts';
import type { TerminalEmulator } from './terminal-emulator.ts';
import type { XtermCell, XtermLine } from './xterm-library.ts';

/** One row of the screen. */
export interface PhysicalRow {
  readonly index: number;
  /** It continues the row above. */
  readonly isWrapped: boolean;
  /** Trailing blanks are kept only if the line may continue. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly highlight: Highlight;
  readonly parts: readonly HighlightedPart[];
}

/** Adjacent cells with the same background. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly ground: number;
}

/** Greater than every colour value. */
const INVERSE = 2 ** 27;
/** A bar may leave out this many columns at its end. */
const OPEN_END = 1;

/** This many rows with the same run below one another are a box, whose colour is the background of its content. */
const BOX_ROWS = 4;

/** Reads the displayed rows and which of them differ from the screen's usual background. */
export function readRows(emulator: TerminalEmulator): PhysicalRow[] {
  const { rows, columns } = emulator.size;
  const cells: Cells = { cell: undefined };
  const read = Array.from({ length: rows }, (_, index) => {
    const line = emulator.row(index);
    return { index, line, ...(line === undefined ? NOTHING : runsOf(line, columns, cells)) };
  });
  const usual = emulator.isAlternate ? usualGrounds(read.map(({ runs }) => runs)) : undefined;
  const { cursor } = emulator;
  return read.map(({ index, line, runs, hidden }) => {
    const text = textOf(line, hidden);
    const end = lastColumn(columns, text);
    const start = end === 0 ? 0 : text.length - text.trimStart().length;
    const isOut = (run: Run) => (usual === undefined ? run.ground >= INVERSE : !usual.has(run.ground));
    const caret = cursor.isVisible && cursor.row === index ? cursor.column : undefined;
    return {
      index,
      isWrapped: line?.isWrapped ?? false,
      text: end >= columns ? text : text.trimEnd(),
      start,
      end,
      ...judge(runs.filter(isOut), { start, end, columns, caret }, line),
    };
  });
}

interface Cells {
  cell: XtermCell | undefined;
}
const NOTHING: { readonly runs: readonly Run[]; readonly hidden: readonly Run[] } = { runs: [], hidden: [] };

function runsOf(
  line: XtermLine,
  columns: number,
  cells: Cells,
): { readonly runs: readonly Run[]; readonly hidden: readonly Run[] } {
  const runs: Run[] = [];
  const hidden: Run[] = [];
  let start = 0;
  let ground = -1;
  for (let column = 0; column < columns; column += 1) {
    const cell = line.getCell(column, cells.cell);
    if (cell === undefined) break;
    cells.cell = cell;
    const here = groundOf(cell);
    if (cell.isInvisible() !== 0) hidden.push({ start: column, end: column + 1, ground: here });
    if (here === ground) continue;
    if (ground !== -1) runs.push({ start, end: column, ground });
    start = column;
    ground = here;
  }
  if (ground !== -1) runs.push({ start, end: columns, ground });
  return { runs, hidden };
}

/** The background colour of a cell as a number. */
function groundOf(cell: XtermCell): number {
  if (cell.isInverse() !== 0) {
    const mode = cell.getFgColorMode();
    return INVERSE + (mode === 0 ? 0 : mode + cell.getFgColor());
  }
  const mode = cell.getBgColorMode();
  return mode === 0 ? 0 : mode + cell.getBgColor();
}

/** The most common background and the backgrounds of boxes. */
function usualGrounds(rows: readonly (readonly Run[])[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  const grounds = new Set<number>();
  let boxes = new Map<string, number>();
  for (const runs of rows) {
    const next = new Map<string, number>();
    for (const { ground, start, end } of runs) {
      counts.set(ground, (counts.get(ground) ?? 0) + end - start);
      const key = `${ground} ${start} ${end}`;
      const height = (boxes.get(key) ?? 0) + 1;
      next.set(key, height);
      if (height >= BOX_ROWS) grounds.add(ground);
    }
    boxes = next;
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (most !== undefined) grounds.add(most[0]);
  return grounds;
}

/** Concealed text reads as blanks, as people see it. */
function textOf(line: XtermLine | undefined, hidden: readonly Run[]): string {
  if (line === undefined) return '';
  if (hidden.length === 0) return line.translateToString(false);
  const columns = new Set(hidden.map(({ start }) => start));
  return Array.from({ length: line.length }, (_, column) =>
    columns.has(column) ? ' ' : line.translateToString(false, column, column + 1),
  ).join('');
}

/** The column after the last non-blank character. Each trailing blank is one column, whatever precedes it. */
function lastColumn(columns: number, text: string): number {
  const trimmed = text.trimEnd();
  return trimmed === '' ? 0 : columns - (text.length - trimmed.length);
}

interface Extent {
  readonly start: number;
  readonly end: number;
  readonly columns: number;
  /** Column of the cursor. Programs leave it out of highlights, because it is drawn as a block. */
  readonly caret: number | undefined;
}

function judge(
  out: readonly Run[],
  { start, end, columns, caret }: Extent,
  line: XtermLine | undefined,
): { readonly highlight: Highlight; readonly parts: readonly HighlightedPart[] } {
  if (out.length === 0 || line === undefined) return { highlight: 'none', parts: [] };
  const areas = merged(out, caret);
  const covers = (from: number, to: number) => areas.some((area) => area.start <= from && area.end >= to);
  const parts = areas.map((area) => ({
    start: area.start,
    end: area.end,
    text: line.translateToString(true, area.start, area.end).trim(),
  }));
  if (covers(0, columns - OPEN_END)) return { highlight: 'full', parts };
  return { highlight: end > 0 && covers(start, end) ? 'text' : 'part', parts };
}

/** Joins adjacent runs of any colour, also across the cursor. */
function merged(runs: readonly Run[], caret: number | undefined): Run[] {
  const areas: Run[] = [];
  for (const run of runs) {
    const start = caret !== undefined && run.start === caret + 1 ? caret : run.start;
    const last = areas.at(-1);
    if (last !== undefined && last.end >= start) areas[areas.length - 1] = { ...last, end: run.end };
    else areas.push({ ...run, start });
  }
  const last = areas.at(-1);
  if (last !== undefined && last.end === caret) areas[areas.length - 1] = { ...last, end: caret + 1 };
  return areas;
}

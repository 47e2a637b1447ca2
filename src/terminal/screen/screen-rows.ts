import type { Highlight, HighlightedPart } from '../../model/terminals/terminal-screen.ts';
import type { TerminalEmulator } from './terminal-emulator.ts';
import type { XtermCell, XtermLine } from './xterm-library.ts';

/** One row of the screen. */
export interface PhysicalRow {
  readonly index: number;
  /** It goes on with the line above. */
  readonly isWrapped: boolean;
  /** With blanks at its end only where the line may go on. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly highlight: Highlight;
  readonly parts: readonly HighlightedPart[];
}

/** Cells side by side on the same ground. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly ground: number;
}

/** Above every colour. */
const INVERSE = 2 ** 27;
/** A bar that leaves out the last columns is meant to be one all the same. */
const OPEN_END = 1;

/** Rows below one another with the same piece in the same colour are a box, and its colour the ground of what is in it. */
const BOX_ROWS = 4;

/** Reads the rows that are shown, and which of them stand out from what most of the screen stands on. */
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

/** A number for the colour behind a character. */
function groundOf(cell: XtermCell): number {
  if (cell.isInverse() !== 0) {
    const mode = cell.getFgColorMode();
    return INVERSE + (mode === 0 ? 0 : mode + cell.getFgColor());
  }
  const mode = cell.getBgColorMode();
  return mode === 0 ? 0 : mode + cell.getBgColor();
}

/** What most of the screen stands on, and what boxes do. */
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

/** What a program asked to be hidden is a blank, as it is for people. */
function textOf(line: XtermLine | undefined, hidden: readonly Run[]): string {
  if (line === undefined) return '';
  if (hidden.length === 0) return line.translateToString(false);
  const columns = new Set(hidden.map(({ start }) => start));
  return Array.from({ length: line.length }, (_, column) =>
    columns.has(column) ? ' ' : line.translateToString(false, column, column + 1),
  ).join('');
}

/** The column behind the last character that is no blank. Each blank at the end is one column, whatever is before. */
function lastColumn(columns: number, text: string): number {
  const trimmed = text.trimEnd();
  return trimmed === '' ? 0 : columns - (text.length - trimmed.length);
}

interface Extent {
  readonly start: number;
  readonly end: number;
  readonly columns: number;
  /** Column of the cursor, which programs leave out of what they highlight: it is a block of its own. */
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

/** Runs of different colours that touch are one area, and so are those with but the cursor between them. */
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

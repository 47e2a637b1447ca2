/** Cells of a sheet by their names: B2, A1:C10. Rows and columns count from 0; the last ones belong to the range. */
export interface CellRange {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
}

/** More cells are not read at once: each takes about half a millisecond. */
export const MOST_CELLS = 2500;

const CORNER = String.raw`\$?([A-Za-z]{1,3})\$?([1-9]\d{0,6})`;
/** How a range is written, for patterns that go on after it. */
export const CELL_RANGE = `${CORNER}(?::${CORNER})?`;
const WHOLE = new RegExp(`^${CELL_RANGE}$`);

/** Reads B2, $B$2, b2 or A1:C10; `undefined` for anything else. */
export function parseCellRange(text: string): CellRange | undefined {
  const found = WHOLE.exec(text.trim());
  if (found === null) return undefined;
  const [, column = '', row = '', otherColumn = column, otherRow = row] = found;
  const [rows, columns] = [
    [Number(row) - 1, Number(otherRow) - 1],
    [columnOf(column), columnOf(otherColumn)],
  ];
  return {
    top: Math.min(...rows),
    left: Math.min(...columns),
    bottom: Math.max(...rows),
    right: Math.max(...columns),
  };
}

/** A1 for the first cell. */
export function cellName(row: number, column: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}

/** B2, or A1:C10; {@link parseCellRange} reads it back. */
export function printCellRange({ top, left, bottom, right }: CellRange): string {
  const first = cellName(top, left);
  return top === bottom && left === right ? first : `${first}:${cellName(bottom, right)}`;
}

export function cellsIn({ top, left, bottom, right }: CellRange): number {
  return (bottom - top + 1) * (right - left + 1);
}

/** Whether a cell of this name is in the range. */
export function hasCell(range: CellRange, name: string): boolean {
  const cell = parseCellRange(name);
  return (
    cell !== undefined &&
    cellsIn(cell) === 1 &&
    cell.top >= range.top &&
    cell.bottom <= range.bottom &&
    cell.left >= range.left &&
    cell.right <= range.right
  );
}

function columnOf(letters: string): number {
  return (
    Array.from(letters.toUpperCase()).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  );
}

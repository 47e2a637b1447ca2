import type { ScreenRow, TerminalScreen } from '../../model/terminals/terminal-screen.ts';

/** `bar`: a row at the top or bottom, coloured from edge to edge; `main`: the content; `side`: rows beyond a bar. */
export interface ScreenRegion {
  readonly kind: 'bar' | 'main' | 'side';
  readonly rows: readonly ScreenRow[];
}

/** Rows above the last upper bar, which `top` and `htop` fill with figures. */
const MAX_HEAD_ROWS = 12;
/** Rows from the first lower bar on. */
const MAX_FOOT_ROWS = 4;

/**
 * The regions of a screen, from top to bottom. The normal screen is usually one region, but some programs, such as `top`, draw bars on it.
 */
export function regionsOf({ rows, size }: TerminalScreen): ScreenRegion[] {
  const bars = rows.map((row) => isBar(row, size.rows));
  const head = headEnd(rows, bars, size.rows);
  const foot = footStart(rows, bars, size.rows, head);
  const regions: ScreenRegion[] = [];
  for (const [index, row] of rows.entries()) {
    const kind =
      bars[index] === true && (index < head || index >= foot)
        ? 'bar'
        : index < head || index >= foot
          ? 'side'
          : 'main';
    const last = regions.at(-1);
    if (last !== undefined && kind !== 'bar' && last.kind === kind)
      regions[regions.length - 1] = { kind, rows: [...last.rows, row] };
    else regions.push({ kind, rows: [row] });
  }
  return regions;
}

/** A highlighted row with the cursor is a selection, except in the last row, where pagers and editors prompt. */
function isBar({ highlight, hasCursor, top, height }: ScreenRow, screenRows: number): boolean {
  const isLast = top + height >= screenRows;
  if (highlight === 'full') return !hasCursor || isLast;
  return highlight === 'text' && hasCursor && isLast;
}

/** Index of the first row below the upper bar, which is in the upper third. */
function headEnd(rows: readonly ScreenRow[], bars: readonly boolean[], screenRows: number): number {
  const limit = Math.min(MAX_HEAD_ROWS, screenRows / 3);
  const first = rows.findIndex(({ top }, index) => bars[index] === true && top <= limit);
  return first < 0 ? 0 : first + 1;
}

function footStart(
  rows: readonly ScreenRow[],
  bars: readonly boolean[],
  screenRows: number,
  head: number,
): number {
  const found = rows.findIndex(
    ({ top }, index) => index >= head && bars[index] === true && top >= screenRows - MAX_FOOT_ROWS,
  );
  return found < 0 ? rows.length : found;
}

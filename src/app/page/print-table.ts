import { type Block, type Column, type Span, type Words } from '../../model/text/page.ts';
import { fitInto, textWidth } from '../../model/text/text-width.ts';
import { paint, type ScreenStyle } from './screen-style.ts';
import { wrapped } from './wrap.ts';

type Table = Extract<Block, { readonly kind: 'table' }>;
type Cell = readonly Span[];

const BETWEEN = 2;
/** A column that gives way is never narrower. */
const LEAST_COLUMNS = 10;
const LEAST_WRAPPED = 20;

/** A table that fits into the width: columns that may give way are cut or broken; a terminal too narrow for that gets each row as lines. */
export function printTable(
  { columns, rows, indent, isBare }: Table,
  visible: (words: Words) => Cell,
  style: ScreenStyle,
): readonly string[] {
  const cells = rows.map((row) => row.map((words) => visible(words)));
  const titles = columns.map(({ title }) => visible({ text: title, tone: 'quiet' }));
  // A column without any content only costs width.
  const used = columns.flatMap((_, index) => (cells.some((row) => widthOf(row[index]) > 0) ? [index] : []));
  const shown = (row: readonly Cell[]) => used.map((index) => row[index] ?? []);
  const kept = used.flatMap((index) => columns[index] ?? []);
  const all = (isBare === true ? cells : [titles, ...cells]).map((row) => shown(row));
  const natural = kept.map((_, index) => Math.max(0, ...all.map((row) => widthOf(row[index]))));
  const widths = narrowed(kept, natural, style.width - indent);
  const lines =
    widths === undefined
      ? cells.flatMap((row) => stacked(shown(row), style.width - indent, style))
      : all.flatMap((row) => printRow(row, kept, widths, style));
  return lines.map((line) => ' '.repeat(indent) + line);
}

/** The width of each column; `undefined` if they cannot fit. */
function narrowed(
  columns: readonly Column[],
  natural: readonly number[],
  available: number,
): readonly number[] | undefined {
  const widths = [...natural];
  let excess = sum(widths) + BETWEEN * Math.max(widths.length - 1, 0) - available;
  while (excess > 0) {
    // The widest gives way first, as it has the most to give.
    const widest = widths.reduce<number | undefined>((best, width, index) => {
      const { narrow } = columns[index] ?? { narrow: undefined };
      const isGiving = narrow !== undefined && width > (narrow === 'wrap' ? LEAST_WRAPPED : LEAST_COLUMNS);
      return isGiving && (best === undefined || width > (widths[best] ?? 0)) ? index : best;
    }, undefined);
    if (widest === undefined) return undefined;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function printRow(
  row: readonly Cell[],
  columns: readonly Column[],
  widths: readonly number[],
  style: ScreenStyle,
): readonly string[] {
  const parts = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    return columns[index]?.narrow === 'wrap' ? wrapped(cell, width, width) : [clipped(cell, width, style)];
  });
  const height = Math.max(1, ...parts.map((lines) => lines.length));
  return Array.from({ length: height }, (_, at) =>
    parts
      .map((lines, index) => {
        const cell = lines[at] ?? [];
        const text = paint(cell, style);
        const padding = ' '.repeat(Math.max((widths[index] ?? 0) - widthOf(cell), 0));
        return columns[index]?.align === 'right' ? padding + text : text + padding;
      })
      .join(' '.repeat(BETWEEN)),
  );
}

/** A row as lines: the first cells beside each other, the others below them. */
function stacked(row: readonly Cell[], available: number, style: ScreenStyle): readonly string[] {
  const flat = row.filter((cell) => widthOf(cell) > 0).flatMap((cell) => [...cell, { text: '  ' }]);
  return wrapped(flat, available, available - 2).map(
    (spans, index) => (index === 0 ? '' : '  ') + paint(spans, style),
  );
}

/** One column wide, as the sign it stands for. */
const ASCII_CUT = '~';

function clipped(cell: Cell, width: number, { isAscii }: ScreenStyle): Cell {
  if (widthOf(cell) <= width) return cell;
  const kept: Span[] = [];
  let left = width;
  for (const { text, tone } of cell) {
    if (left <= 0) break;
    const columns = textWidth(text);
    const fitting = fitInto(text, left);
    const isCut = fitting !== text;
    kept.push({ text: isCut && isAscii ? `${fitting.slice(0, -1)}${ASCII_CUT}` : fitting, tone });
    left -= columns;
  }
  return kept;
}

function widthOf(cell: Cell | undefined): number {
  return sum((cell ?? []).map(({ text }) => textWidth(text)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

import { readFile } from 'node:fs/promises';

interface Cell {
  readonly text: string;
  /** The definition of its style, including direct formatting. */
  readonly style: string;
  /** The document's name for the type: float, string, date. */
  readonly type: string;
}

export interface Sheet {
  /** A cell by its name, such as C5. */
  cell(name: string): Cell;
}

const EMPTY: Cell = { text: '', style: '', type: '' };

/** The content of a saved flat OpenDocument spreadsheet. */
export async function readSheet(path: string): Promise<Sheet> {
  const document = await readFile(path, 'utf8');
  const styles = new Map(
    [...document.matchAll(/<style:style style:name="([^"]+)"[\s\S]*?(?:<\/style:style>|\/>)/g)].map(
      ([definition, name]) => [name ?? '', definition],
    ),
  );
  const rows: Cell[][] = [];
  for (const [row] of document.matchAll(/<table:table-row[^>]*?(?:\/>|>[\s\S]*?<\/table:table-row>)/g)) {
    const cells = cellsOf(row, styles);
    for (let times = repeated(row, 'rows'); times > 0; times--) rows.push(cells);
  }
  return {
    cell: (name) => rows[Number(name.slice(1)) - 1]?.[name.charCodeAt(0) - 65] ?? EMPTY,
  };
}

function cellsOf(row: string, styles: ReadonlyMap<string, string>): Cell[] {
  const cells: Cell[] = [];
  for (const [cell] of row.matchAll(/<table:table-cell[^>]*?(?:\/>|>[\s\S]*?<\/table:table-cell>)/g)) {
    const content = {
      text: /<text:p>([^<]*)<\/text:p>/.exec(cell)?.[1] ?? '',
      style: styles.get(/table:style-name="([^"]+)"/.exec(cell)?.[1] ?? '') ?? '',
      type: /office:value-type="([^"]+)"/.exec(cell)?.[1] ?? '',
    };
    for (let times = repeated(cell, 'columns'); times > 0; times--) cells.push(content);
  }
  return cells;
}

/** How often a row or cell is repeated; the empty rest of a sheet is not expanded. */
function repeated(element: string, what: 'rows' | 'columns'): number {
  const [opening = ''] = /^<[^>]*>/.exec(element) ?? [];
  return Math.min(1000, Number(new RegExp(`table:number-${what}-repeated="(\\d+)"`).exec(opening)?.[1] ?? 1));
}

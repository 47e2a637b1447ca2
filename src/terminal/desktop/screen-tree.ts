import type {
  HighlightedPart,
  ScreenRow,
  TerminalScreen,
  TerminalSize,
} from '../../model/terminals/terminal-screen.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { State } from '../../model/tree/state.ts';
import { characterWidth } from '../../model/text/character-width.ts';
import { regionsOf, type ScreenRegion } from '../screen/screen-regions.ts';

/**
 * Size of a cell in the bounds of a terminal's elements. A terminal without a display has no pixels, so cells get this nominal size and the top-left
 * corner is 0,0; the middle of a row is then a point in that row.
 */
export const CELL = { width: 8, height: 16 } as const;

export const TERMINAL_PATH = '/terminal';

export interface ScreenTreeParts {
  /** Identifies the terminal. */
  readonly app: string;
  /** Name of the terminal if the program sets no title. */
  readonly name: string;
  readonly screen: TerminalScreen;
  /** Lines above the screen to include. */
  readonly scrollback?: readonly ScreenRow[] | undefined;
}

/**
 * The screen as elements: `terminal` > regions > rows, without blank rows; a single region is left out. On the normal screen a row is identified by
 * its line number, so that a ref follows the line while it scrolls; on the alternate screen by its position. If the program tracks the mouse, rows of
 * the alternate screen are clickable `listitem`s; bars from edge to edge are `status`. Bounds are multiples of {@link CELL}.
 */
export function screenTree({ app, name, screen, scrollback = [] }: ScreenTreeParts): TreeNode {
  const at = (path: string): NodeHandle => ({ app, path });
  const above = scrollback.flatMap((row) => (row.text === '' ? [] : [lineNode(at, row, screen)]));
  const regions = regionsOf(screen).flatMap((region, index) => regionNodes(at, region, index, screen, above));
  const [only] = regions;
  const isPlain = regions.length === 1 && only !== undefined && only.role !== 'status';
  const { isVisible } = screen.cursor;
  return {
    handle: at(TERMINAL_PATH),
    source: 'terminal',
    role: 'terminal',
    nativeRole: screen.isAlternate ? 'alternate screen' : 'normal screen',
    name: screen.title === '' ? name : screen.title,
    ...(screen.isAlternate ? { description: 'full-screen program' } : {}),
    // The row of the cursor has the focus; without a visible cursor the terminal has it.
    states: ['editable', 'focusable', ...(isVisible ? [] : (['focused'] as const)), 'multiline'],
    bounds: screenBounds(screen.size),
    children: isPlain ? only.children : regions,
  };
}

export function screenBounds({ columns, rows }: TerminalSize): Bounds {
  return { x: 0, y: 0, width: columns * CELL.width, height: rows * CELL.height };
}

/** Column and row, from 0, of a point in units of {@link CELL}; `undefined` outside the screen. */
export function cellAt(
  point: { readonly x: number; readonly y: number },
  { columns, rows }: TerminalSize,
): { readonly column: number; readonly row: number } | undefined {
  const column = Math.floor(point.x / CELL.width);
  const row = Math.floor(point.y / CELL.height);
  return column >= 0 && column < columns && row >= 0 && row < rows ? { column, row } : undefined;
}

/** Whether a path of {@link screenTree} is that of a line, which may be above the screen. */
export function isLinePath(path: string): boolean {
  return /^\/line\/\d{1,15}$/.test(path);
}

type HandleAt = (path: string) => NodeHandle;

function regionNodes(
  at: HandleAt,
  region: ScreenRegion,
  index: number,
  screen: TerminalScreen,
  above: readonly TreeNode[],
): TreeNode[] {
  const isSelected = selectionOf(region, screen);
  const rows = region.rows.flatMap((row) => {
    const shown = row.text !== '' || (row.hasCursor && screen.cursor.isVisible);
    return shown ? [rowNode(at, row, region, screen, isSelected(row))] : [];
  });
  if (region.kind === 'bar') return rows;
  const children = [...(region.kind === 'main' && !screen.isAlternate ? above : []), ...rows];
  if (children.length === 0 && region.kind === 'side') return [];
  const main = screen.isAlternate ? 'document' : 'log';
  return [
    {
      handle: at(`/${screen.isAlternate ? 'alternate' : 'normal'}/${index}`),
      source: 'terminal',
      role: region.kind === 'main' ? main : 'group',
      nativeRole: region.kind,
      name: '',
      states: [],
      bounds: rowsBounds(region.rows, screen.size),
      children,
    },
  ];
}

/** A row is selected if it is highlighted and most others are not. */
function selectionOf({ kind, rows }: ScreenRegion, screen: TerminalScreen): (row: ScreenRow) => boolean {
  const standsOut = ({ highlight, text }: ScreenRow) =>
    text !== '' && (highlight === 'full' || highlight === 'text');
  if (kind === 'bar') return () => false;
  const written = rows.filter(({ text }) => text !== '').length;
  const out = rows.filter(standsOut).length;
  const isFew = out === 1 || out * 2 <= written;
  return (row) => isFew && standsOut(row) && screen.size.rows > 1;
}

function rowNode(
  at: HandleAt,
  row: ScreenRow,
  region: ScreenRegion,
  screen: TerminalScreen,
  isSelected: boolean,
): TreeNode {
  const isBar = region.kind === 'bar';
  if (!screen.isAlternate) {
    const node = lineNode(at, row, screen, isSelected);
    return isBar ? { ...node, role: 'status', nativeRole: 'bar' } : node;
  }
  const path = `/row/${screen.alternateVisit}/${row.top}`;
  const parts = isSelected || isBar ? [] : choosableParts(row, screen);
  return {
    handle: at(path),
    source: 'terminal',
    role: isBar ? 'status' : screen.modes.mouseTracking === 'none' ? 'row' : 'listitem',
    nativeRole: isBar ? 'bar' : 'row',
    name: row.text,
    ...caret(row, screen),
    states: statesOf(row, screen, isSelected),
    bounds: rowBounds(row),
    children: parts.map((part) => ({
      handle: at(`${path}/${part.start}`),
      source: 'terminal' as const,
      role: 'option',
      nativeRole: 'highlighted text',
      name: part.text,
      states: ['selected'],
      bounds: {
        x: part.start * CELL.width,
        y: row.top * CELL.height,
        width: (part.end - part.start) * CELL.width,
        height: CELL.height,
      },
      children: [],
    })),
  };
}

function lineNode(at: HandleAt, row: ScreenRow, screen: TerminalScreen, isSelected = false): TreeNode {
  const isShown = row.height > 0;
  return {
    handle: at(`/line/${row.line}`),
    source: 'terminal',
    role: 'row',
    nativeRole: 'line',
    name: row.text,
    ...(isShown ? caret(row, screen) : {}),
    states: isShown ? statesOf(row, screen, isSelected) : ['offscreen'],
    ...(isShown ? { bounds: rowBounds(row) } : {}),
    children: [],
  };
}

/** More highlighted parts are search hits, coloured text or key names. */
const MAX_CHOICES = 2;

/** A selection inside a row, as dialogs show it: a menu entry or a button. */
function choosableParts(row: ScreenRow, screen: TerminalScreen): readonly HighlightedPart[] {
  const parts = (candidate: ScreenRow) =>
    candidate.highlight === 'part' ? candidate.parts.filter(({ text }) => text.length > 1) : [];
  const own = parts(row);
  if (own.length !== 1) return [];
  const all = screen.rows.reduce((count, candidate) => count + parts(candidate).length, 0);
  return all <= MAX_CHOICES ? own : [];
}

function statesOf(row: ScreenRow, screen: TerminalScreen, isSelected: boolean): State[] {
  return [
    ...(row.hasCursor && screen.cursor.isVisible ? (['focused'] as const) : []),
    ...(isSelected ? (['selected'] as const) : []),
  ];
}

function caret(row: ScreenRow, { cursor, size }: TerminalScreen): { caret?: number } {
  if (!row.hasCursor || !cursor.isVisible) return {};
  return { caret: charactersBefore(row.text, (cursor.row - row.top) * size.columns + cursor.column) };
}

/** Characters of a text before a column; each column beyond the text counts as one. */
function charactersBefore(text: string, column: number): number {
  let width = 0;
  let count = 0;
  for (const character of text) {
    const own = characterWidth(character.codePointAt(0) ?? 0);
    // Zero-width characters belong to the character before them.
    if (width >= column && own > 0) return count;
    width += own;
    count += character.length;
  }
  return count + Math.max(0, column - width);
}

function rowBounds({ top, height, start, end }: ScreenRow): Bounds {
  return {
    x: start * CELL.width,
    y: top * CELL.height,
    width: Math.max(1, end - start) * CELL.width,
    height: height * CELL.height,
  };
}

function rowsBounds(rows: readonly ScreenRow[], { columns }: TerminalSize): Bounds {
  const top = rows[0]?.top ?? 0;
  const height = rows.reduce((sum, row) => sum + row.height, 0);
  return { x: 0, y: top * CELL.height, width: columns * CELL.width, height: height * CELL.height };
}

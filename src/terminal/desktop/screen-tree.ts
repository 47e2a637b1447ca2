import type {
  HighlightedPart,
  ScreenRow,
  TerminalScreen,
  TerminalSize,
} from '../../model/terminals/terminal-screen.ts';
import type { Bounds } from '../../model/tree/bounds.ts';
import type { NodeHandle, TreeNode } from '../../model/tree/node.ts';
import type { State } from '../../model/tree/state.ts';
import { characterWidth } from '../screen/character-width.ts';
import { regionsOf } from '../screen/screen-regions.ts';
import type { ScreenRegion } from '../screen/screen-regions.ts';

/**
 * Size of a cell in the bounds of a terminal's elements. A terminal without a display has no pixels: its cells are taken to be so large and its
 * top-left corner to be at 0,0, so that the middle of a row is a place in that row.
 */
export const CELL = { width: 8, height: 16 } as const;

export const TERMINAL_PATH = '/terminal';

/** What a path of this room's elements names. */
export type PathTarget =
  | { readonly kind: 'terminal' }
  | { readonly kind: 'region'; readonly index: number; readonly isAlternate: boolean }
  /** A line by its number. */
  | { readonly kind: 'line'; readonly line: number }
  /** A row of one visit to the alternate screen, or a part of it. */
  | {
      readonly kind: 'row';
      readonly visit: number;
      readonly row: number;
      readonly column?: number | undefined;
    };

export interface ScreenTreeParts {
  /** Names the terminal and its generation. */
  readonly app: string;
  /** What to call the terminal where the program gives it no title. */
  readonly name: string;
  readonly screen: TerminalScreen;
  /** Lines above the screen, to be told too. */
  readonly scrollback?: readonly ScreenRow[] | undefined;
}

/**
 * The screen as elements: `terminal` > regions > rows, blank rows left out; where there is one region its rows are the terminal's. On the normal
 * screen rows are named by their line, so that a ref stays on its line while it scrolls; on the alternate screen by their place. Where the program
 * follows the mouse, rows of the alternate screen are `listitem`s, which can be clicked; bars from edge to edge are `status`. Bounds are in cells
 * of {@link CELL}.
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
    // The row that the cursor stands on has the focus in it; whatever is typed goes to the whole.
    states: ['editable', 'focusable', ...(isVisible ? [] : (['focused'] as const)), 'multiline'],
    bounds: screenBounds(screen.size),
    children: isPlain ? only.children : regions,
  };
}

export function screenBounds({ columns, rows }: TerminalSize): Bounds {
  return { x: 0, y: 0, width: columns * CELL.width, height: rows * CELL.height };
}

/** The column and row, from 0, of a place in the terms of {@link CELL}; absent outside. */
export function cellAt(
  point: { readonly x: number; readonly y: number },
  { columns, rows }: TerminalSize,
): { readonly column: number; readonly row: number } | undefined {
  const column = Math.floor(point.x / CELL.width);
  const row = Math.floor(point.y / CELL.height);
  return column >= 0 && column < columns && row >= 0 && row < rows ? { column, row } : undefined;
}

/** Undoes the paths of {@link screenTree}; absent for any other text. */
export function parsePath(path: string): PathTarget | undefined {
  if (path === TERMINAL_PATH) return { kind: 'terminal' };
  const [, kind, ...numbers] =
    /^\/(line|row|normal|alternate)\/(\d{1,15})(?:\/(\d{1,15}))?(?:\/(\d{1,15}))?$/.exec(path) ?? [];
  const [first = 0, second = 0, third] = numbers.map((digits) =>
    digits === undefined ? undefined : Number(digits),
  );
  if (kind === 'line') return { kind, line: first };
  if (kind === 'row') return { kind, visit: first, row: second, column: third };
  if (kind === undefined) return undefined;
  return { kind: 'region', index: first, isAlternate: kind === 'alternate' };
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

/** A row is chosen when its text stands out and that of most others does not. */
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

/** More than that, or several in one row, are hits of a search, colours of a text or names of keys. */
const MOST_CHOICES = 2;

/** What dialogs show as chosen in the middle of a row: an entry of a menu, a button. */
function choosableParts(row: ScreenRow, screen: TerminalScreen): readonly HighlightedPart[] {
  const parts = (candidate: ScreenRow) =>
    candidate.highlight === 'part' ? candidate.parts.filter(({ text }) => text.length > 1) : [];
  const own = parts(row);
  if (own.length !== 1) return [];
  const all = screen.rows.reduce((count, candidate) => count + parts(candidate).length, 0);
  return all <= MOST_CHOICES ? own : [];
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

/** Characters of a text before a column; each column behind its end is one more. */
function charactersBefore(text: string, column: number): number {
  let width = 0;
  let count = 0;
  for (const character of text) {
    const own = characterWidth(character.codePointAt(0) ?? 0);
    // What takes no column belongs to the character before it.
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

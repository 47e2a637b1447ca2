import type { TerminalSize } from './terminal-screen.ts';

/** Most lines of output that an answer about a terminal may have. */
export const MOST_TERMINAL_LINES = 1_000_000;

/** Longest wait for a command in a terminal: a day. */
export const LONGEST_TERMINAL_WAIT_SECONDS = 86_400;

/** Longest wait between two signals. */
export const LONGEST_SIGNAL_WAIT_SECONDS = 3600;

/** Sizes that a terminal can have, in characters: line editors of shells crash in one column, and bash in two with one row; no screen shows more than a thousand. */
export const TERMINAL_SIZES = {
  columns: { least: 8, most: 1000 },
  rows: { least: 2, most: 1000 },
} as const;

/** The nearest size that a terminal can have. */
export function boundedSize({ columns, rows }: TerminalSize): TerminalSize {
  return { columns: bounded(columns, TERMINAL_SIZES.columns), rows: bounded(rows, TERMINAL_SIZES.rows) };
}

function bounded(value: number, { least, most }: { readonly least: number; readonly most: number }): number {
  return Math.min(most, Math.max(least, Math.trunc(value) || least));
}

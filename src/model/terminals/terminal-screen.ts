/** Size of a screen in cells. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export type MouseTracking = 'none' | 'x10' | 'vt200' | 'drag' | 'any';

/** Modes that programs have set on a terminal. */
export interface TerminalModes {
  /** Pasted text is enclosed in marks. */
  readonly isBracketedPaste: boolean;
  /** Arrow keys are sent in their application form. */
  readonly isApplicationCursor: boolean;
  readonly isApplicationKeypad: boolean;
  /** Which mouse events are reported. */
  readonly mouseTracking: MouseTracking;
  /** Mouse events are reported in the SGR form, the only one with columns beyond 223. */
  readonly isSgrMouse: boolean;
  readonly isFocusReported: boolean;
}

/** Row and column count from 0, in cells of the screen. */
export interface TerminalCursor {
  readonly row: number;
  readonly column: number;
  readonly isVisible: boolean;
}

/** How much of a row is highlighted by colour or inverse: nothing, a part, all of its text, or the full width. */
export type Highlight = 'none' | 'part' | 'text' | 'full';

/** A highlighted part of a row; columns from 0, `end` is exclusive. */
export interface HighlightedPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A line of text as the program wrote it: one row of the screen, or several if it is too long for one. */
export interface ScreenRow {
  /** On the normal screen the number of the line, which stays; on the alternate screen the row. */
  readonly line: number;
  /** First row that shows it, from 0, and how many do; 0 rows for a line above the screen. */
  readonly top: number;
  readonly height: number;
  /** The whole line without trailing blanks, including parts above the screen. */
  readonly text: string;
  /** Columns of the first non-blank character and after the last. */
  readonly start: number;
  readonly end: number;
  readonly highlight: Highlight;
  readonly parts: readonly HighlightedPart[];
  readonly hasCursor: boolean;
  /** The rows of a full-screen program that were joined to this one: an editor may have written separate rows without a break. */
  readonly shown?: readonly string[] | undefined;
}

/** A terminal at one moment. */
export interface TerminalScreen {
  readonly size: TerminalSize;
  readonly title: string;
  readonly isAlternate: boolean;
  readonly alternateVisit: number;
  readonly cursor: TerminalCursor;
  readonly modes: TerminalModes;
  /** From top to bottom, including blank ones. */
  readonly rows: readonly ScreenRow[];
}

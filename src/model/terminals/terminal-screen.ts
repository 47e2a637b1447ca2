/** Of a screen, in cells. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

export type MouseTracking = 'none' | 'x10' | 'vt200' | 'drag' | 'any';

/** What programs have set on a terminal. */
export interface TerminalModes {
  /** Pasted text is to stand between marks. */
  readonly isBracketedPaste: boolean;
  /** Arrow keys are sent in their application form. */
  readonly isApplicationCursor: boolean;
  readonly isApplicationKeypad: boolean;
  /** What is told of the mouse. */
  readonly mouseTracking: MouseTracking;
  /** Mouse events are told in the SGR form, the only one that knows columns beyond 223. */
  readonly isSgrMouse: boolean;
  readonly isFocusReported: boolean;
}

/** Row and column count from 0, in cells of the screen. */
export interface TerminalCursor {
  readonly row: number;
  readonly column: number;
  readonly isVisible: boolean;
}

/** How much of a row stands out by colour or inverse: nothing, a part, all of its text, or all of it from edge to edge. */
export type Highlight = 'none' | 'part' | 'text' | 'full';

/** A piece of a row that stands out; columns from 0, `end` is the first one after it. */
export interface HighlightedPart {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A line of text as the program wrote it: one row of the screen, or several where it was too long for one. */
export interface ScreenRow {
  /** On the normal screen the number of the line, which stays; on the alternate screen the row. */
  readonly line: number;
  /** First row that shows it, from 0, and how many do; 0 rows for what is above the screen. */
  readonly top: number;
  readonly height: number;
  /** All of it, without blanks at its end; the parts above the screen too. */
  readonly text: string;
  /** Columns from the first character that is no blank to behind the last. */
  readonly start: number;
  readonly end: number;
  readonly highlight: Highlight;
  readonly parts: readonly HighlightedPart[];
  readonly hasCursor: boolean;
}

/** A terminal at one moment. */
export interface TerminalScreen {
  readonly size: TerminalSize;
  readonly title: string;
  readonly isAlternate: boolean;
  readonly alternateVisit: number;
  readonly cursor: TerminalCursor;
  readonly modes: TerminalModes;
  /** From top to bottom, blank ones too. */
  readonly rows: readonly ScreenRow[];
}

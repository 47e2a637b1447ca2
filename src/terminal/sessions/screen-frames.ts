import type {
  Highlight,
  HighlightedPart,
  MouseTracking,
  ScreenRow,
  TerminalCursor,
  TerminalModes,
  TerminalScreen,
} from '../../model/terminals/terminal-screen.ts';
import { flag, integer, list, oneOf, record, text, wrong } from '../../operations/holder/frame-fields.ts';
import { isRecord } from '../../operations/holder/line-frames.ts';
import type { Parsed } from '../../operations/holder/line-frames.ts';
import type { TerminalReading } from '../../ports/terminals.ts';
import { sizeOf } from './terminal-asks.ts';

const HIGHLIGHTS: readonly Highlight[] = ['none', 'part', 'text', 'full'];
const TRACKINGS: readonly MouseTracking[] = ['none', 'x10', 'vt200', 'drag', 'any'];

/** A screen with lines above it, as a holder sends it. @throws FrameError */
export function parseReading(frame: Parsed): TerminalReading {
  return { screen: screen(record(frame, 'screen')), scrollback: list(frame, 'scrollback', row) };
}

function screen(frame: Parsed): TerminalScreen {
  return {
    size: sizeOf(frame, 'size'),
    title: text(frame, 'title'),
    isAlternate: flag(frame, 'isAlternate'),
    alternateVisit: integer(frame, 'alternateVisit'),
    cursor: cursor(record(frame, 'cursor')),
    modes: modes(record(frame, 'modes')),
    rows: list(frame, 'rows', row),
  };
}

function cursor(frame: Parsed): TerminalCursor {
  return {
    row: integer(frame, 'row'),
    column: integer(frame, 'column'),
    isVisible: flag(frame, 'isVisible'),
  };
}

function modes(frame: Parsed): TerminalModes {
  return {
    isBracketedPaste: flag(frame, 'isBracketedPaste'),
    isApplicationCursor: flag(frame, 'isApplicationCursor'),
    isApplicationKeypad: flag(frame, 'isApplicationKeypad'),
    mouseTracking: oneOf(frame, 'mouseTracking', TRACKINGS),
    isSgrMouse: flag(frame, 'isSgrMouse'),
    isFocusReported: flag(frame, 'isFocusReported'),
  };
}

function row(value: unknown): ScreenRow {
  if (!isRecord(value)) throw wrong('a row');
  return {
    line: integer(value, 'line'),
    top: integer(value, 'top'),
    height: integer(value, 'height'),
    text: text(value, 'text'),
    start: integer(value, 'start'),
    end: integer(value, 'end'),
    highlight: oneOf(value, 'highlight', HIGHLIGHTS),
    parts: list(value, 'parts', part),
    hasCursor: flag(value, 'hasCursor'),
  };
}

function part(value: unknown): HighlightedPart {
  if (!isRecord(value)) throw wrong('a part');
  return { start: integer(value, 'start'), end: integer(value, 'end'), text: text(value, 'text') };
}

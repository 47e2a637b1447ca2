import {
  LONGEST_TERMINAL_WAIT_SECONDS,
  MOST_TERMINAL_LINES,
  TERMINAL_SIZES,
} from '../model/terminals/terminal-bounds.ts';
import { WAIT_STATES } from '../model/terminals/terminal-state.ts';
import { CONFINEMENT_MEANS } from '../model/tools/confinement.ts';
import {
  bytes,
  date,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  orUndefined,
  text,
  textByName,
  union,
} from './schema.ts';
import type { Infer } from './schema.ts';

/* What is said about terminals, within the frames of a holder. The types are those of `ports/terminals.ts`, where members are described. */

/** See `model/tools/confinement.ts`. */
export const confinement = object({
  by: oneOf(CONFINEMENT_MEANS),
  scope: text,
  read: list(text),
  write: list(text),
  network: flag,
  unixSockets: flag,
  denyReport: flag,
});

const { columns, rows } = TERMINAL_SIZES;
const size = object({
  columns: integer(columns.least, columns.most),
  rows: integer(rows.least, rows.most),
});
const name = object({ projectPath: text, tag: text });
const lines = integer(0, MOST_TERMINAL_LINES);
const waitMs = integer(0, LONGEST_TERMINAL_WAIT_SECONDS * 1000);
const waits = object({ interruptMs: waitMs, terminateMs: waitMs });

/** What a holder is asked about terminals. */
export const terminalAsk = union('do', {
  /** Answered by the facts of the one of that name, or of a new one. */
  open: {
    start: object({
      name,
      shell: text,
      environment: textByName,
      cwd: text,
      confinement,
      size,
      budgetBytes: integer(),
    }),
  },
  /** Answered by the facts of all that this holder keeps. */
  list: {},
  facts: { terminal: text },
  clear: { terminal: text },
  watch: { terminal: text },
  unwatch: { terminal: text },
  run: {
    terminal: text,
    request: object({
      command: text,
      isBackground: flag,
      waitMs,
      lines,
      interrupt: orUndefined(waits),
      clear: flag,
    }),
  },
  lines: { terminal: text, most: lines },
  read: { terminal: text, scrollbackLines: lines },
  /** `byPerson`: whoever is attached types secrets, too. */
  write: { terminal: text, bytes, byPerson: flag },
  resize: { terminal: text, size },
  attach: { terminal: text, size },
  kill: { terminal: text, waits },
  close: { terminal: text, waits },
});

const facts = object({
  id: text,
  name,
  pid: integer(),
  ttyPath: text,
  shell: text,
  startedAt: date,
  isConfined: flag,
  size,
  title: text,
  cwd: orUndefined(text),
  state: oneOf(WAIT_STATES),
  restsOn: list(text),
  prompt: orUndefined(text),
  running: orUndefined(text),
  exitCode: orUndefined(integer()),
  attached: integer(),
});

/** What became of a run. */
const runAnswer = object({
  kind: oneOf(['completed', 'started', 'waiting', 'timed_out', 'not_begun', 'shell_ended']),
  exitCode: orUndefined(integer()),
  /** The end of what it wrote, without control sequences, where the holder has all that was asked for. */
  tail: orUndefined(object({ text, omittedLines: integer() })),
  /** Sentences about what is missing. */
  leftOut: list(text),
  durationMs: integer(),
  range: orUndefined(object({ from: integer(), to: optional(integer()) })),
  facts,
});

/** See `model/terminals/terminal-screen.ts`. */
const row = object({
  line: integer(),
  top: integer(),
  height: integer(),
  text,
  start: integer(),
  end: integer(),
  highlight: oneOf(['none', 'part', 'text', 'full']),
  parts: list(object({ start: integer(), end: integer(), text })),
  hasCursor: flag,
});

/** A screen with lines above it. */
const reading = object({
  screen: object({
    size,
    title: text,
    isAlternate: flag,
    alternateVisit: integer(),
    cursor: object({ row: integer(), column: integer(), isVisible: flag }),
    modes: object({
      isBracketedPaste: flag,
      isApplicationCursor: flag,
      isApplicationKeypad: flag,
      mouseTracking: oneOf(['none', 'x10', 'vt200', 'drag', 'any']),
      isSgrMouse: flag,
      isFocusReported: flag,
    }),
    rows: list(row),
  }),
  scrollback: list(row),
});

const done = object({});

const answers = {
  open: facts,
  list: object({ terminals: list(facts) }),
  facts,
  clear: done,
  watch: done,
  unwatch: done,
  run: runAnswer,
  lines: object({ text, leftOut: list(text) }),
  read: reading,
  write: done,
  resize: done,
  attach: done,
  /** How many there were. */
  kill: object({ count: integer() }),
  close: done,
};

/** What a holder tells unasked. */
export const terminalNews = union('news', {
  /** Something was written to a screen that is watched. */
  shown: { terminal: text },
  /** One that is watched or attached has ended. */
  exited: { terminal: text },
  /** What an attached one shows. */
  bytes: { terminal: text, bytes },
  /** To everybody. */
  'command-ended': { ended: object({ terminal: facts, command: text, exitCode: orUndefined(integer()) }) },
});

export type TerminalAsk = Infer<typeof terminalAsk>;
export type TerminalNews = Infer<typeof terminalNews>;
export type RunAnswer = Infer<typeof runAnswer>;
/** By what was asked. */
export type TerminalAnswers = { readonly [Do in TerminalAsk['do']]: Infer<(typeof answers)[Do]> };

/** What a holder answers, checked. @throws WireError */
export function parseTerminalAnswer<Ask extends TerminalAsk>(
  ask: Ask,
  answer: unknown,
): TerminalAnswers[Ask['do']] {
  return answers[ask.do].parse(answer) as TerminalAnswers[Ask['do']];
}

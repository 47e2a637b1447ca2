import {
  LONGEST_TERMINAL_WAIT_SECONDS,
  MOST_TERMINAL_LINES,
  TERMINAL_SIZES,
} from '../model/terminals/terminal-bounds.ts';
import { WAIT_STATES } from '../model/terminals/terminal-state.ts';
import { CONFINEMENT_MEANS } from '../model/tools/confinement.ts';
import * as s from './schema.ts';
import type { Infer } from './schema.ts';

/* What is said about terminals, within the frames of a holder. The types are those of `ports/terminals.ts`, where members are described. */

/** See `model/tools/confinement.ts`. */
export const confinement = s.object({
  by: s.oneOf(CONFINEMENT_MEANS),
  scope: s.text,
  read: s.list(s.text),
  write: s.list(s.text),
  network: s.flag,
  unixSockets: s.flag,
  denyReport: s.flag,
});

const { columns, rows } = TERMINAL_SIZES;
const size = s.object({
  columns: s.integer(columns.least, columns.most),
  rows: s.integer(rows.least, rows.most),
});
const name = s.object({ projectPath: s.text, tag: s.text });
const lines = s.integer(0, MOST_TERMINAL_LINES);
const waitMs = s.integer(0, LONGEST_TERMINAL_WAIT_SECONDS * 1000);
const waits = s.object({ interruptMs: waitMs, terminateMs: waitMs });

/** What a holder is asked about terminals. */
export const terminalAsk = s.union('do', {
  /** Answered by the facts of the one of that name, or of a new one. */
  open: {
    start: s.object({
      name,
      shell: s.text,
      environment: s.textByName,
      cwd: s.text,
      confinement,
      size,
      budgetBytes: s.integer(),
    }),
  },
  /** Answered by the facts of all that this holder keeps. */
  list: {},
  facts: { terminal: s.text },
  clear: { terminal: s.text },
  watch: { terminal: s.text },
  unwatch: { terminal: s.text },
  run: {
    terminal: s.text,
    request: s.object({
      command: s.text,
      isBackground: s.flag,
      waitMs,
      lines,
      interrupt: s.orUndefined(waits),
      clear: s.flag,
    }),
  },
  lines: { terminal: s.text, most: lines },
  read: { terminal: s.text, scrollbackLines: lines },
  /** `byPerson`: whoever is attached types secrets, too. */
  write: { terminal: s.text, bytes: s.bytes, byPerson: s.flag },
  resize: { terminal: s.text, size },
  attach: { terminal: s.text, size },
  kill: { terminal: s.text, waits },
  close: { terminal: s.text, waits },
});

const facts = s.object({
  id: s.text,
  name,
  pid: s.integer(),
  ttyPath: s.text,
  shell: s.text,
  startedAt: s.date,
  isConfined: s.flag,
  size,
  title: s.text,
  cwd: s.orUndefined(s.text),
  state: s.oneOf(WAIT_STATES),
  restsOn: s.list(s.text),
  prompt: s.orUndefined(s.text),
  running: s.orUndefined(s.text),
  exitCode: s.orUndefined(s.integer()),
  attached: s.integer(),
});

/** What became of a run. */
const runAnswer = s.object({
  kind: s.oneOf(['completed', 'started', 'waiting', 'timed_out', 'not_begun', 'shell_ended']),
  exitCode: s.orUndefined(s.integer()),
  /** The end of what it wrote, without control sequences, where the holder has all that was asked for. */
  tail: s.orUndefined(s.object({ text: s.text, omittedLines: s.integer() })),
  /** Sentences about what is missing. */
  leftOut: s.list(s.text),
  durationMs: s.integer(),
  range: s.orUndefined(s.object({ from: s.integer(), to: s.optional(s.integer()) })),
  facts,
});

/** See `model/terminals/terminal-screen.ts`. */
const row = s.object({
  line: s.integer(),
  top: s.integer(),
  height: s.integer(),
  text: s.text,
  start: s.integer(),
  end: s.integer(),
  highlight: s.oneOf(['none', 'part', 'text', 'full']),
  parts: s.list(s.object({ start: s.integer(), end: s.integer(), text: s.text })),
  hasCursor: s.flag,
});

/** A screen with lines above it. */
const reading = s.object({
  screen: s.object({
    size,
    title: s.text,
    isAlternate: s.flag,
    alternateVisit: s.integer(),
    cursor: s.object({ row: s.integer(), column: s.integer(), isVisible: s.flag }),
    modes: s.object({
      isBracketedPaste: s.flag,
      isApplicationCursor: s.flag,
      isApplicationKeypad: s.flag,
      mouseTracking: s.oneOf(['none', 'x10', 'vt200', 'drag', 'any']),
      isSgrMouse: s.flag,
      isFocusReported: s.flag,
    }),
    rows: s.list(row),
  }),
  scrollback: s.list(row),
});

const done = s.object({});

const answers = {
  open: facts,
  list: s.object({ terminals: s.list(facts) }),
  facts,
  clear: done,
  watch: done,
  unwatch: done,
  run: runAnswer,
  lines: s.object({ text: s.text, leftOut: s.list(s.text) }),
  read: reading,
  write: done,
  resize: done,
  attach: done,
  /** How many there were. */
  kill: s.object({ count: s.integer() }),
  close: done,
};

/** What a holder tells unasked. */
export const terminalNews = s.union('news', {
  /** Something was written to a screen that is watched. */
  shown: { terminal: s.text },
  /** One that is watched or attached has ended. */
  exited: { terminal: s.text },
  /** What an attached one shows. */
  bytes: { terminal: s.text, bytes: s.bytes },
  /** To everybody. */
  'command-ended': {
    ended: s.object({ terminal: facts, command: s.text, exitCode: s.orUndefined(s.integer()) }),
  },
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

/** As it goes into JSON. */
export function askToJson(ask: TerminalAsk): object {
  return ask.do === 'write' ? { ...ask, bytes: s.toBase64(ask.bytes) } : ask;
}

/** As it goes into JSON. */
export function newsToJson(news: TerminalNews): object {
  return news.news === 'bytes' ? { ...news, bytes: s.toBase64(news.bytes) } : news;
}

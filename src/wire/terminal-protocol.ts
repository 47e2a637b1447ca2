import {
  LONGEST_TERMINAL_WAIT_SECONDS,
  MOST_TERMINAL_LINES,
  TERMINAL_SIZES,
} from '../model/terminals/terminal-bounds.ts';
import { WAIT_STATES } from '../model/terminals/terminal-state.ts';
import { CONFINEMENT_METHODS } from '../model/tools/confinement.ts';
import * as s from './schema.ts';
import type { Infer } from './schema.ts';

/* Requests, answers and events about terminals, inside the frames of a holder. `ports/terminals.ts` describes the members of the types. */

/** See `model/tools/confinement.ts`. */
export const confinement = s.object({
  by: s.oneOf(CONFINEMENT_METHODS),
  scope: s.text,
  read: s.list(s.text),
  write: s.list(s.text),
  same: s.optional(s.list(s.object({ path: s.text, device: s.text, inode: s.text }))),
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

/** A request to a holder about terminals. */
export const terminalRequest = s.union('do', {
  /** Returns the facts of the terminal of that name, which is started if there is none. */
  open: {
    start: s.object({
      name,
      shell: s.text,
      environment: s.textByName,
      cwd: s.text,
      confinement,
      size,
      budgetBytes: s.integer(),
      owner: s.optional(s.text),
    }),
  },
  /** Returns the facts of all terminals of this holder. */
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
  /** `byPerson`: from an attached person, who may type secrets. */
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

/** The result of a run. */
const runAnswer = s.object({
  kind: s.oneOf(['completed', 'started', 'waiting', 'timed_out', 'not_begun', 'shell_ended']),
  exitCode: s.orUndefined(s.integer()),
  /** The end of the output without control sequences, if the holder has as many lines as were requested. */
  tail: s.orUndefined(s.object({ text: s.text, omittedLines: s.integer(), isCut: s.optional(s.flag) })),
  /** Sentences about missing output. */
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
  shown: s.optional(s.list(s.text)),
});

/** A screen with the lines above it. */
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
  /** Number of processes ended. */
  kill: s.object({ count: s.integer() }),
  close: done,
};

/** An event that a holder reports. */
export const terminalEvent = s.union('news', {
  /** A watched screen was written to. */
  shown: { terminal: s.text },
  /** A watched or attached terminal has ended. */
  exited: { terminal: s.text },
  /** Output of an attached terminal. */
  bytes: { terminal: s.text, bytes: s.bytes },
  /** Sent to every client. */
  'command-ended': {
    ended: s.object({ terminal: facts, command: s.text, exitCode: s.orUndefined(s.integer()) }),
  },
});

export type TerminalHolderRequest = Infer<typeof terminalRequest>;

const QUESTIONS: ReadonlySet<string> = new Set<TerminalHolderRequest['do']>([
  'list',
  'facts',
  'lines',
  'read',
  'watch',
  'unwatch',
]);

/** Such a request may be repeated whether or not it was carried out. */
export function changesNothing(request: TerminalHolderRequest): boolean {
  return QUESTIONS.has(request.do);
}
export type TerminalHolderEvent = Infer<typeof terminalEvent>;
export type RunAnswer = Infer<typeof runAnswer>;
/** Answer types by request. */
export type TerminalAnswers = { readonly [Do in TerminalHolderRequest['do']]: Infer<(typeof answers)[Do]> };

/** Validates an answer of a holder. @throws WireError */
export function parseTerminalAnswer<Ask extends TerminalHolderRequest>(
  ask: Ask,
  answer: unknown,
): TerminalAnswers[Ask['do']] {
  return answers[ask.do].parse(answer) as TerminalAnswers[Ask['do']];
}

/** The JSON form of a request. */
export function requestToJson(ask: TerminalHolderRequest): object {
  return ask.do === 'write' ? { ...ask, bytes: s.toBase64(ask.bytes) } : ask;
}

/** The JSON form of an event. */
export function eventToJson(news: TerminalHolderEvent): object {
  return news.news === 'bytes' ? { ...news, bytes: s.toBase64(news.bytes) } : news;
}

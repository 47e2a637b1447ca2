import { toLine } from './frames.ts';
import * as s from './schema.ts';
import type { Infer } from './schema.ts';
import { askToJson, confinement, newsToJson, terminalAsk, terminalNews } from './terminal-protocol.ts';

/** Of the frames below. What another one says is not understood. */
export const HOLDER_PROTOCOL = 2;

const MOST_STEPS = 100;

const commandLine = s.valueOf('a list of text that begins with a program', isCommandLine);

function isCommandLine(value: unknown): value is readonly [string, ...string[]] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') && (value[0] ?? '') !== '';
}

/** See `ports/operations.ts`. */
const request = s.object({
  tool: s.text,
  steps: s.list(
    s.object({
      command: commandLine,
      cwd: s.text,
      delayMs: s.optional(s.integer()),
      environment: s.textByName,
      confinement,
    }),
    { least: 1, most: MOST_STEPS },
  ),
  scope: s.text,
  session: s.text,
  timeoutMs: s.optional(s.integer()),
  output: s.oneOf(['merged', 'separate']),
  budgetBytes: s.integer(),
});

/** What a client sends. */
export const toHolder = s.union('type', {
  /** First of all: whoever does not know the token is nobody. */
  hello: { protocol: s.integer(), token: s.text },
  /** Make ready what runs of this confinement need. Answered by `done`. */
  prepare: { id: s.integer(), confinement },
  /** Answered by `started`. */
  start: { id: s.integer(), request },
  /** Answered by `done` when it is over. */
  cancel: { id: s.integer(), operation: s.text },
  /** End what is left of an operation whose holder is gone. Answered by `done`. */
  end: {
    id: s.integer(),
    operation: s.text,
    /** See `ProcessPort.endAll`. */
    leader: s.optional(s.object({ pid: s.integer(), startTime: s.text })),
  },
  /** What is asked about terminals. Answered by `answer`. */
  ask: { id: s.integer(), ask: terminalAsk },
  /** Nobody waits for the answer to a question any more. It is answered all the same. */
  leave: { id: s.integer() },
});

/** What a holder sends. */
export const fromHolder = s.union('type', {
  welcome: { pid: s.integer() },
  /** The record is as on the disk; whoever gets it checks it. */
  started: { id: s.integer(), record: s.anyObject },
  done: { id: s.integer() },
  /** See `parseTerminalAnswer`. */
  answer: { id: s.integer(), answer: s.anyObject },
  refused: {
    /** Of one call; the connection is closed where absent. */
    id: s.optional(s.integer()),
    code: s.text,
    message: s.text,
    suggestion: s.text,
    detail: s.optional(s.text),
    isRetryable: s.flag,
    /** Some of it was done before it failed. */
    isDelivered: s.optional(s.flag),
  },
  /** Unasked: of terminals, to whom they concern. */
  news: { news: terminalNews },
  /** To everybody, unasked: the record of an operation is another one now. */
  changed: { operation: s.text, isOver: s.flag },
});

export type ToHolder = Infer<typeof toHolder>;
export type FromHolder = Infer<typeof fromHolder>;
export type Refused = Extract<FromHolder, { readonly type: 'refused' }>;

export function encodeToHolder(frame: ToHolder): Buffer {
  return toLine(frame.type === 'ask' ? { ...frame, ask: askToJson(frame.ask) } : frame);
}

export function encodeFromHolder(frame: FromHolder): Buffer {
  return toLine(frame.type === 'news' ? { ...frame, news: newsToJson(frame.news) } : frame);
}

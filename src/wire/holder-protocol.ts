import {
  anyObject,
  flag,
  integer,
  list,
  mismatch,
  object,
  oneOf,
  optional,
  text,
  textByName,
  union,
} from './schema.ts';
import type { Infer, Schema } from './schema.ts';
import { confinement, terminalAsk, terminalNews } from './terminal-protocol.ts';

/** Of the frames below. What another one says is not understood. */
export const HOLDER_PROTOCOL = 2;

const MOST_STEPS = 100;

const commandLine: Schema<readonly [string, ...string[]]> = {
  parse: (value) => {
    const [program, ...rest] = list(text).parse(value);
    if (program === undefined || program === '') throw mismatch('a list that begins with a program');
    return [program, ...rest];
  },
};

/** See `ports/operations.ts`. */
const request = object({
  tool: text,
  steps: list(
    object({
      command: commandLine,
      cwd: text,
      delayMs: optional(integer()),
      environment: textByName,
      confinement,
    }),
    { least: 1, most: MOST_STEPS },
  ),
  scope: text,
  session: text,
  timeoutMs: optional(integer()),
  output: oneOf(['merged', 'separate']),
  budgetBytes: integer(),
});

/** What a client sends. */
export const toHolder = union('type', {
  /** First of all: whoever does not know the token is nobody. */
  hello: { protocol: integer(), token: text },
  /** Make ready what runs of this confinement need. Answered by `done`. */
  prepare: { id: integer(), confinement },
  /** Answered by `started`. */
  start: { id: integer(), request },
  /** Answered by `done` when it is over. */
  cancel: { id: integer(), operation: text },
  /** End what is left of an operation whose holder is gone. Answered by `done`. */
  end: {
    id: integer(),
    operation: text,
    /** See `ProcessPort.endAll`. */
    leader: optional(object({ pid: integer(), startTime: text })),
  },
  /** What is asked about terminals. Answered by `answer`. */
  ask: { id: integer(), ask: terminalAsk },
  /** Nobody waits for the answer to a question any more. It is answered all the same. */
  leave: { id: integer() },
});

/** What a holder sends. */
export const fromHolder = union('type', {
  welcome: { pid: integer() },
  /** The record is as on the disk; whoever gets it checks it. */
  started: { id: integer(), record: anyObject },
  done: { id: integer() },
  /** See `parseTerminalAnswer`. */
  answer: { id: integer(), answer: anyObject },
  refused: {
    /** Of one call; the connection is closed where absent. */
    id: optional(integer()),
    code: text,
    message: text,
    suggestion: text,
    detail: optional(text),
    isRetryable: flag,
    /** Some of it was done before it failed. */
    isDelivered: optional(flag),
  },
  /** Unasked: of terminals, to whom they concern. */
  news: { news: terminalNews },
  /** To everybody, unasked: the record of an operation is another one now. */
  changed: { operation: text, isOver: flag },
});

export type ToHolder = Infer<typeof toHolder>;
export type FromHolder = Infer<typeof fromHolder>;
export type Refused = Extract<FromHolder, { readonly type: 'refused' }>;

import { toLine } from './frames.ts';
import * as s from './schema.ts';
import type { Infer } from './schema.ts';
import {
  requestToJson,
  confinement,
  eventToJson,
  terminalRequest,
  terminalEvent,
} from './terminal-protocol.ts';

/** Version of the frames below; a holder refuses any other. */
export const HOLDER_PROTOCOL = 3;

const MAX_STEPS = 100;

const commandLine = s.valueOf('a list of strings that begins with a program', isCommandLine);

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
    { least: 1, most: MAX_STEPS },
  ),
  scope: s.text,
  session: s.text,
  owner: s.optional(s.text),
  timeoutMs: s.optional(s.integer()),
  output: s.oneOf(['merged', 'separate']),
  budgetBytes: s.integer(),
});

/** What a client sends. */
export const toHolder = s.union('type', {
  /** The first frame; clients without the token are refused. */
  hello: { protocol: s.integer(), token: s.text },
  /** Prepare what runs with this confinement need. Answered by `done`. */
  prepare: { id: s.integer(), confinement },
  /** Answered by `started`. */
  start: { id: s.integer(), request },
  /** Answered by `done` when the operation has ended. */
  cancel: { id: s.integer(), operation: s.text },
  /** End the remaining processes of an operation whose holder has exited. Answered by `done`. */
  end: {
    id: s.integer(),
    operation: s.text,
    /** See `ProcessPort.endAll`. */
    leader: s.optional(s.object({ pid: s.integer(), startTime: s.text })),
  },
  /** A request about terminals. Answered by `answer`. */
  ask: { id: s.integer(), ask: terminalRequest },
  /** The client no longer waits for an answer, which is sent nevertheless. */
  leave: { id: s.integer() },
  /** Whether the holder still runs. Answered by `done` at once, whatever else it does. */
  ping: { id: s.integer() },
});

/** What a holder sends. */
export const fromHolder = s.union('type', {
  welcome: { pid: s.integer() },
  /** The record as stored on disk; the receiver validates it. */
  started: { id: s.integer(), record: s.anyObject },
  done: { id: s.integer() },
  /** See `parseTerminalAnswer`. */
  answer: { id: s.integer(), answer: s.anyObject },
  refused: {
    /** Id of the call; without it the connection is closed. */
    id: s.optional(s.integer()),
    code: s.text,
    message: s.text,
    suggestion: s.text,
    detail: s.optional(s.text),
    isRetryable: s.flag,
    /** It may have had an effect before it failed. */
    isDelivered: s.optional(s.flag),
  },
  /** An event of a terminal, sent to the clients concerned. */
  news: { news: terminalEvent },
  /** The record of an operation has changed; sent to every client. */
  changed: { operation: s.text, isOver: s.flag },
});

export type ToHolder = Infer<typeof toHolder>;
export type FromHolder = Infer<typeof fromHolder>;
export type Refused = Extract<FromHolder, { readonly type: 'refused' }>;

export function encodeToHolder(frame: ToHolder): Buffer {
  return toLine(frame.type === 'ask' ? { ...frame, ask: requestToJson(frame.ask) } : frame);
}

export function encodeFromHolder(frame: FromHolder): Buffer {
  return toLine(frame.type === 'news' ? { ...frame, news: eventToJson(frame.news) } : frame);
}

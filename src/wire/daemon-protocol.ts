import type { ClientFrame } from './client-frames.ts';
import { toLine } from './frames.ts';
import * as s from './schema.ts';
import type { Infer } from './schema.ts';

/** Version of the frames below. A daemon with a different protocol counts as a different version. */
export const DAEMON_PROTOCOL = 3;

declare const DESKTERITY_BUILD: string | undefined;

/** Package version and a hash of the sources, such as `0.1.0+3f2a9c1b7d`; it differs between two builds of one version. */
export function buildVersion(): string {
  return typeof DESKTERITY_BUILD === 'string' ? DESKTERITY_BUILD : '0+source';
}

/** What a daemon reports about itself. */
const identity = {
  version: s.text,
  pid: s.integer(),
  isIdle: s.flag,
  /** Why it is not idle, as a phrase: `2 calls, 1 private desktop`. */
  why: s.optional(s.text),
};

/** What a daemon sends. */
export const serverFrame = s.union('type', {
  answer: { id: s.integer(), exitCode: s.integer(), stdout: s.text, stderr: s.text },
  log: { id: s.integer(), line: s.text },
  /** What a call is doing, on one line without control characters. */
  progress: { id: s.integer(), message: s.text },
  /** The call needs a person's consent to this, on one line; `reply` is awaited. */
  question: { id: s.integer(), text: s.text },
  piped: {},
  /** `name` is for display; `command` attaches again. */
  attached: { name: s.text, command: s.text },
  serving: { url: s.text },
  /** What a client of the served MCP has sent or received, for people, without control characters except line breaks. */
  echo: { text: s.text },
  self: identity,
  /** The only reply to a client of another version. */
  skew: identity,
  /** No more calls are accepted; pending ones are still answered if possible. */
  leaving: { pid: s.integer() },
  /** The call arrived after `leaving` and was not run. */
  late: { id: s.integer() },
  refused: {
    /** Id of the call; without it the connection is closed. */
    id: s.optional(s.integer()),
    code: s.text,
    message: s.text,
    suggestion: s.text,
  },
});

export type ServerFrame = Infer<typeof serverFrame>;
export type Refusal = Extract<ServerFrame, { readonly type: 'refused' }>;
export type Identity = Omit<Extract<ServerFrame, { readonly type: 'self' }>, 'type'>;

export const encodeClientFrame: (frame: ClientFrame) => Buffer = toLine;
export const encodeServerFrame: (frame: ServerFrame) => Buffer = toLine;

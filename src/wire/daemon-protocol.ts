import type { ClientFrame } from './client-frames.ts';
import { toLine } from './frames.ts';
import * as s from './schema.ts';
import type { Infer } from './schema.ts';

/** Of the frames below; a daemon that speaks another one is treated like one of another version. */
export const DAEMON_PROTOCOL = 2;

declare const DESKTERITY_BUILD: string | undefined;

/** Package version and a hash of the sources, as `0.1.0+3f2a9c1b7d`: two builds of one version are told apart. */
export function buildVersion(): string {
  return typeof DESKTERITY_BUILD === 'string' ? DESKTERITY_BUILD : '0+source';
}

/** What a daemon says of itself. */
const identity = {
  version: s.text,
  pid: s.integer(),
  isIdle: s.flag,
  /** What keeps it, as a phrase: `2 calls, 1 private desktop`. */
  why: s.optional(s.text),
};

/** What a daemon sends. */
export const serverFrame = s.union('type', {
  answer: { id: s.integer(), exitCode: s.integer(), stdout: s.text, stderr: s.text },
  log: { id: s.integer(), line: s.text },
  piped: {},
  /** `name` is for people, `command` is what leads there again. */
  attached: { name: s.text, command: s.text },
  serving: { url: s.text },
  self: identity,
  /** Instead of any answer, to a client of another version. */
  skew: identity,
  /** It takes no more calls; those it has not answered yet it still will, where it can. */
  leaving: { pid: s.integer() },
  /** A call came too late: nothing was done. */
  late: { id: s.integer() },
  refused: {
    /** Of one call; the connection is closed where absent. */
    id: s.optional(s.integer()),
    code: s.text,
    message: s.text,
    suggestion: s.text,
  },
});

export type ServerFrame = Infer<typeof serverFrame>;
export type Refusal = Extract<ServerFrame, { readonly type: 'refused' }>;
export type Identity = Omit<Extract<ServerFrame, { readonly type: 'self' }>, 'type'>;

export function encodeClientFrame(frame: ClientFrame): Buffer {
  return toLine(frame);
}

export function encodeServerFrame(frame: ServerFrame): Buffer {
  return toLine(frame);
}

import {
  anything,
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
import type { Infer, Schema } from './schema.ts';

/** Of the frames below; a daemon that speaks another one is treated like one of another version. */
export const DAEMON_PROTOCOL = 2;

declare const DESKTERITY_BUILD: string | undefined;

/** Package version and a hash of the sources, as `0.1.0+3f2a9c1b7d`: two builds of one version are told apart. */
export function buildVersion(): string {
  return typeof DESKTERITY_BUILD === 'string' ? DESKTERITY_BUILD : '0+source';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Deeper than any input of a command. */
const MOST_INPUT_LEVELS = 100;

const environment: Schema<Environment> = textByName;

const mcpOptions = object({
  /** Names of toolsets, such as `core`. */
  toolsets: list(text),
  /** Only tools that change nothing. */
  isReadOnly: flag,
  /** No structured content and no output schemas: for clients that show both forms to the model. */
  isTextOnly: flag,
  /** A session of the user's; each client has one of its own where absent. */
  session: orUndefined(text),
});

/** Where and for whom MCP is to be served over HTTP. */
const httpChoices = object({
  bind: text,
  /** 0 takes a free one. */
  port: integer(),
  /** Also the transport of older clients, with server-sent events. */
  isSseServed: flag,
  /** What clients must show; never logged. */
  token: orUndefined(text),
});

/** Which terminal somebody wants to attach to; that of the caller's folder where neither is said. */
const terminalWish = object({
  projectPath: optional(text),
  /** Or the id of a terminal. */
  tag: optional(text),
  /** What the daemon has called the window that it opened for this client; absent for one who came by themselves. */
  window: optional(text),
});

/** What a client sends. */
export const clientFrame = union('type', {
  /** The first frame of a client: whom the daemon acts for. Never logged. What it requires stays: builds of all versions have to be told apart by it. */
  hello: {
    protocol: integer(),
    /** See {@link buildVersion}. */
    version: text,
    pid: integer(),
    /** Folder of the client; empty when it has none. */
    cwd: text,
    /** All variables of the caller, as a program launched for it must find them. */
    environment,
    /** Whether lines for standard error may be coloured. */
    colour: optional(flag),
  },
  execute: {
    /** Chosen by the client; unique among its calls under way. */
    id: integer(),
    session: text,
    command: text,
    input: anything(MOST_INPUT_LEVELS),
    format: optional(oneOf(['json', 'outline', 'text', 'quiet'])),
    pretty: optional(flag),
    /** Input keys whose text the answer must not repeat. */
    secrets: optional(list(text)),
    /** Send log entries of this call that are at least this severe. */
    log: optional(oneOf(['debug', 'info'])),
  },
  cancel: { id: integer() },
  /** From `piped` on, this connection is one of MCP: its bytes are no frames any more. */
  mcp: { options: mcpOptions },
  /** Serve MCP over HTTP for as long as this connection lasts. */
  'mcp-http': { options: mcpOptions, http: httpChoices },
  /** From `attached` on, this connection is that of a terminal: records, no frames (see `attach-records.ts`). The client speaks first. */
  attach: { terminal: terminalWish },
  /** Who are you? */
  ask: {},
  /** Leave, whatever is going on. */
  stop: {},
  /** Leave if nothing would be lost. */
  retire: {},
});

/** What a daemon says of itself. */
const identity = {
  version: text,
  pid: integer(),
  isIdle: flag,
  /** What keeps it, as a phrase: `2 calls, 1 private desktop`. */
  why: optional(text),
};

/** What a daemon sends. */
export const serverFrame = union('type', {
  answer: { id: integer(), exitCode: integer(), stdout: text, stderr: text },
  log: { id: integer(), line: text },
  piped: {},
  /** `name` is for people, `command` is what leads there again. */
  attached: { name: text, command: text },
  serving: { url: text },
  self: identity,
  /** Instead of any answer, to a client of another version. */
  skew: identity,
  /** It takes no more calls; those it has not answered yet it still will, where it can. */
  leaving: { pid: integer() },
  /** A call came too late: nothing was done. */
  late: { id: integer() },
  refused: {
    /** Of one call; the connection is closed where absent. */
    id: optional(integer()),
    code: text,
    message: text,
    suggestion: text,
  },
});

export type ClientFrame = Infer<typeof clientFrame>;
export type ServerFrame = Infer<typeof serverFrame>;
export type Hello = Extract<ClientFrame, { readonly type: 'hello' }>;
export type ExecuteFrame = Extract<ClientFrame, { readonly type: 'execute' }>;
export type McpFrame = Extract<ClientFrame, { readonly type: 'mcp' }>;
export type McpHttpFrame = Extract<ClientFrame, { readonly type: 'mcp-http' }>;
export type AttachFrame = Extract<ClientFrame, { readonly type: 'attach' }>;
export type Refusal = Extract<ServerFrame, { readonly type: 'refused' }>;
export type Identity = Omit<Extract<ServerFrame, { readonly type: 'self' }>, 'type'>;
export type HttpChoices = Infer<typeof httpChoices>;
export type TerminalWish = Infer<typeof terminalWish>;

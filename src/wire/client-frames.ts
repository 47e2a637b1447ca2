import * as s from './schema.ts';
import type { Infer, Schema } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Deeper than any input of a command. */
const MOST_INPUT_LEVELS = 100;

const environment: Schema<Environment> = s.textByName;

const mcpOptions = s.object({
  /** Names of toolsets, such as `core`. */
  toolsets: s.list(s.text),
  /** Only tools that change nothing. */
  isReadOnly: s.flag,
  /** No structured content and no output schemas: for clients that show both forms to the model. */
  isTextOnly: s.flag,
  /** A session of the user's; each client has one of its own where absent. */
  session: s.orUndefined(s.text),
});

/** Where and for whom MCP is to be served over HTTP. */
const httpChoices = s.object({
  bind: s.text,
  /** 0 takes a free one. */
  port: s.integer(),
  /** Also the transport of older clients, with server-sent events. */
  isSseServed: s.flag,
  /** What clients must show; never logged. */
  token: s.orUndefined(s.text),
});

/** Which terminal somebody wants to attach to; that of the caller's folder where neither is said. */
const terminalWish = s.object({
  projectPath: s.optional(s.text),
  /** Or the id of a terminal. */
  tag: s.optional(s.text),
  /** What the daemon has called the window that it opened for this client; absent for one who came by themselves. */
  window: s.optional(s.text),
});

/** What a client sends. */
export const clientFrame = s.union('type', {
  /** The first frame of a client: whom the daemon acts for. Never logged. What it requires stays: builds of all versions have to be told apart by it. */
  hello: {
    protocol: s.integer(),
    /** See `buildVersion`. */
    version: s.text,
    pid: s.integer(),
    /** Folder of the client; empty when it has none. */
    cwd: s.text,
    /** All variables of the caller, as a program launched for it must find them. */
    environment,
    /** Whether lines for standard error may be coloured. */
    colour: s.optional(s.flag),
  },
  execute: {
    /** Chosen by the client; unique among its calls under way. */
    id: s.integer(),
    session: s.text,
    command: s.text,
    input: s.anything(MOST_INPUT_LEVELS),
    format: s.optional(s.oneOf(['json', 'outline', 'text', 'quiet'])),
    pretty: s.optional(s.flag),
    /** Input keys whose text the answer must not repeat. */
    secrets: s.optional(s.list(s.text)),
    /** Send log entries of this call that are at least this severe. */
    log: s.optional(s.oneOf(['debug', 'info'])),
  },
  cancel: { id: s.integer() },
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

export type ClientFrame = Infer<typeof clientFrame>;
export type Hello = Extract<ClientFrame, { readonly type: 'hello' }>;
export type ExecuteFrame = Extract<ClientFrame, { readonly type: 'execute' }>;
export type McpFrame = Extract<ClientFrame, { readonly type: 'mcp' }>;
export type McpHttpFrame = Extract<ClientFrame, { readonly type: 'mcp-http' }>;
export type AttachFrame = Extract<ClientFrame, { readonly type: 'attach' }>;
export type HttpChoices = Infer<typeof httpChoices>;
export type TerminalWish = Infer<typeof terminalWish>;

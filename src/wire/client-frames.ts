import { CONSENT_ANSWERS } from '../model/effects/consent-answer.ts';
import * as s from './schema.ts';
import type { Infer, Schema } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Deeper than the input of any command. */
const MAX_INPUT_LEVELS = 100;

const environment: Schema<Environment> = s.textByName;

const mcpOptions = s.object({
  /** Names of toolsets, such as `core`. */
  toolsets: s.list(s.text),
  /** Only offer tools that change nothing. */
  isReadOnly: s.flag,
  /** Whether answers carry structured content; without it the settings decide. */
  structured: s.orUndefined(s.oneOf(['always', 'never'])),
  /** A named session; without it each client gets its own. */
  session: s.orUndefined(s.text),
});

/** How to serve MCP over HTTP. */
const httpChoices = s.object({
  bind: s.text,
  /** 0 picks a free port. */
  port: s.integer(),
  /** Also serve the older transport with server-sent events. */
  isSseServed: s.flag,
  /** Clients must send it; never logged. */
  token: s.orUndefined(s.text),
  /** The toolsets that paths may choose from; without it all. */
  mostToolsets: s.orUndefined(s.list(s.text)),
  /** Folders that paths of their own work in. */
  folders: s.list(s.object({ name: s.text, folder: s.text })),
  /** Each session works in the first root of its client. */
  isSessionIsolated: s.flag,
  /** Also send what clients send and receive. */
  isEchoed: s.flag,
});

/** The terminal to attach to; by default the one of the caller's folder. */
const attachTarget = s.object({
  projectPath: s.optional(s.text),
  /** A tag or the id of a terminal. */
  tag: s.optional(s.text),
  /** The daemon's name for the window it opened for this client; absent if a person started the client. */
  window: s.optional(s.text),
});

const screenFacts = s.object({
  columns: s.integer(1, 10_000),
  /** Whether standard output may be coloured. */
  colour: s.flag,
  /** It can show no more than ASCII. */
  ascii: s.flag,
});

/** What a client sends. */
export const clientFrame = s.union('type', {
  /** The first frame of a client: its process and environment. Never logged. Required members never change, so that builds of different versions recognise each other. */
  hello: {
    protocol: s.integer(),
    /** See `buildVersion`. */
    version: s.text,
    pid: s.integer(),
    /** Working folder of the client; empty if it has none. */
    cwd: s.text,
    /** All variables of the caller; programs launched for it receive them. */
    environment,
    /** How the caller itself was started. */
    program: s.optional(s.object({ node: s.text, script: s.text })),
    /** Whether lines for standard error may be coloured. */
    colour: s.optional(s.flag),
    /** The terminal that answers are printed on; absent if standard output is none, or if the client prints no answers for people. */
    screen: s.optional(screenFacts),
  },
  execute: {
    /** Chosen by the client; unique among its active calls. */
    id: s.integer(),
    session: s.text,
    command: s.text,
    input: s.anything(MAX_INPUT_LEVELS),
    format: s.optional(s.oneOf(['json', 'human', 'outline', 'text', 'quiet'])),
    pretty: s.optional(s.flag),
    /** Input keys whose text the answer must not repeat. */
    secrets: s.optional(s.list(s.text)),
    /** Also send this call's log entries of at least this level. */
    log: s.optional(s.oneOf(['debug', 'info'])),
    /** Also send what this call is doing. */
    progress: s.optional(s.flag),
    /** The client can ask a person, if the call needs consent. */
    asks: s.optional(s.flag),
  },
  cancel: { id: s.integer() },
  /** What the person said to the `question` of a call. */
  reply: { id: s.integer(), answer: s.oneOf(CONSENT_ANSWERS) },
  /** After `piped` the connection carries MCP instead of frames. */
  mcp: { options: mcpOptions },
  /** Serve MCP over HTTP until this connection closes. */
  'mcp-http': { options: mcpOptions, http: httpChoices },
  /** After `attached` the connection carries records instead of frames (see `attach-records.ts`). The client sends first. */
  attach: { terminal: attachTarget },
  /** Ask the daemon for its identity. */
  ask: {},
  /** Exit even if calls are active. */
  stop: {},
  /** Exit if nothing would be lost. */
  retire: {},
});

export type ClientFrame = Infer<typeof clientFrame>;
export type Hello = Extract<ClientFrame, { readonly type: 'hello' }>;
export type ExecuteFrame = Extract<ClientFrame, { readonly type: 'execute' }>;
export type McpFrame = Extract<ClientFrame, { readonly type: 'mcp' }>;
export type McpHttpFrame = Extract<ClientFrame, { readonly type: 'mcp-http' }>;
export type AttachFrame = Extract<ClientFrame, { readonly type: 'attach' }>;
export type ScreenFacts = Infer<typeof screenFacts>;
export type HttpChoices = Infer<typeof httpChoices>;
export type AttachTarget = Infer<typeof attachTarget>;

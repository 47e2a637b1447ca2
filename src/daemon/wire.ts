import type { McpOptions } from '../mcp/options.ts';
import { isRecord, WireError } from './wire-bytes.ts';
import type { Parsed } from './wire-bytes.ts';

export { FrameReader, LARGEST_FRAME_BYTES, toFrame, WireError } from './wire-bytes.ts';

/** Of the frames below; a daemon that speaks another one is treated like one of another version. */
export const PROTOCOL = 1;

declare const DESKTERITY_BUILD: string | undefined;

/** Package version and a hash of the sources, as `0.1.0+3f2a9c1b7d`: two builds of one version are told apart. */
export function buildVersion(): string {
  return typeof DESKTERITY_BUILD === 'string' ? DESKTERITY_BUILD : '0+source';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The first frame of a client: whom the daemon acts for. Never logged. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
  /** See {@link buildVersion}. */
  readonly version: string;
  readonly pid: number;
  /** Folder of the client; empty when it has none. */
  readonly cwd: string;
  /** All variables of the caller, as a program launched for it must find them. */
  readonly environment: Environment;
  /** Whether lines for standard error may be coloured. */
  readonly colour: boolean;
}

export interface ExecuteFrame {
  readonly type: 'execute';
  /** Chosen by the client; unique among its calls under way. */
  readonly id: number;
  readonly session: string;
  readonly command: string;
  readonly input: unknown;
  readonly format?: 'json' | 'outline' | 'text' | 'quiet' | undefined;
  readonly pretty?: boolean | undefined;
  /** Input keys whose text the answer must not repeat. */
  readonly secrets?: readonly string[] | undefined;
  /** Send log entries of this call that are at least this severe. */
  readonly log?: 'debug' | 'info' | undefined;
}

/** From `piped` on, this connection is one of MCP: its bytes are no frames any more. */
export interface McpFrame {
  readonly type: 'mcp';
  readonly options: McpOptions;
}

/** Where and for whom MCP is to be served over HTTP. */
export interface HttpChoices {
  readonly bind: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Also the transport of older clients, with server-sent events. */
  readonly isSseServed: boolean;
  /** What clients must show; never logged. */
  readonly token: string | undefined;
}

/** Serve MCP over HTTP for as long as this connection lasts. */
export interface McpHttpFrame {
  readonly type: 'mcp-http';
  readonly options: McpOptions;
  readonly http: HttpChoices;
}

export type ClientFrame =
  | Hello
  | ExecuteFrame
  | McpFrame
  | McpHttpFrame
  | { readonly type: 'cancel'; readonly id: number }
  /** Who are you? */
  | { readonly type: 'ask' }
  /** Leave, whatever is going on. */
  | { readonly type: 'stop' }
  /** Leave if nothing would be lost. */
  | { readonly type: 'retire' };

/** What a daemon says of itself. */
export interface Identity {
  readonly version: string;
  readonly pid: number;
  readonly isIdle: boolean;
  /** What keeps it, as a phrase: `2 calls, 1 private desktop`. */
  readonly why?: string | undefined;
}

export interface Refusal {
  readonly type: 'refused';
  /** Of one call; the connection is closed where absent. */
  readonly id?: number | undefined;
  readonly code: string;
  readonly message: string;
  readonly suggestion: string;
}

export type ServerFrame =
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly type: 'log'; readonly id: number; readonly line: string }
  | { readonly type: 'piped' }
  | { readonly type: 'serving'; readonly url: string }
  | ({ readonly type: 'self' } & Identity)
  /** Instead of any answer, to a client of another version. */
  | ({ readonly type: 'skew' } & Identity)
  /** It takes no more calls; those it has not answered yet it still will, where it can. */
  | { readonly type: 'leaving'; readonly pid: number }
  /** A call came too late: nothing was done. */
  | { readonly type: 'late'; readonly id: number }
  | Refusal;

/** What a client sent, checked. @throws WireError */
export function parseClientFrame(frame: Parsed): ClientFrame {
  switch (frame['type']) {
    case 'hello':
      return {
        type: 'hello',
        protocol: number(frame, 'protocol'),
        version: text(frame, 'version'),
        pid: number(frame, 'pid'),
        cwd: text(frame, 'cwd'),
        environment: environment(frame),
        colour: frame['colour'] === true,
      };
    case 'execute':
      return {
        type: 'execute',
        id: number(frame, 'id'),
        session: text(frame, 'session'),
        command: text(frame, 'command'),
        input: frame['input'],
        format: oneOf(frame, 'format', ['json', 'outline', 'text', 'quiet']),
        pretty: frame['pretty'] === true,
        secrets: texts(frame, 'secrets'),
        log: oneOf(frame, 'log', ['debug', 'info']),
      };
    case 'mcp':
      return { type: 'mcp', options: mcpOptions(record(frame, 'options')) };
    case 'mcp-http':
      return {
        type: 'mcp-http',
        options: mcpOptions(record(frame, 'options')),
        http: httpChoices(record(frame, 'http')),
      };
    case 'cancel':
      return { type: 'cancel', id: number(frame, 'id') };
    case 'ask':
    case 'stop':
    case 'retire':
      return { type: frame['type'] };
    default:
      throw new WireError('a frame is of a type that clients do not send');
  }
}

/** What a daemon sent, checked. @throws WireError */
export function parseServerFrame(frame: Parsed): ServerFrame {
  switch (frame['type']) {
    case 'answer':
      return {
        type: 'answer',
        id: number(frame, 'id'),
        exitCode: number(frame, 'exitCode'),
        stdout: text(frame, 'stdout'),
        stderr: text(frame, 'stderr'),
      };
    case 'log':
      return { type: 'log', id: number(frame, 'id'), line: text(frame, 'line') };
    case 'piped':
      return { type: 'piped' };
    case 'serving':
      return { type: 'serving', url: text(frame, 'url') };
    case 'self':
    case 'skew':
      return {
        type: frame['type'],
        version: text(frame, 'version'),
        pid: number(frame, 'pid'),
        isIdle: frame['isIdle'] === true,
        why: optionalText(frame, 'why'),
      };
    case 'leaving':
      return { type: 'leaving', pid: number(frame, 'pid') };
    case 'late':
      return { type: 'late', id: number(frame, 'id') };
    case 'refused':
      return {
        type: 'refused',
        id: frame['id'] === undefined ? undefined : number(frame, 'id'),
        code: text(frame, 'code'),
        message: text(frame, 'message'),
        suggestion: text(frame, 'suggestion'),
      };
    default:
      throw new WireError('a frame is of a type that daemons do not send');
  }
}

function mcpOptions(options: Parsed): McpOptions {
  return {
    toolsets: texts(options, 'toolsets') ?? [],
    isReadOnly: flag(options, 'isReadOnly'),
    isTextOnly: flag(options, 'isTextOnly'),
    session: optionalText(options, 'session'),
  };
}

function httpChoices(http: Parsed): HttpChoices {
  return {
    bind: text(http, 'bind'),
    port: number(http, 'port'),
    isSseServed: flag(http, 'isSseServed'),
    token: optionalText(http, 'token'),
  };
}

function text(frame: Parsed, key: string): string {
  const value = frame[key];
  if (typeof value === 'string') return value;
  throw new WireError(`"${key}" of a frame is not a text`);
}

function optionalText(frame: Parsed, key: string): string | undefined {
  return frame[key] === undefined ? undefined : text(frame, key);
}

/** What protects somebody is not off because it was said in another way. */
function flag(frame: Parsed, key: string): boolean {
  const value = frame[key];
  if (typeof value === 'boolean') return value;
  throw new WireError(`"${key}" of a frame is neither true nor false`);
}

function record(frame: Parsed, key: string): Parsed {
  const value = frame[key];
  if (isRecord(value)) return value;
  throw new WireError(`"${key}" of a frame is not an object`);
}

function number(frame: Parsed, key: string): number {
  const value = frame[key];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new WireError(`"${key}" of a frame is not a whole number`);
}

function texts(frame: Parsed, key: string): string[] | undefined {
  const value = frame[key];
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new WireError(`"${key}" of a frame is not a list of texts`);
}

function oneOf<T extends string>(frame: Parsed, key: string, values: readonly T[]): T | undefined {
  const value = frame[key];
  const known = values.find((candidate) => candidate === value);
  if (known !== undefined || value === undefined) return known;
  throw new WireError(`"${key}" of a frame is none of ${values.join(', ')}`);
}

function environment(frame: Parsed): Environment {
  const entries = Object.entries(record(frame, 'environment')).map(([name, content]): [string, string] => {
    if (typeof content === 'string') return [name, content];
    throw new WireError('"environment" of a frame has a value that is not a text');
  });
  return Object.fromEntries(entries);
}

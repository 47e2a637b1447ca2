import type { McpOptions } from '../../surfaces/mcp/options.ts';
import { WireError } from './wire-bytes.ts';
import type { Parsed } from './wire-bytes.ts';
import { environment, flag, number, oneOf, optionalText, record, text, texts } from './wire-fields.ts';

export { FrameReader, LARGEST_FRAME_BYTES, toFrame, WireError } from './wire-bytes.ts';
export { RecordReader, toRecord } from './attach-wire.ts';
export type { AttachmentEnd, AttachRecord } from './attach-wire.ts';

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

/** Which terminal somebody wants to sit before; that of the caller's folder where neither is said. */
export interface TerminalWish {
  readonly projectPath?: string | undefined;
  /** Or the id of a terminal. */
  readonly tag?: string | undefined;
  /** What the daemon has called the window that it opened for this client; absent for one who came by themselves. */
  readonly window?: string | undefined;
}

/** From `attached` on, this connection is that of a terminal: records, no frames (see `attach-wire.ts`). The client speaks first. */
export interface AttachFrame {
  readonly type: 'attach';
  readonly terminal: TerminalWish;
}

export type ClientFrame =
  | Hello
  | AttachFrame
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
  /** `name` is for people, `command` is what leads there again. */
  | { readonly type: 'attached'; readonly name: string; readonly command: string }
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
    case 'attach': {
      const terminal = record(frame, 'terminal');
      const [projectPath, tag, window] = ['projectPath', 'tag', 'window'].map((key) =>
        optionalText(terminal, key),
      );
      return { type: 'attach', terminal: { projectPath, tag, window } };
    }
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
    case 'attached':
      return { type: 'attached', name: text(frame, 'name'), command: text(frame, 'command') };
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

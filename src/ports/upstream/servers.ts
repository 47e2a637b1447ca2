import type { ServerAnswer } from '../../model/tools/server-answer.ts';

/** A picture of an answer. */
export interface ServerPicture {
  readonly mimeType: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Uint8Array;
}

/** A JSON Schema as data. */
export type ServerSchema = Readonly<Record<string, unknown>>;

/** A tool of another MCP server. Its texts were written by that server, and are bounded and made visible. */
export interface ServerToolFacts {
  /** In our list: `jira__search`. */
  readonly name: string;
  /** As the server names it. */
  readonly ownName: string;
  readonly description: string;
  readonly inputSchema: ServerSchema;
  /** Why a person agrees before it is called, as a phrase. */
  readonly loses?: string | undefined;
}

/** Another MCP server of the caller. */
export interface ServerFacts {
  readonly name: string;
  /** `named`: by the caller, without configuration. */
  readonly origin: 'user' | 'project' | 'named';
  /** The file that declares it; empty if it is `named`. */
  readonly path: string;
  readonly transport: 'stdio' | 'http';
  readonly state:
    | 'ready'
    | 'untrusted'
    | 'disabled'
    | 'invalid'
    | 'overridden'
    | 'unavailable'
    | 'denied'
    | 'signed_out';
  /** Why it is not ready, as a phrase. */
  readonly reason?: string | undefined;
  readonly tools: readonly ServerToolFacts[];
  /** What of its list is not offered, as phrases. */
  readonly leftOut: readonly string[];
}

export interface ServerCallOptions {
  /** Called when the tool is known and accepts the input. What it throws ends the call: nothing was sent. */
  readonly guard: (tool: ServerToolFacts) => void;
  readonly signal: AbortSignal;
  /** Longest time for the answer; default the server's own. */
  readonly timeoutMs?: number | undefined;
  /** The most text in the answer, in characters. */
  readonly mostCharacters: number;
  readonly onProgress?: ((message: string) => void) | undefined;
  readonly onPicture?: ((picture: ServerPicture) => void) | undefined;
}

/** Other MCP servers that the caller has configured, and their tools. */
export interface ServersPort {
  /** All servers; starts those that are trusted, and waits some seconds for their tools. `name`: only tools that begin with it. */
  list(
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly servers: readonly ServerFacts[]; readonly problems: readonly string[] }>;
  /**
   * The tools of one server that is in no file: a command line, or an address. It is ended afterwards.
   * @throws DeskterityError INVALID_ARGUMENT, SERVER_UNAVAILABLE, UNAUTHORIZED
   */
  inspect(target: string, signal: AbortSignal): Promise<ServerFacts>;
  /** @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, SERVER_UNAVAILABLE, UNAUTHORIZED, INVALID_ARGUMENT, ACTION_FAILED, TIMEOUT */
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: ServerCallOptions,
  ): Promise<ServerAnswer>;
  /** The rest of an earlier answer. @throws DeskterityError INVALID_ARGUMENT if it is no longer kept */
  more(resultId: string, cursor: number, mostCharacters: number): ServerAnswer;
  /** Allows a file of servers with its present content. @throws DeskterityError INVALID_ARGUMENT, TOOL_INVALID, CONFIG_INVALID */
  trust(file: string): Promise<{ readonly path: string; readonly servers: readonly string[] }>;
  /**
   * Signs a person in; `onAddress` receives the address to open, and whether a browser was opened.
   * @throws DeskterityError TOOL_NOT_FOUND, TOOL_UNTRUSTED, UNAUTHORIZED, SERVER_UNAVAILABLE
   */
  signIn(
    name: string,
    options: {
      readonly signal: AbortSignal;
      readonly opensBrowser: boolean;
      readonly onAddress: (address: string, isOpened: boolean) => void;
    },
  ): Promise<{ readonly issuer: string }>;
  /** Forgets what signing in gave, and revokes it where the server offers that. @returns whether there was something */
  signOut(name: string): Promise<boolean>;
}

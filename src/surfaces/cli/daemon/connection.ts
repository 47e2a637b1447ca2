import type { Duplex } from 'node:stream';
import type { McpFrame, McpHttpFrame, AttachTarget } from '../../../wire/client-frames.ts';
import type { ConsentAnswer } from '../../../model/effects/consent-answer.ts';
import type { Format } from '../arguments/globals.ts';
import type { GivenInput } from '../arguments/secret-flags.ts';

/** The bytes of an answer. */
export interface Rendered {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of one call. */
export interface CallOptions {
  /** Default: as configured. */
  readonly format?: Format | undefined;
  /** Indented JSON. */
  readonly pretty?: boolean | undefined;
  /** Input keys whose text must not appear in the answer. */
  readonly secrets?: readonly string[] | undefined;
  /** Cancels the call, which then answers CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** Lowest level of log entries that {@link onLog} receives. */
  readonly logLevel?: 'debug' | 'info' | undefined;
  /** Receives each entry as a line without a line break. */
  readonly onLog?: ((line: string) => void) | undefined;
  /** Receives what a call that takes long is doing. */
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Asks the person at the caller's terminal for consent; without it, what needs consent is refused. */
  readonly onQuestion?: ((text: string) => Promise<ConsentAnswer>) | undefined;
}

/** An MCP server over HTTP, for as long as the connection lasts. */
export interface HttpServer {
  readonly url: string;
  /** Resolves when the server ends unexpectedly. */
  readonly ended: Promise<void>;
}

export interface ServeOptions {
  readonly signal: AbortSignal;
  /** Receives what clients send and receive, if that was requested. */
  readonly onEcho?: ((text: string) => void) | undefined;
}

/** A terminal ready to attach to. */
export interface AttachedStream {
  /** Records of `wire/attach-records.ts`; the client sends first and closes the stream. */
  readonly stream: Duplex;
  /** Name of the terminal, for people. */
  readonly name: string;
  /** Command line that attaches again. */
  readonly command: string;
}

/** Runs commands: in the daemon or in this process. */
export interface Connection {
  /**
   * Any number of calls may run at once. A failed command is an answer with an exit code.
   * @throws CallFailure if the call could not be made, or the answer was lost
   */
  execute(session: string, command: string, input: GivenInput, options?: CallOptions): Promise<Rendered>;
  /**
   * The byte stream of an MCP server for one client. The caller closes it; it ends early if the server exits.
   * @throws CallFailure
   */
  openMcp(options: McpFrame['options'], signal: AbortSignal): Promise<Duplex>;
  /** @throws CallFailure if the address cannot be used, or the call could not be made */
  serveMcp(
    choices: McpFrame['options'],
    http: McpHttpFrame['http'],
    options: ServeOptions,
  ): Promise<HttpServer>;
  /** @throws CallFailure if there is no such terminal, or the call could not be made */
  openTerminal(target: AttachTarget, signal: AbortSignal): Promise<AttachedStream>;
  close(): Promise<void>;
}

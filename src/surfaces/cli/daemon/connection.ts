import type { Duplex } from 'node:stream';
import type { McpFrame, McpHttpFrame, AttachTarget } from '../../../wire/client-frames.ts';
import type { Format } from '../arguments/globals.ts';
import type { Input } from '../arguments/scan.ts';

/** The bytes of an answer. */
export interface Rendered {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How one call is to be carried out. */
export interface CallOptions {
  /** The configuration decides where absent. */
  readonly format?: Format | undefined;
  /** JSON over several lines. */
  readonly pretty?: boolean | undefined;
  /** Input keys whose text the answer must not repeat. */
  readonly secrets?: readonly string[] | undefined;
  /** Aborted when the caller wants the call to end; the answer then says CANCELLED. */
  readonly signal?: AbortSignal | undefined;
  /** Least severe log entries of this call that {@link onLog} receives. */
  readonly logLevel?: 'debug' | 'info' | undefined;
  /** Receives one finished line, without a line break, for each of them. */
  readonly onLog?: ((line: string) => void) | undefined;
}

/** An MCP server over HTTP, for as long as the connection lasts. */
export interface HttpServer {
  readonly url: string;
  /** Resolves when it has ended although nobody here wanted it to. */
  readonly ended: Promise<void>;
}

/** A terminal that somebody is about to attach to. */
export interface AttachedStream {
  /** Records of `wire/attach-records.ts`; the client speaks first, and ends it. */
  readonly stream: Duplex;
  /** Of the terminal, for people. */
  readonly name: string;
  /** What leads there again. */
  readonly command: string;
}

/** What runs commands: the daemon, or the program in this process. */
export interface Connection {
  /**
   * Any number of calls may be under way at once. A failure of the command is an answer with an exit code.
   * @throws CallFailure when nobody could be asked, or the answer was lost
   */
  execute(session: string, command: string, input: Input, options?: CallOptions): Promise<Rendered>;
  /**
   * Bytes to and from an MCP server of one client, which are the caller's: it ends them. They end early when the server is gone.
   * @throws CallFailure
   */
  openMcp(options: McpFrame['options'], signal: AbortSignal): Promise<Duplex>;
  /** @throws CallFailure when it cannot be served there, or nobody could be asked */
  serveMcp(
    options: McpFrame['options'],
    http: McpHttpFrame['http'],
    signal: AbortSignal,
  ): Promise<HttpServer>;
  /** @throws CallFailure when there is no such terminal, or nobody could be asked */
  openTerminal(target: AttachTarget, signal: AbortSignal): Promise<AttachedStream>;
  close(): Promise<void>;
}

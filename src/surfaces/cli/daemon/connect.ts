import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DAEMON_PROTOCOL, type Identity } from '../../../wire/daemon-protocol.ts';
import type {
  AttachFrame,
  Environment,
  Hello,
  ScreenFacts,
  McpFrame,
  McpHttpFrame,
  AttachTarget,
} from '../../../wire/client-frames.ts';
import { WireError } from '../../../wire/schema.ts';
import { CallFailure } from './call-failure.ts';
import type {
  AttachedStream,
  CallOptions,
  Connection,
  HttpServer,
  Rendered,
  ServeOptions,
} from './connection.ts';
import { connectTo, daemonUnavailable, untilDaemonExits } from './daemon-socket.ts';
import { daemonsKeptExiting, foreign, lost, stopped, throwIfCancelled } from './daemon-failures.ts';
import { Link, type Outcome } from './link.ts';
import type { GivenInput } from '../arguments/secret-flags.ts';
import { TIMERS, within } from '../../../model/within.ts';

/** Attempts, as daemons may be replaced or exit while they are being contacted. */
const MOST_TRIES = 8;
/** Time for a daemon to exit after it was asked to. */
const RETIRE_LIMIT_MS = 12_000;
/** Time for a daemon that is only busy with calls to finish them, polled. */
const CALLS_LIMIT_MS = 2000;
const CALLS_POLL_MS = 50;
/** The reason it cannot be replaced ends by itself. */
const CALLS_ONLY = /^\d+ calls?$/;

export interface DaemonClientParts {
  readonly socket: string;
  /** Path of the daemon program. */
  readonly program: string;
  /** Path of the command line's own program. */
  readonly script: string;
  readonly version: string;
  readonly environment: Environment;
  readonly cwd: string;
  readonly pid: number;
  /** Whether lines for standard error may be coloured. */
  readonly colour: boolean;
  /** The terminal that answers are printed on. */
  readonly screen?: ScreenFacts | undefined;
  /** Milliseconds in which a call must be answered, if its command has a deadline. */
  readonly deadlineOf?: ((command: string, input: GivenInput) => number | undefined) | undefined;
  /** Whether a command may be sent again if its answer was lost. */
  readonly isRepeatable: (command: string) => boolean;
}

/** A connection to the daemon, which is started if there is none and replaced if it is idle and of another version. */
export class DaemonConnection implements Connection {
  private readonly parts: DaemonClientParts;
  private link: Promise<Link> | undefined;
  private opened: Link | undefined;

  constructor(parts: DaemonClientParts) {
    this.parts = parts;
  }

  async execute(
    session: string,
    command: string,
    input: GivenInput,
    options: CallOptions = {},
  ): Promise<Rendered> {
    const { format, pretty, secrets, signal, logLevel, onLog, onProgress, onQuestion } = options;
    const frame = {
      session,
      command,
      input,
      format,
      pretty,
      secrets,
      ...(onLog && { log: logLevel ?? 'info' }),
      ...(onProgress && { progress: true }),
      ...(onQuestion && { asks: true }),
    };
    let hasLost = false;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      throwIfCancelled(signal, command);
      const link = await this.current(signal, command);
      const outcome = await send(link, frame, options, this.parts.deadlineOf?.(command, input));
      switch (outcome.kind) {
        case 'answer':
          return outcome.answer;
        case 'refused':
          throw new CallFailure(outcome.refusal.code, outcome.refusal.message, outcome.refusal);
        case 'skew':
          await this.replace(link, outcome.identity, { signal, command });
          break;
        case 'foreign':
          throw foreign(outcome.detail, command);
        case 'lost':
          if (outcome.isSilent) throw stopped(command, outcome.detail);
          if (hasLost || !this.parts.isRepeatable(command)) throw lost(command, outcome.detail);
          hasLost = true;
          await untilDaemonExits(this.parts.socket);
          break;
        default:
          break;
      }
      this.forget(link);
    }
    throw daemonsKeptExiting();
  }

  async openMcp(options: McpFrame['options'], signal: AbortSignal): Promise<Duplex> {
    const { outcome } = await this.serve({ type: 'mcp', options }, signal);
    if (outcome.kind === 'piped') return outcome.socket;
    throw daemonUnavailable('The daemon did not open the requested connection.');
  }

  async serveMcp(
    options: McpFrame['options'],
    http: McpHttpFrame['http'],
    { signal, onEcho }: ServeOptions,
  ): Promise<HttpServer> {
    const { outcome, link } = await this.serve({ type: 'mcp-http', options, http }, signal);
    link.onEcho = onEcho;
    if (outcome.kind === 'serving') return { url: outcome.url, ended: link.closed() };
    throw daemonUnavailable('The daemon did not start the requested server.');
  }

  async openTerminal(target: AttachTarget, signal: AbortSignal): Promise<AttachedStream> {
    const { outcome } = await this.serve({ type: 'attach', terminal: target }, signal);
    if (outcome.kind === 'attached') {
      const { socket: stream, name, command } = outcome;
      return { stream, name, command };
    }
    throw daemonUnavailable('The daemon did not open the requested terminal.');
  }

  /** A connection to a running daemon, if there is one. Starts nothing. */
  async find(): Promise<Link | undefined> {
    const socket = await connectTo(this.parts.socket);
    return socket && this.linkOver(socket);
  }

  /** Starts a daemon unless one is running. */
  async start(): Promise<Link> {
    return this.linkOver(await this.open());
  }

  async close(): Promise<void> {
    const { link } = this;
    this.link = undefined;
    (await link?.catch(() => undefined))?.end();
  }

  /** The answer of a daemon that can serve, and its connection, which {@link close} ends. */
  private async serve(
    frame: McpFrame | McpHttpFrame | AttachFrame,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: Outcome; readonly link: Link }> {
    const command = frame.type === 'attach' ? 'terminal attach' : 'mcp';
    let hasLost = false;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const link = await this.current(signal, command);
      const stop = () => link.end();
      signal.addEventListener('abort', stop, { once: true });
      const outcome = await link.serve(frame).finally(() => signal.removeEventListener('abort', stop));
      throwIfCancelled(signal, command);
      switch (outcome.kind) {
        case 'piped':
        case 'serving':
        case 'attached':
          return { outcome, link };
        case 'refused':
          throw new CallFailure(outcome.refusal.code, outcome.refusal.message, outcome.refusal);
        case 'skew':
          await this.replaceOverNewLink(outcome.identity, { signal, command });
          break;
        case 'foreign':
          throw foreign(outcome.detail, command);
        case 'lost':
          if (hasLost)
            throw daemonUnavailable('The daemon exited before it could serve.', { detail: outcome.detail });
          hasLost = true;
          await untilDaemonExits(this.parts.socket);
          break;
        default:
          break;
      }
      this.forget(link);
      link.end();
    }
    throw daemonsKeptExiting();
  }

  /** Uses a new connection, because a daemon that does not know the frame has closed the other one. */
  private async replaceOverNewLink(identity: Identity, call: Replacing): Promise<void> {
    const link = await this.find();
    if (link === undefined) return;
    try {
      await this.replace(link, identity, call);
    } finally {
      link.end();
    }
  }

  private async current(signal: AbortSignal | undefined, command: string): Promise<Link> {
    if (this.opened?.isOpen === false) this.forget(this.opened);
    this.link ??= this.open(signal, command).then((socket) => {
      this.opened = this.linkOver(socket);
      return this.opened;
    });
    try {
      return await this.link;
    } catch (error) {
      this.link = undefined;
      throwIfCancelled(signal, command);
      throw error;
    }
  }

  /** Keeps a newer link that another call has opened. */
  private forget(link: Link): void {
    if (this.opened !== link) return;
    this.opened = undefined;
    this.link = undefined;
  }

  private async open(signal?: AbortSignal, command?: string): Promise<Socket> {
    const { socket, program, environment } = this.parts;
    const found = await connectTo(socket);
    if (found !== undefined) return found;
    const { startDaemon } = await import('./start-daemon.ts');
    return startDaemon({ socket, program, environment, signal, isForMcp: command === 'mcp' });
  }

  private linkOver(socket: Socket): Link {
    const { version, pid, cwd, environment, script, colour, screen } = this.parts;
    const program = { node: process.execPath, script };
    const caller = { version, pid, cwd, environment, program, colour, ...(screen && { screen }) };
    const hello: Hello = { type: 'hello', protocol: DAEMON_PROTOCOL, ...caller };
    return new Link(socket, hello);
  }

  /** Retires a daemon of another version after its calls have ended. @throws CallFailure if they do not end, or it has state to keep */
  private async replace(link: Link, identity: Identity, { signal, command }: Replacing): Promise<void> {
    const end = performance.now() + CALLS_LIMIT_MS;
    let refusedBy = identity;
    while (refusedBy.isIdle || hasOnlyCalls(refusedBy)) {
      throwIfCancelled(signal, command);
      const outcome = await link.ask('retire');
      if (outcome.kind !== 'skew' && outcome.kind !== 'self') {
        await within(TIMERS, link.closed(), RETIRE_LIMIT_MS);
        return;
      }
      refusedBy = outcome.identity;
      if (performance.now() > end) break;
      await new Promise((resolve) => setTimeout(resolve, CALLS_POLL_MS));
    }
    throw daemonUnavailable(
      `The running daemon has version ${refusedBy.version}, but this program has version ${this.parts.version}. The daemon cannot be replaced while it has ${refusedBy.why ?? 'work to do'}.`,
      {
        suggestion:
          'Run this command with --no-daemon, or run "desk daemon restart", which ends all that the daemon is running.',
        delivered: false,
        retryable: hasOnlyCalls(refusedBy),
      },
    );
  }
}

interface Replacing {
  readonly signal: AbortSignal | undefined;
  readonly command: string;
}

function hasOnlyCalls({ why }: Identity): boolean {
  return why !== undefined && CALLS_ONLY.test(why);
}

type Frame = Parameters<Link['call']>[0];

async function send(
  link: Link,
  frame: Frame,
  { signal, onLog, onProgress, onQuestion }: CallOptions,
  deadlineMs: number | undefined,
): Promise<Outcome> {
  try {
    const { outcome, cancel } = link.call(frame, { onLog, onProgress, onQuestion }, deadlineMs);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await outcome;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new CallFailure('INVALID_ARGUMENT', 'The input is too large to send.', {
      suggestion: 'Send the text in smaller parts.',
    });
  }
}

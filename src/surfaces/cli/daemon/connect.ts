import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DAEMON_PROTOCOL } from '../../../wire/daemon-protocol.ts';
import type {
  AttachFrame,
  Environment,
  Hello,
  McpFrame,
  McpHttpFrame,
  AttachTarget,
} from '../../../wire/client-frames.ts';
import type { Identity } from '../../../wire/daemon-protocol.ts';
import { WireError } from '../../../wire/schema.ts';
import { CallFailure } from './call-failure.ts';
import type { AttachedStream, CallOptions, Connection, HttpServer, Rendered } from './connection.ts';
import { connectTo, daemonUnavailable, untilDaemonIsGone } from './daemon-place.ts';
import { Link } from './link.ts';
import type { Outcome } from './link.ts';
import type { Input } from '../arguments/scan.ts';
import { TIMERS, within } from '../../../model/within.ts';

/** Old daemons that may stand in the way one after the other, and daemons that leave just then. */
const MOST_TRIES = 8;
/** For a daemon that was asked to retire. */
const RETIRE_LIMIT_MS = 12_000;
/** For one that has calls only to end them, asked again and again. */
const CALLS_LIMIT_MS = 2000;
const CALLS_POLL_MS = 50;
/** What keeps it ends by itself. */
const CALLS_ONLY = /^\d+ calls?$/;

export interface DaemonClientParts {
  readonly socket: string;
  /** Path of the program that is the daemon. */
  readonly program: string;
  readonly version: string;
  readonly environment: Environment;
  readonly cwd: string;
  readonly pid: number;
  /** Whether lines for standard error may be coloured. */
  readonly colour: boolean;
  /** Whether a command may be sent again when its answer was lost. */
  readonly isRepeatable: (command: string) => boolean;
}

/** The daemon: found, started when there is none, replaced when it is an idle one of another version. */
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
    input: Input,
    options: CallOptions = {},
  ): Promise<Rendered> {
    const { format, pretty, secrets, signal, logLevel, onLog } = options;
    const frame = {
      session,
      command,
      input,
      format,
      pretty,
      secrets,
      ...(onLog && { log: logLevel ?? 'info' }),
    };
    let hasLost = false;
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      throwIfCancelled(signal, command);
      const link = await this.current(signal, command);
      const outcome = await send(link, frame, options);
      switch (outcome.kind) {
        case 'answer':
          return outcome.answer;
        case 'refused':
          throw new CallFailure(outcome.refusal.code, outcome.refusal.message, outcome.refusal);
        case 'skew':
          await this.replace(link, outcome.identity, { signal, command });
          break;
        case 'lost':
          if (hasLost || !this.parts.isRepeatable(command)) throw lost(command, outcome.detail);
          hasLost = true;
          await untilDaemonIsGone(this.parts.socket);
          break;
        default:
          break;
      }
      this.forget(link);
    }
    throw daemonsKeptLeaving();
  }

  async openMcp(options: McpFrame['options'], signal: AbortSignal): Promise<Duplex> {
    const { outcome } = await this.serve({ type: 'mcp', options }, signal);
    if (outcome.kind === 'piped') return outcome.socket;
    throw daemonUnavailable('The daemon did not open the connection that was asked for.');
  }

  async serveMcp(
    options: McpFrame['options'],
    http: McpHttpFrame['http'],
    signal: AbortSignal,
  ): Promise<HttpServer> {
    const { outcome, link } = await this.serve({ type: 'mcp-http', options, http }, signal);
    if (outcome.kind === 'serving') return { url: outcome.url, ended: link.closed() };
    throw daemonUnavailable('The daemon did not open the server that was asked for.');
  }

  async openTerminal(target: AttachTarget, signal: AbortSignal): Promise<AttachedStream> {
    const { outcome } = await this.serve({ type: 'attach', terminal: target }, signal);
    if (outcome.kind === 'attached') {
      const { socket: stream, name, command } = outcome;
      return { stream, name, command };
    }
    throw daemonUnavailable('The daemon did not open the terminal that was asked for.');
  }

  /** The connection to a daemon that is there; `undefined` when none is. Nothing is started. */
  async find(): Promise<Link | undefined> {
    const socket = await connectTo(this.parts.socket);
    return socket && this.linkOver(socket);
  }

  /** Starts a daemon unless there is one. */
  async start(): Promise<Link> {
    return this.linkOver(await this.open(undefined));
  }

  async close(): Promise<void> {
    const { link } = this;
    this.link = undefined;
    (await link?.catch(() => undefined))?.end();
  }

  /** Gives what the daemon that can serve has answered, and the connection it did that on, which {@link close} ends. */
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
          await this.replaceAnew(outcome.identity, { signal, command });
          break;
        case 'lost':
          if (hasLost)
            throw daemonUnavailable('Daemons ended before they could serve.', { detail: outcome.detail });
          hasLost = true;
          await untilDaemonIsGone(this.parts.socket);
          break;
        default:
          break;
      }
      this.forget(link);
      link.end();
    }
    throw daemonsKeptLeaving();
  }

  /** The same on a connection of its own: a daemon from before there was MCP has ended the one that asked for it. */
  private async replaceAnew(identity: Identity, call: Replacing): Promise<void> {
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
    this.link ??= this.open(signal).then((socket) => {
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

  /** Another call may have opened the next one already. */
  private forget(link: Link): void {
    if (this.opened !== link) return;
    this.opened = undefined;
    this.link = undefined;
  }

  private async open(signal: AbortSignal | undefined): Promise<Socket> {
    const { socket, program, environment } = this.parts;
    const found = await connectTo(socket);
    if (found !== undefined) return found;
    const { startDaemon } = await import('./start-daemon.ts');
    return startDaemon({ socket, program, environment, signal });
  }

  private linkOver(socket: Socket): Link {
    const { version, pid, cwd, environment, colour } = this.parts;
    const hello: Hello = { type: 'hello', protocol: DAEMON_PROTOCOL, version, pid, cwd, environment, colour };
    return new Link(socket, hello);
  }

  /** Has a daemon of another version leave once its calls have ended. @throws CallFailure when they go on, or it has something to keep */
  private async replace(link: Link, identity: Identity, { signal, command }: Replacing): Promise<void> {
    const end = performance.now() + CALLS_LIMIT_MS;
    let refusedBy = identity;
    while (refusedBy.isIdle || isInCallsOnly(refusedBy)) {
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
      `The daemon that runs is of version ${refusedBy.version}, this is ${this.parts.version}; it cannot be replaced while it has ${refusedBy.why ?? 'something to do'}.`,
      {
        suggestion:
          'End it and what it keeps with "desk daemon restart", or run this command with --no-daemon.',
        delivered: false,
        retryable: isInCallsOnly(refusedBy),
      },
    );
  }
}

interface Replacing {
  readonly signal: AbortSignal | undefined;
  readonly command: string;
}

function isInCallsOnly({ why }: Identity): boolean {
  return why !== undefined && CALLS_ONLY.test(why);
}

type Frame = Parameters<Link['call']>[0];

async function send(link: Link, frame: Frame, { signal, onLog }: CallOptions): Promise<Outcome> {
  try {
    const { outcome, cancel } = link.call(frame, onLog);
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await outcome;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw new CallFailure('INVALID_ARGUMENT', 'The input is too large to be sent.', {
      suggestion: 'Send the text in smaller parts.',
    });
  }
}

function throwIfCancelled(signal: AbortSignal | undefined, command: string): void {
  if (signal?.aborted !== true) return;
  throw new CallFailure('CANCELLED', `${command} was cancelled.`, {
    suggestion: 'Run the command again when you want its answer.',
  });
}

function daemonsKeptLeaving(): CallFailure {
  return daemonUnavailable('Daemons kept leaving while they were being asked.');
}

function lost(command: string, detail: string): CallFailure {
  return daemonUnavailable(
    `The daemon ended before it answered; whether ${command} was carried out is not known.`,
    {
      suggestion: 'Look at what has become of it before doing it again: desk snapshot.',
      detail,
      delivered: true,
    },
  );
}

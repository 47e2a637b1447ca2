import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { DeskterityError } from '../../model/effects/errors.ts';
import { DiskReserve } from '../../operations/output/disk-reserve.ts';
import { holdersFolder, reserveFile, tokenFile } from '../../operations/holder/holder-place.ts';
import type { OperationParts, RunLimits } from '../../operations/operation-parts.ts';
import { OperationRunner } from '../../operations/operation-runner.ts';
import { within } from '../../operations/within.ts';
import type { LocalListening } from '../../ports/local-sockets.ts';
import type { LogPort } from '../../ports/log.ts';
import type { Platform } from '../../ports/platform.ts';
import type { ProcessIdentityPort } from '../../ports/process-identity.ts';
import type { ProcessPort } from '../../ports/process.ts';
import type { PseudoTerminalPort } from '../../ports/pseudo-terminal.ts';
import type { HeldTerminals } from '../../terminal/sessions/held/held-terminals.ts';
import type { ClientLine, ServedTerminals } from '../../terminal/sessions/held/serve-terminals.ts';
import { ServedClient } from './serve-client.ts';

const TOKEN_BYTES = 32;
const MOST_CONNECTIONS = 256;
/** For each step of leaving: ending what runs takes that long at most. */
const LEAVE_LIMIT_MS = 15_000;
/** How often it looks whether it can still be found. */
const LOOK_MS = 10_000;

export interface HolderParts {
  readonly socket: string;
  readonly stateFolder: string;
  readonly processes: ProcessPort & PseudoTerminalPort;
  readonly platform: Pick<Platform, 'clock' | 'makeFolder' | 'sockets' | 'withFileLock'>;
  readonly identity: ProcessIdentityPort;
  readonly log: LogPort;
  readonly limits: RunLimits;
  readonly mostRunning: number;
  /** How long it stays with nothing to do and nobody there. */
  readonly idleMs: number;
}

/**
 * What outlives the daemon: it runs operations and keeps their output, whoever comes and goes.
 * @returns `undefined` when another one listens there already @throws Error of the file system
 */
export async function startHolder(parts: HolderParts): Promise<Holder | undefined> {
  await parts.platform.makeFolder(holdersFolder(parts.stateFolder), 0o700);
  return parts.platform.withFileLock(lockFile(parts), () => Holder.open(parts));
}

export class Holder {
  /** Resolves when it has ended what it can and the process may end; `stuck` when a thread of it will not. */
  readonly gone: Promise<'ended' | 'stuck'>;
  private readonly parts: HolderParts;
  private readonly token: string;
  private readonly runner: OperationRunner;
  private readonly reserve: DiskReserve;
  /** Loaded when there is one: most holders have none, and the screen of a terminal takes memory. */
  private terminals:
    | Promise<{
        readonly held: HeldTerminals;
        readonly serve: (line: ClientLine) => ServedTerminals;
      }>
    | undefined;
  private terminalCount: () => number = () => 0;
  private readonly clients = new Map<Socket, ServedClient>();
  private listening: LocalListening | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly look: NodeJS.Timeout;
  private isLeaving = false;
  private goneNow: (how: 'ended' | 'stuck') => void = () => {};

  private constructor(parts: HolderParts, reserve: DiskReserve, token: string) {
    this.parts = parts;
    this.token = token;
    this.reserve = reserve;
    this.look = setInterval(() => void this.leaveIfForgotten(), LOOK_MS);
    this.look.unref();
    this.gone = new Promise((resolve) => {
      this.goneNow = resolve;
    });
    this.runner = new OperationRunner({
      parts: { ...parts, clock: parts.platform.clock, reserve, holder: recordOf(parts) },
      mostRunning: parts.mostRunning,
      onChange: ({ operation_id: operation, ended_at }) => {
        const isOver = ended_at !== undefined;
        for (const client of this.clients.values()) client.tell({ type: 'changed', operation, isOver });
        this.rest();
      },
    });
  }

  /** To be called by one process at a time. */
  static async open(parts: HolderParts): Promise<Holder | undefined> {
    const { socket, stateFolder } = parts;
    const token = randomBytes(TOKEN_BYTES).toString('hex');
    const reserve = new DiskReserve(reserveFile(stateFolder, socket));
    const holder = new Holder(parts, reserve, token);
    const server = createServer((connection) => void holder.admit(connection));
    server.maxConnections = MOST_CONNECTIONS;
    holder.listening = await parts.platform.sockets.listen({
      path: socket,
      server,
      beforeVisible: () => writeSecret(tokenFile(stateFolder, socket), token),
      // Without its word nobody can speak to one that is there.
      takesOver: (await wordOf(parts)) === 'none',
    });
    if (holder.listening === undefined) {
      clearInterval(holder.look);
      return undefined;
    }
    await reserve.keep();
    holder.rest();
    return holder;
  }

  /** Ends all operations and then itself. */
  async leave(reason: string): Promise<void> {
    if (this.isLeaving) return;
    this.isLeaving = true;
    clearInterval(this.look);
    this.parts.log.write({ level: 'info', message: 'holder leaves', fields: { reason } });
    // Another one may be taking the place just now, and must not lose it.
    await this.parts.platform
      .withFileLock(lockFile(this.parts), async () => this.listening?.hide())
      .catch(() => undefined);
    await this.within(this.runner.cancelAll());
    await this.within(this.closeTerminals());
    for (const socket of this.clients.keys()) socket.destroy();
    const { stateFolder, socket: place } = this.parts;
    // In its place there may be another one.
    if ((await wordOf(this.parts)) === this.token)
      await rm(reserveFile(stateFolder, place), { force: true }).catch(() => undefined);
    const isClosed = await this.within(this.parts.processes.close());
    this.goneNow(isClosed ? 'ended' : 'stuck');
  }

  /** Leaves when nobody can find it any more, such as when the state folder was removed: neither could what it runs be ended, or be read. */
  private async leaveIfForgotten(): Promise<boolean> {
    const word = await wordOf(this.parts);
    const isForgotten = word !== 'unknown' && word !== this.token;
    if (isForgotten) void this.leave('nobody can find it');
    return isForgotten || this.isLeaving;
  }

  /** @returns whether it came to its end */
  private async within(step: Promise<void>): Promise<boolean> {
    return within(this.parts.platform.clock, step, LEAVE_LIMIT_MS).then(
      (done) => done !== undefined,
      () => true,
    );
  }

  private async admit(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy());
    const isRefused = await this.parts.platform.sockets.isConfined(socket).catch(() => true);
    if (isRefused) {
      this.parts.log.write({ level: 'warn', message: 'confined client refused' });
      socket.destroy();
    } else if (!socket.destroyed) this.serve(socket);
  }

  private serve(socket: Socket): void {
    const { processes, log } = this.parts;
    const { runner, token } = this;
    const isLeaving = () => this.isLeaving;
    const leaveIfForgotten = () => this.leaveIfForgotten();
    const terminalsFor = (line: ClientLine) => this.terminalsFor(line);
    const client = { token, runner, processes, log, terminalsFor, isLeaving, leaveIfForgotten };
    this.clients.set(socket, new ServedClient(socket, client));
    clearTimeout(this.timer);
    socket.once('close', () => {
      this.clients.delete(socket);
      // It may have been somebody who has looked for another one's place.
      void this.leaveIfForgotten();
      this.rest();
    });
  }

  private async terminalsFor(line: ClientLine): Promise<ServedTerminals> {
    this.terminals ??= this.loadTerminals();
    try {
      return (await this.terminals).serve(line);
    } catch (error) {
      this.terminals = undefined;
      throw new DeskterityError('DAEMON_UNAVAILABLE', 'The holder cannot load what terminals need.', {
        suggestion: 'Another version may have been installed in its place: run "desk daemon restart".',
        platformDetail: error instanceof Error ? error.message : String(error),
        cause: error,
      });
    }
  }

  private async loadTerminals(): NonNullable<typeof this.terminals> {
    const { HeldTerminals, ServedTerminals } = await import('../../terminal/sessions/held/holder-side.ts');
    const { parts, reserve } = this;
    const held = new HeldTerminals({
      ...parts,
      clock: parts.platform.clock,
      reserve,
      shellFolder: join(dirname(parts.socket), 'shells'),
      holder: recordOf(parts),
      onCommandEnd: (ended) => {
        for (const client of this.clients.values())
          void client.tellOfTerminals({ news: 'command-ended', ended }).catch(() => undefined);
      },
      onEnd: () => this.rest(),
    });
    this.terminalCount = () => held.count;
    return { held, serve: (line) => new ServedTerminals(held, line) };
  }

  private async closeTerminals(): Promise<void> {
    await (await this.terminals)?.held.closeAll();
  }

  /** Leaves when there is nothing to do and nobody there for long enough. */
  private rest(): void {
    clearTimeout(this.timer);
    if (this.clients.size > 0 || this.isLeaving) return;
    this.timer = setTimeout(() => {
      const isIdle = this.runner.count + this.terminalCount() + this.clients.size === 0;
      if (isIdle) void this.leave('idle');
      else this.rest();
    }, this.parts.idleMs);
  }
}

function lockFile({ socket }: HolderParts): string {
  return `${socket}.lock`;
}

function recordOf({ socket, identity }: HolderParts): OperationParts['holder'] {
  const { pid, startTime, bootId } = identity.self();
  return { socket, pid, start_time: startTime, boot_id: bootId };
}

/** What clients have to say; `none` where that is nowhere to be read, `unknown` where reading fails. */
async function wordOf({ stateFolder, socket }: HolderParts): Promise<string> {
  try {
    return await readFile(tokenFile(stateFolder, socket), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' ? 'none' : 'unknown';
  }
}

/** A new file, so that its permissions are ours from its first byte on. */
async function writeSecret(path: string, secret: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, secret, { mode: 0o600, flag: 'wx' });
}

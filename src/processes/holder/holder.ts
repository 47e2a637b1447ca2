import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { HolderApp } from '../../app/holder/holder-app.ts';
import type { HolderSettings } from '../../app/holder/holder-settings.ts';
import type { LocalListening } from '../../ports/local-sockets.ts';
import type { LogPort } from '../../ports/log.ts';
import type { Platform } from '../../ports/platform.ts';
import { ServedClient } from './serve-client.ts';

const TOKEN_BYTES = 32;
const MOST_CONNECTIONS = 256;
/** How often it looks whether it can still be found. */
const LOOK_MS = 10_000;

export interface HolderParts {
  readonly settings: HolderSettings;
  readonly platform: Pick<
    Platform,
    'clock' | 'confinedPrograms' | 'makeFolder' | 'processIdentity' | 'sockets' | 'withFileLock'
  >;
  readonly log: LogPort;
}

/**
 * What outlives the daemon: it runs operations and keeps their output, whoever comes and goes.
 * @returns `undefined` when another one listens there already @throws Error of the file system
 */
export async function startHolder(parts: HolderParts): Promise<Holder | undefined> {
  const { platform, settings } = parts;
  await platform.makeFolder(settings.folder, 0o700);
  return platform.withFileLock(lockFile(parts), () => Holder.open(parts));
}

export class Holder {
  /** Resolves when it has ended what it can and the process may end; `stuck` when a thread of it will not. */
  readonly gone: Promise<'ended' | 'stuck'>;
  private readonly parts: HolderParts;
  private readonly app: HolderApp;
  private readonly token = randomBytes(TOKEN_BYTES).toString('hex');
  private readonly clients: Map<Socket, ServedClient>;
  private listening: LocalListening | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly look: NodeJS.Timeout;
  private isLeaving = false;
  private goneNow: (how: 'ended' | 'stuck') => void = () => {};

  private constructor(parts: HolderParts, app: HolderApp, clients: Holder['clients']) {
    this.parts = parts;
    this.app = app;
    this.clients = clients;
    this.look = setInterval(() => void this.leaveIfForgotten(), LOOK_MS);
    this.look.unref();
    this.gone = new Promise((resolve) => {
      this.goneNow = resolve;
    });
  }

  /** To be called by one process at a time. */
  static async open(parts: HolderParts): Promise<Holder | undefined> {
    const { settings, platform } = parts;
    const clients: Holder['clients'] = new Map();
    const app = await HolderApp.open(parts, {
      onOperation: (operation, isOver) => {
        for (const client of clients.values()) client.tell({ type: 'changed', operation, isOver });
        holder.rest();
      },
      onTerminalNews: (news) => {
        for (const client of clients.values()) void client.tellOfTerminals(news).catch(() => undefined);
      },
      onTerminalEnd: () => holder.rest(),
    });
    const holder = new Holder(parts, app, clients);
    const server = createServer((connection) => void holder.admit(connection));
    server.maxConnections = MOST_CONNECTIONS;
    holder.listening = await platform.sockets.listen({
      path: settings.socket,
      server,
      beforeVisible: () => writeSecret(settings.tokenFile, holder.token),
      // Without its word nobody can speak to one that is there.
      takesOver: (await wordOf(parts)) === 'none',
    });
    if (holder.listening === undefined) {
      clearInterval(holder.look);
      return undefined;
    }
    await app.keepReserve();
    holder.rest();
    return holder;
  }

  /** Ends all operations and then itself. */
  async leave(reason: string): Promise<void> {
    if (this.isLeaving) return;
    this.isLeaving = true;
    clearInterval(this.look);
    const { log, platform, settings } = this.parts;
    log.write({ level: 'info', message: 'holder leaves', fields: { reason } });
    // Another one may be taking the place just now, and must not lose it.
    await platform
      .withFileLock(lockFile(this.parts), async () => this.listening?.hide())
      .catch(() => undefined);
    await this.app.endAll();
    for (const socket of this.clients.keys()) socket.destroy();
    // In its place there may be another one.
    if ((await wordOf(this.parts)) === this.token)
      await rm(settings.reserveFile, { force: true }).catch(() => undefined);
    this.goneNow(await this.app.close());
  }

  /** Leaves when nobody can find it any more, such as when the state folder was removed: neither could what it runs be ended, or be read. */
  private async leaveIfForgotten(): Promise<boolean> {
    const word = await wordOf(this.parts);
    const isForgotten = word !== 'unknown' && word !== this.token;
    if (isForgotten) void this.leave('nobody can find it');
    return isForgotten || this.isLeaving;
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
    const { app, token } = this;
    const isLeaving = () => this.isLeaving;
    const leaveIfForgotten = () => this.leaveIfForgotten();
    const client = { token, app, log: this.parts.log, isLeaving, leaveIfForgotten };
    this.clients.set(socket, new ServedClient(socket, client));
    clearTimeout(this.timer);
    socket.once('close', () => {
      this.clients.delete(socket);
      // It may have been somebody who has looked for another one's place.
      void this.leaveIfForgotten();
      this.rest();
    });
  }

  /** Leaves when there is nothing to do and nobody there for long enough. */
  private rest(): void {
    clearTimeout(this.timer);
    if (this.clients.size > 0 || this.isLeaving) return;
    this.timer = setTimeout(() => {
      if (this.app.count + this.clients.size === 0) void this.leave('idle');
      else this.rest();
    }, this.parts.settings.idleMs);
  }
}

function lockFile({ settings }: HolderParts): string {
  return `${settings.socket}.lock`;
}

/** What clients have to say; `none` where that is nowhere to be read, `unknown` where reading fails. */
async function wordOf({ settings }: HolderParts): Promise<string> {
  try {
    return await readFile(settings.tokenFile, 'utf8');
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

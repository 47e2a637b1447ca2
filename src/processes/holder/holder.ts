import { randomBytes } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { HolderApp } from '../../app/holder/holder-app.ts';
import type { HolderSettings } from '../../app/holder/holder-settings.ts';
import type { LocalListening } from '../../ports/local-sockets.ts';
import type { LogPort } from '../../ports/log.ts';
import type { Platform } from '../../ports/platform.ts';
import { ServedClient } from './serve-client.ts';

const TOKEN_BYTES = 32;
const MAX_CONNECTIONS = 256;
/** How often it checks that clients can still find it. */
const CHECK_MS = 10_000;

export interface HolderParts {
  readonly settings: HolderSettings;
  readonly platform: Pick<
    Platform,
    'clock' | 'confinedPrograms' | 'makeFolder' | 'processIdentity' | 'sockets' | 'withFileLock'
  >;
  readonly log: LogPort;
}

/**
 * Starts the process that outlives the daemon: it runs operations and terminals and keeps their output.
 * @returns `undefined` if another holder already listens there @throws Error of the file system
 */
export async function startHolder(parts: HolderParts): Promise<Holder | undefined> {
  const { platform, settings } = parts;
  await platform.makeFolder(settings.folder, 0o700);
  return platform.withFileLock(lockFile(parts), () => Holder.open(parts));
}

export class Holder {
  /** Resolves when everything has ended and the process may exit; `stuck` if one of its threads does not end. */
  readonly gone: Promise<'ended' | 'stuck'>;
  private readonly parts: HolderParts;
  private readonly app: HolderApp;
  private readonly token = randomBytes(TOKEN_BYTES).toString('hex');
  private readonly clients: Map<Socket, ServedClient>;
  private listening: LocalListening | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly checkTimer: NodeJS.Timeout;
  private isLeaving = false;
  private resolveGone: (how: 'ended' | 'stuck') => void = () => {};

  private constructor(parts: HolderParts, app: HolderApp, clients: Holder['clients']) {
    this.parts = parts;
    this.app = app;
    this.clients = clients;
    this.checkTimer = setInterval(() => {
      void this.leaveIfUnreachable();
      void this.app.keepRecords();
    }, CHECK_MS);
    this.checkTimer.unref();
    this.gone = new Promise((resolve) => {
      this.resolveGone = resolve;
    });
  }

  /** Only one process at a time may call it. */
  static async open(parts: HolderParts): Promise<Holder | undefined> {
    const { settings, platform } = parts;
    const clients: Holder['clients'] = new Map();
    const app = await HolderApp.open(parts, {
      onOperation: (operation, isOver) => {
        for (const client of clients.values()) client.sendEvent({ type: 'changed', operation, isOver });
        holder.scheduleExit();
      },
      onTerminalEvent: (event) => {
        for (const client of clients.values()) void client.sendTerminalEvent(event).catch(() => undefined);
      },
      onTerminalEnd: () => holder.scheduleExit(),
    });
    const holder = new Holder(parts, app, clients);
    const server = createServer((connection) => void holder.admit(connection));
    server.maxConnections = MAX_CONNECTIONS;
    holder.listening = await platform.sockets.listen({
      path: settings.socket,
      server,
      beforeVisible: () => writeSecret(settings.tokenFile, holder.token),
      // Without the token no client can use a holder that is already there.
      takesOver: (await storedToken(parts)) === 'none',
    });
    if (holder.listening === undefined) {
      clearInterval(holder.checkTimer);
      return undefined;
    }
    await app.keepReserve();
    holder.scheduleExit();
    return holder;
  }

  /** Ends all operations and terminals, then the process. */
  async leave(reason: string): Promise<void> {
    if (this.isLeaving) return;
    this.isLeaving = true;
    clearInterval(this.checkTimer);
    const { log, platform, settings } = this.parts;
    log.write({ level: 'info', message: 'holder leaves', fields: { reason } });
    // Another holder may be taking over the socket and must not lose it.
    await platform
      .withFileLock(lockFile(this.parts), async () => this.listening?.hide())
      .catch(() => undefined);
    await this.app.endAll();
    for (const socket of this.clients.keys()) socket.destroy();
    // Another holder may have taken over.
    if ((await storedToken(this.parts)) === this.token)
      await rm(settings.reserveFile, { force: true }).catch(() => undefined);
    this.resolveGone(await this.app.close());
  }

  /** Exits if clients can no longer find it, for instance because the state folder was removed: what it runs could be neither ended nor read. */
  private async leaveIfUnreachable(): Promise<boolean> {
    const word = await storedToken(this.parts);
    const isForgotten = word !== 'unknown' && word !== this.token;
    if (isForgotten) void this.leave('clients can no longer find it');
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
    const leaveIfUnreachable = () => this.leaveIfUnreachable();
    const client = { token, app, log: this.parts.log, isLeaving, leaveIfUnreachable };
    this.clients.set(socket, new ServedClient(socket, client));
    clearTimeout(this.timer);
    socket.once('close', () => {
      this.clients.delete(socket);
      // The client may have expected another holder.
      void this.leaveIfUnreachable();
      this.scheduleExit();
    });
  }

  /** Exits after a time without work and clients. */
  private scheduleExit(): void {
    clearTimeout(this.timer);
    if (this.clients.size > 0 || this.isLeaving) return;
    this.timer = setTimeout(() => {
      if (this.app.count + this.clients.size === 0) void this.leave('idle');
      else this.scheduleExit();
    }, this.parts.settings.idleMs);
  }
}

function lockFile({ settings }: HolderParts): string {
  return `${settings.socket}.lock`;
}

/** The token that clients have to send; `none` if the file does not exist, `unknown` if it cannot be read. */
async function storedToken({ settings }: HolderParts): Promise<string> {
  try {
    return await readFile(settings.tokenFile, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'ENOENT' ? 'none' : 'unknown';
  }
}

/** Creates a new file, so that its permissions are right from the first byte. */
async function writeSecret(path: string, secret: string): Promise<void> {
  await rm(path, { force: true });
  await writeFile(path, secret, { mode: 0o600, flag: 'wx' });
}

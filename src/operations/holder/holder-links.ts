import { openHolder, findHolder, type HolderProgram } from './start-holder.ts';
import type { Change, HolderConnection } from './holder-connection.ts';

/** How long an unused connection stays open; an idle holder exits only when nobody is connected. */
const REST_MS = 30_000;

/** The connections of this process, one per holder. */
export class HolderLinks {
  private readonly stateFolder: string;
  private readonly restMs: number;
  private readonly links = new Map<string, Promise<HolderConnection | undefined>>();
  private readonly listeners = new Set<(change: Change) => void>();

  constructor(stateFolder: string, restMs = REST_MS) {
    this.stateFolder = stateFolder;
    this.restMs = restMs;
  }

  /** The connection to a running holder; `undefined` if there is none. */
  async find(socket: string): Promise<HolderConnection | undefined> {
    return this.link(socket, () => findHolder(this.stateFolder, socket));
  }

  /** The connection to a holder, which is started if necessary. @throws DeskterityError DAEMON_UNAVAILABLE */
  async open(program: HolderProgram): Promise<HolderConnection> {
    const { socket } = program.values;
    const found = await this.find(socket);
    if (found !== undefined) return found;
    const opened = await this.link(socket, () => openHolder(program));
    return opened ?? this.open(program);
  }

  /** Receives the changes that any connected holder reports. @returns stops listening */
  onChange(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async link(
    socket: string,
    connect: () => Promise<HolderConnection | undefined>,
  ): Promise<HolderConnection | undefined> {
    const before = this.links.get(socket);
    // Whoever waits for the same holder learns the same: it has no time for another try.
    const known = await before;
    if (known?.isOpen === true) return known;
    // A connection that just closed stays in the map until its event arrives.
    if (before !== undefined) this.forget(socket, before);
    return this.links.get(socket) ?? this.connect(socket, connect);
  }

  private connect(
    socket: string,
    connect: () => Promise<HolderConnection | undefined>,
  ): Promise<HolderConnection | undefined> {
    const opening = connect();
    this.links.set(socket, opening);
    void this.keep(opening).finally(() => this.forget(socket, opening));
    return opening;
  }

  private forget(socket: string, opening: Promise<HolderConnection | undefined>): void {
    if (this.links.get(socket) === opening) this.links.delete(socket);
  }

  /** Resolves when the connection has closed, or could not be opened. */
  private async keep(opening: Promise<HolderConnection | undefined>): Promise<void> {
    const connection = await opening.catch(() => undefined);
    if (connection === undefined) return;
    connection.listen((change) => {
      for (const listener of this.listeners) listener(change);
    });
    this.closeWhenUnused(connection);
    await connection.closed;
  }

  /** Closes the connection once it is unused. */
  private closeWhenUnused(connection: HolderConnection): void {
    const timer = setTimeout(() => {
      if (!connection.isOpen) return;
      if (connection.isUsed) this.closeWhenUnused(connection);
      else connection.end();
    }, this.restMs);
    timer.unref();
  }
}

import { openHolder, findHolder } from './start-holder.ts';
import type { HolderProgram } from './start-holder.ts';
import type { Change, HolderConnection } from './holder-connection.ts';

/** A holder that nobody needs may leave, but not while we are connected. */
const REST_MS = 30_000;

/** The connections of this process, one for each holder. */
export class HolderLinks {
  private readonly stateFolder: string;
  private readonly restMs: number;
  private readonly links = new Map<string, Promise<HolderConnection | undefined>>();
  private readonly listeners = new Set<(change: Change) => void>();

  constructor(stateFolder: string, restMs = REST_MS) {
    this.stateFolder = stateFolder;
    this.restMs = restMs;
  }

  /** To the holder that listens there; `undefined` where none does. */
  async find(socket: string): Promise<HolderConnection | undefined> {
    return this.link(socket, () => findHolder(this.stateFolder, socket));
  }

  /** The same; it is started where there is none. @throws DeskterityError DAEMON_UNAVAILABLE */
  async open(program: HolderProgram): Promise<HolderConnection> {
    const { socket } = program.values;
    const found = await this.find(socket);
    if (found !== undefined) return found;
    const opened = await this.link(socket, () => openHolder(program));
    return opened ?? this.open(program);
  }

  /** Called for what any connected holder tells. @returns ends it */
  onChange(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private async link(
    socket: string,
    connect: () => Promise<HolderConnection | undefined>,
  ): Promise<HolderConnection | undefined> {
    const before = this.links.get(socket);
    const known = await before?.catch(() => undefined);
    if (known?.isOpen === true) return known;
    // One that has just ended is still there until that was heard.
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

  /** Resolves when the connection has ended, or there was none. */
  private async keep(opening: Promise<HolderConnection | undefined>): Promise<void> {
    const connection = await opening.catch(() => undefined);
    if (connection === undefined) return;
    connection.listen((change) => {
      for (const listener of this.listeners) listener(change);
    });
    this.rest(connection);
    await connection.closed;
  }

  /** Ends the connection when it has not been used for a while. */
  private rest(connection: HolderConnection): void {
    const timer = setTimeout(() => {
      if (!connection.isOpen) return;
      if (connection.isUsed) this.rest(connection);
      else connection.end();
    }, this.restMs);
    timer.unref();
  }
}

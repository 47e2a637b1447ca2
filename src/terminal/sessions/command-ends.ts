import type { EndedCommand } from '../../ports/terminals.ts';
import type { TerminalHolders } from './terminal-holders.ts';
import type { TerminalRecords } from './terminal-records.ts';

/** Interval for checking which holders keep terminals. */
const REFRESH_MS = 60_000;

type Listener = (ended: EndedCommand) => void;

/** Reports the end of commands from every holder with terminals while there are listeners. */
export class CommandEnds {
  private readonly holders: TerminalHolders;
  private readonly records: TerminalRecords;
  private readonly listeners = new Set<Listener>();
  /** Functions that unsubscribe from a holder, by its socket. */
  private readonly subscriptions = new Map<string, () => void>();
  private timer: NodeJS.Timeout | undefined;

  constructor(holders: TerminalHolders, records: TerminalRecords) {
    this.holders = holders;
    this.records = records;
  }

  /** @returns a function that removes the listener */
  add(listener: Listener): () => void {
    // The same function may be added twice.
    const own: Listener = (ended) => listener(ended);
    this.listeners.add(own);
    if (this.listeners.size === 1) {
      this.timer = setInterval(() => void this.refresh(), REFRESH_MS);
      this.timer.unref();
      void this.refresh();
    }
    return () => {
      if (this.listeners.delete(own) && this.listeners.size === 0) this.end();
    };
  }

  /** Subscribes to the holder of a new terminal. */
  follow(id: string): void {
    if (this.listeners.size === 0) return;
    void this.holders.socketOf(id).then(
      (socket) => this.subscribe(socket),
      () => undefined,
    );
  }

  private async refresh(): Promise<void> {
    const living = new Set((await this.records.living()).map(({ holder }) => holder.socket));
    // A holder without terminals may exit.
    for (const [socket, stop] of this.subscriptions) if (!living.has(socket)) stop();
    await Promise.all([...living].map((socket) => this.subscribe(socket)));
  }

  private async subscribe(socket: string): Promise<void> {
    if (this.subscriptions.has(socket) || this.listeners.size === 0) return;
    let isOver = false;
    const unsubscribe: (() => void)[] = [];
    const stop = () => {
      isOver = true;
      for (const each of unsubscribe) each();
      if (this.subscriptions.get(socket) === stop) this.subscriptions.delete(socket);
    };
    this.subscriptions.set(socket, stop);
    const connection = await this.holders.links.find(socket).catch(() => undefined);
    if (connection === undefined || isOver) return stop();
    unsubscribe.push(
      connection.onTerminalEvent((event) => {
        if (event.news === 'command-ended') for (const listener of this.listeners) listener(event.ended);
      }),
      connection.onClose(stop),
    );
  }

  private end(): void {
    clearInterval(this.timer);
    for (const stop of this.subscriptions.values()) stop();
  }
}

import type { EndedCommand } from '../../ports/terminals.ts';
import type { TerminalHolders } from './terminal-holders.ts';
import type { TerminalRecords } from './terminal-records.ts';

/** Time between two looks whether a holder still keeps terminals. */
const LOOK_MS = 60_000;

type Listener = (ended: EndedCommand) => void;

/** Hears of commands that end, from every holder that keeps terminals, as long as somebody wants to know. */
export class CommandEnds {
  private readonly holders: TerminalHolders;
  private readonly records: TerminalRecords;
  private readonly listeners = new Set<Listener>();
  /** By the socket of the holder: ends hearing it. */
  private readonly heard = new Map<string, () => void>();
  private timer: NodeJS.Timeout | undefined;

  constructor(holders: TerminalHolders, records: TerminalRecords) {
    this.holders = holders;
    this.records = records;
  }

  /** @returns ends it */
  add(listener: Listener): () => void {
    // The same function may be given twice.
    const own: Listener = (ended) => listener(ended);
    this.listeners.add(own);
    if (this.listeners.size === 1) {
      this.timer = setInterval(() => void this.look(), LOOK_MS);
      this.timer.unref();
      void this.look();
    }
    return () => {
      if (this.listeners.delete(own) && this.listeners.size === 0) this.end();
    };
  }

  /** There is a new terminal. */
  minds(id: string): void {
    if (this.listeners.size === 0) return;
    void this.holders.socketOf(id).then(
      (socket) => this.hear(socket),
      () => undefined,
    );
  }

  private async look(): Promise<void> {
    const living = new Set((await this.records.living()).map(({ holder }) => holder.socket));
    // One that keeps none may leave.
    for (const [socket, stop] of this.heard) if (!living.has(socket)) stop();
    await Promise.all([...living].map((socket) => this.hear(socket)));
  }

  private async hear(socket: string): Promise<void> {
    if (this.heard.has(socket) || this.listeners.size === 0) return;
    let isOver = false;
    let stopHearing: (() => void) | undefined;
    const stop = () => {
      isOver = true;
      stopHearing?.();
      if (this.heard.get(socket) === stop) this.heard.delete(socket);
    };
    this.heard.set(socket, stop);
    const connection = await this.holders.links.find(socket).catch(() => undefined);
    if (connection === undefined || isOver) return stop();
    stopHearing = connection.onNews((news) => {
      if (news.news === 'command-ended') for (const listener of this.listeners) listener(news.ended);
    });
    void connection.closed.then(stop);
  }

  private end(): void {
    clearInterval(this.timer);
    for (const stop of this.heard.values()) stop();
  }
}

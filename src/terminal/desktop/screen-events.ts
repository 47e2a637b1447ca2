import type { HolderConnection } from '../../operations/holder/holder-connection.ts';
import type { TerminalAsk } from '../../wire/terminal-protocol.ts';
import type { TerminalHolders } from '../sessions/terminal-holders.ts';

/** Before another try to reach a holder that has dropped us. */
const RETRY_MS = 500;

export interface ScreenListener {
  /** Something was written, or may have been while nobody could tell: so it is called once when the watch has become live. */
  readonly onShown: () => void;
  /** It has ended; nothing more is told. */
  readonly onExit: () => void;
}

interface Connection extends Pick<HolderConnection, 'onNews' | 'isOpen' | 'closed'> {
  ask(ask: Extract<TerminalAsk, { readonly do: 'watch' | 'unwatch' }>): Promise<unknown>;
}

/** The part of {@link TerminalHolders} that is needed. */
export interface WatchedHolders extends Pick<TerminalHolders, 'isLiving'> {
  connectionOf(id: string): Promise<Connection>;
}

interface Watched {
  readonly listeners: Set<ScreenListener>;
  readonly over: AbortController;
  /** The holder tells. */
  isLive: boolean;
}

/** Tells when something was written to screens: one watch for each terminal, however many listen. */
export class ScreenEvents {
  private readonly holders: WatchedHolders;
  private readonly watched = new Map<string, Watched>();

  constructor(holders: WatchedHolders) {
    this.holders = holders;
  }

  /** @returns ends it */
  listen(id: string, listener: ScreenListener): () => void {
    let watched = this.watched.get(id);
    if (watched === undefined) {
      watched = { listeners: new Set(), over: new AbortController(), isLive: false };
      this.watched.set(id, watched);
      void this.watch(id, watched);
    }
    const { listeners, over } = watched;
    listeners.add(listener);
    if (watched.isLive) queueMicrotask(() => listeners.has(listener) && listener.onShown());
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0) return;
      over.abort();
      this.forget(id, over);
    };
  }

  /** Until nobody listens any more, or the terminal has ended. */
  private async watch(id: string, watched: Watched): Promise<void> {
    const { listeners, over } = watched;
    const { signal } = over;
    while (!signal.aborted) {
      const connection = await this.holders.connectionOf(id).catch(() => undefined);
      if (signal.aborted) return;
      const ended = connection === undefined ? undefined : await this.follow(id, connection, watched);
      if (signal.aborted) return;
      if (ended === 'exited' || !(await this.holders.isLiving(id))) {
        this.forget(id, over);
        for (const { onExit } of listeners) onExit();
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  private forget(id: string, over: AbortController): void {
    if (this.watched.get(id)?.over === over) this.watched.delete(id);
  }

  private async follow(id: string, connection: Connection, watched: Watched): Promise<'exited' | 'lost'> {
    const { listeners, over } = watched;
    const { signal } = over;
    const tell = () => {
      for (const { onShown } of listeners) onShown();
    };
    let finish: (how: 'exited' | 'lost') => void = () => undefined;
    const finished = new Promise<'exited' | 'lost'>((resolve) => {
      finish = resolve;
    });
    const stopHearing = connection.onNews((news) => {
      if (news.news === 'command-ended' || news.terminal !== id) return;
      if (news.news === 'exited') finish('exited');
      else tell();
    });
    const lose = () => finish('lost');
    // At once: the holder must have this before the next watch of the same terminal.
    const leave = () => {
      if (connection.isOpen) connection.ask({ do: 'unwatch', terminal: id }).catch(() => undefined);
      lose();
    };
    signal.addEventListener('abort', leave, { once: true });
    void connection.closed.then(lose);
    const begin = () => {
      watched.isLive = true;
      tell();
    };
    connection.ask({ do: 'watch', terminal: id }).then(begin, lose);
    try {
      return await finished;
    } finally {
      watched.isLive = false;
      stopHearing();
      signal.removeEventListener('abort', leave);
    }
  }
}

import type { HolderConnection } from '../../operations/holder/holder-connection.ts';
import type { TerminalHolderRequest } from '../../wire/terminal-protocol.ts';
import type { TerminalHolders } from '../sessions/terminal-holders.ts';

/** Before reconnecting to a holder that dropped the connection. */
const RETRY_MS = 500;

export interface ScreenListener {
  /** The screen was written to. Also called once when the watch becomes active, because earlier output may have been missed. */
  readonly onShown: () => void;
  /** The terminal has ended; no further calls follow. */
  readonly onExit: () => void;
}

interface Connection extends Pick<HolderConnection, 'onTerminalEvent' | 'isOpen' | 'onClose'> {
  request(ask: Extract<TerminalHolderRequest, { readonly do: 'watch' | 'unwatch' }>): Promise<unknown>;
}

/** The part of {@link TerminalHolders} used here. */
export interface HolderConnections extends Pick<TerminalHolders, 'isLiving'> {
  connectionOf(id: string): Promise<Connection>;
}

interface ScreenWatch {
  readonly listeners: Set<ScreenListener>;
  readonly over: AbortController;
  /** The holder reports output. */
  isLive: boolean;
}

/** Reports output on screens, with one watch per terminal for all listeners. */
export class ScreenEvents {
  private readonly holders: HolderConnections;
  private readonly watched = new Map<string, ScreenWatch>();

  constructor(holders: HolderConnections) {
    this.holders = holders;
  }

  /** @returns a function that stops listening */
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

  /** Runs until the last listener leaves or the terminal ends. */
  private async watch(id: string, watched: ScreenWatch): Promise<void> {
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

  private async follow(id: string, connection: Connection, watched: ScreenWatch): Promise<'exited' | 'lost'> {
    const { listeners, over } = watched;
    const { signal } = over;
    const notify = () => {
      for (const { onShown } of listeners) onShown();
    };
    let finish: (how: 'exited' | 'lost') => void = () => undefined;
    const finished = new Promise<'exited' | 'lost'>((resolve) => {
      finish = resolve;
    });
    const lose = () => finish('lost');
    const unsubscribe = [
      connection.onTerminalEvent((event) => {
        if (event.news === 'command-ended' || event.terminal !== id) return;
        if (event.news === 'exited') finish('exited');
        else notify();
      }),
      connection.onClose(lose),
    ];
    // Sent at once: the holder must receive it before the next watch of the same terminal.
    const leave = () => {
      if (connection.isOpen) connection.request({ do: 'unwatch', terminal: id }).catch(() => undefined);
      lose();
    };
    signal.addEventListener('abort', leave, { once: true });
    const begin = () => {
      watched.isLive = true;
      notify();
    };
    connection.request({ do: 'watch', terminal: id }).then(begin, lose);
    try {
      return await finished;
    } finally {
      watched.isLive = false;
      for (const each of unsubscribe) each();
      signal.removeEventListener('abort', leave);
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ScreenEvents } from '../../src/terminal/desktop/screen-events.ts';
import type { TerminalHolderRequest, TerminalHolderEvent } from '../../src/wire/terminal-protocol.ts';

const ID = 'term-aaaaaa';

/** A holder that handles requests in order and keeps at most one watch per terminal, as the real one does. */
class Holder {
  isWatched = false;
  readonly asked: unknown[] = [];
  readonly isOpen = true;
  private readonly closeListeners = new Set<() => void>();
  private readonly listeners = new Set<(news: TerminalHolderEvent) => void>();
  /** Delay of a connection. */
  delayMs = 0;

  async connectionOf(): Promise<this> {
    await sleep(this.delayMs);
    return this;
  }

  async isLiving(): Promise<boolean> {
    return true;
  }

  async request(ask: Pick<TerminalHolderRequest, 'do'>): Promise<void> {
    this.asked.push(ask.do);
    this.isWatched = ask.do === 'watch';
  }

  onTerminalEvent(listener: (news: TerminalHolderEvent) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  onClose(listener: () => void): () => void {
    this.closeListeners.add(listener);
    return () => void this.closeListeners.delete(listener);
  }

  write(): void {
    if (this.isWatched) this.tell({ news: 'shown', terminal: ID });
  }

  tell(news: TerminalHolderEvent): void {
    for (const listener of this.listeners) listener(news);
  }

  get hearers(): number {
    return this.listeners.size + this.closeListeners.size;
  }
}

function listener() {
  return { onShown: vi.fn<() => void>(), onExit: vi.fn<() => void>() };
}

describe('screen events', () => {
  it('fires once when the watch becomes active, for earlier output', async () => {
    const holder = new Holder();
    const heard = listener();
    new ScreenEvents(holder).listen(ID, heard);
    holder.write();
    await vi.waitFor(() => expect(heard.onShown).toHaveBeenCalledTimes(1));
    holder.write();
    expect(heard.onShown).toHaveBeenCalledTimes(2);
  });

  it('fires for each new listener, also if the watch is already active', async () => {
    const holder = new Holder();
    const news = new ScreenEvents(holder);
    const [first, second] = [listener(), listener()];
    news.listen(ID, first);
    await vi.waitFor(() => expect(first.onShown).toHaveBeenCalled());
    news.listen(ID, second);
    await vi.waitFor(() => expect(second.onShown).toHaveBeenCalledTimes(1));
    expect(holder.asked).toEqual(['watch']);
  });

  it('continues for a listener that is added again at once', async () => {
    const holder = new Holder();
    const news = new ScreenEvents(holder);
    const first = listener();
    const stop = news.listen(ID, first);
    await vi.waitFor(() => expect(first.onShown).toHaveBeenCalled());
    stop();
    const second = listener();
    news.listen(ID, second);
    await vi.waitFor(() => expect(second.onShown).toHaveBeenCalledTimes(1));
    holder.write();
    expect(second.onShown).toHaveBeenCalledTimes(2);
    expect(first.onShown).toHaveBeenCalledTimes(1);
    expect(holder.asked).toEqual(['watch', 'unwatch', 'watch']);
  });

  it('leave nothing behind if the listener leaves before the holder is reached', async () => {
    const holder = new Holder();
    holder.delayMs = 20;
    const news = new ScreenEvents(holder);
    news.listen(ID, listener())();
    const stays = listener();
    const stop = news.listen(ID, stays);
    await vi.waitFor(() => expect(stays.onShown).toHaveBeenCalled());
    expect(holder.asked).toEqual(['watch']);
    stop();
    await vi.waitFor(() => expect(holder.hearers).toBe(0));
    expect(holder.asked).toEqual(['watch', 'unwatch']);
  });

  it('reports the end and can be started again from there', async () => {
    const holder = new Holder();
    const news = new ScreenEvents(holder);
    const again = listener();
    const heard = { ...listener(), onExit: vi.fn<() => void>(() => void news.listen(ID, again)) };
    news.listen(ID, heard);
    await vi.waitFor(() => expect(heard.onShown).toHaveBeenCalled());
    holder.tell({ news: 'exited', terminal: ID });
    await vi.waitFor(() => expect(again.onShown).toHaveBeenCalled());
    expect(heard.onExit).toHaveBeenCalledTimes(1);
  });
});
